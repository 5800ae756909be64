import UIFusionKit

/// The check that events arrive at once, and that a silent stream stays open.
enum StreamCheck: Check {
  static let name = "stream"
  private static let inputs = 5
  /// The delay from which on small packets are held back (Nagle's algorithm, RFC 9293 §3.7.4).
  private static let delayLimit = Duration.milliseconds(100)

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    guard let session = deployment.session else { return [.skipped("no session to follow")] }
    let request = session.request(deployment.url, "/events")
    let observed = try await StreamObservation.make(
      deployment,
      session,
      request,
      inputs: inputs,
      heartbeat: deployment.options.isQuick ? nil : deployment.heartbeat
    )
    var findings = judge(observed, heartbeat: deployment.heartbeat).shown(by: observed.command)
    if observed.firstEvent != nil {
      findings.append(try await resumed(deployment, session))
    }
    return findings
  }

  /// Judges an observation; the heartbeat is the longest silence of a stream in seconds.
  static func judge(_ observed: StreamObservation, heartbeat: Double) -> [Finding] {
    guard let first = observed.firstEvent else {
      guard let head = observed.head, head.status != 200 else {
        return [
          .failure("no event within 2 s: something on the way buffers", [.buffering])
        ]
      }
      return [.failure("the stream is answered \(head.status)")]
    }
    return [
      headers(observed),
      .ok("the first event comes after \(Int((first.inSeconds * 1000).rounded())) ms"),
      events(observed), silence(observed, heartbeat),
    ].compactMap { $0 }
  }

  private static func headers(_ observed: StreamObservation) -> Finding? {
    let type = observed.head?["Content-Type"] ?? "none"
    let control = observed.head?["Cache-Control"] ?? "none"
    var changed: [String] = []
    if !type.hasPrefix("text/event-stream") { changed.append("Content-Type") }
    if !control.contains("no-transform") { changed.append("Cache-Control") }
    if changed.isEmpty { return nil }
    return .failure(
      "the stream's Content-Type is \(type), its Cache-Control \(control)",
      [
        "the service sends text/event-stream and no-store, no-transform",
        .answerHeaders(changed),
      ]
    )
  }

  private static func events(_ observed: StreamObservation) -> Finding {
    if observed.missing > 0 {
      return .failure(
        "an event does not come within 1 s of its Input's answer: something on the way buffers",
        [.buffering]
      )
    }
    guard !observed.delays.isEmpty else {
      return .skipped("no Input changes State: when its event comes was not checked")
    }
    let delay = median(observed.delays)
    let text = "events come \(Int((delay.inSeconds * 1000).rounded())) ms behind answers (p50)"
    if delay <= delayLimit { return .ok(text) }
    return .warning("\(text): something holds small packets", [.delay])
  }

  private static func silence(_ observed: StreamObservation, _ heartbeat: Double) -> Finding {
    switch observed.silence {
    case .heartbeat: return .ok("a silent stream stays open: its heartbeat came")
    case .cut(let seconds):
      let tenths = Int((seconds * 10).rounded())
      return .failure(
        "idle time-out below the heartbeat of \(plain(heartbeat)) s: cut after \(tenths / 10).\(tenths % 10) s",
        [.idleTimeout(heartbeat: heartbeat), "or the service: a shorter --heartbeat"]
      )
    case .nothing(let seconds):
      return .failure(
        "no heartbeat within \(Int(seconds.rounded(.up))) s: something on the way buffers",
        [.buffering]
      )
    case .never:
      return .skipped("the heartbeat was not checked: the session changes by itself")
    case .notWaited: return .skipped("the heartbeat was not checked (--quick)")
    }
  }

  private static func plain(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  /// Reconnects to a stream and judges whether it goes on after the last event.
  private static func resumed(
    _ deployment: Deployment,
    _ session: TrialSession
  ) async throws -> Finding {
    let known = try await deployment.curl.run(session.request(deployment.url)).version
    guard let known, let input = session.inputRequest(deployment.url) else {
      return .skipped("no Input: resuming a stream was not checked")
    }
    let request = session.request(deployment.url, "/events", headers: ["Last-Event-ID: \(known)"])
    let stream = try deployment.curl.stream(request)
    // Otherwise the first event might be that of the Input.
    try await stream.waitForHead(within: StreamObservation.firstLimit)
    let changed = try await deployment.curl.run(input) { stream.read() }.version
    let event =
      changed == known ? nil : try await stream.event(within: StreamObservation.firstLimit)
    return judgeResumed(event?.item, known: known, changed: changed).shown(by: stream.request.line)
  }

  /// Judges the first event of a resumed stream.
  ///
  /// - Parameters:
  ///   - item: the event; nil if none came.
  ///   - known: the version that the client had.
  ///   - changed: the version after a further Input.
  /// - Returns: the finding.
  static func judgeResumed(_ item: EventParser.Item?, known: Int, changed: Int?) -> Finding {
    guard let changed, changed > known else {
      return .skipped("no Input changes State: resuming a stream was not checked")
    }
    guard case .event(_, let version?) = item else {
      return .failure("a stream that reconnects has no event within 2 s", [.buffering])
    }
    if version > known { return .ok("a stream that reconnects goes on where it was") }
    return .failure(
      "Last-Event-ID does not reach the service",
      [.requestHeaders(["Last-Event-ID"])]
    )
  }
}
