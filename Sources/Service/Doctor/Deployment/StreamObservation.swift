import FusionStrictJSON
import UIFusionKit

/// Measurements of a stream of events.
struct StreamObservation {
  /// The outcome of a wait while the session does not change.
  enum Silence: Equatable {
    case heartbeat
    /// The stream was cut, seconds after the last bytes.
    case cut(after: Double)
    /// Neither a heartbeat nor an end came within the seconds.
    case nothing(within: Double)
    /// The session changes by itself, so that there is no silence.
    case never
    case notWaited
  }

  var head: MessageHead?
  /// The time from the request to the first event, without handshakes; nil if none came in time.
  var firstEvent: Duration?
  /// The delays of events after the answers to their Inputs.
  var delays: [Duration] = []
  /// The number of events that did not come.
  var missing = 0
  var silence = Silence.notWaited
  var command = ""

  /// The time limit for the first event.
  static let firstLimit = Duration.seconds(2)
  static let limit = Duration.seconds(1)

  /// Opens a stream, sends Inputs, and then waits for a heartbeat.
  ///
  /// - Parameters:
  ///   - deployment: the deployment.
  ///   - session: the session to follow.
  ///   - request: the request for the stream.
  ///   - inputs: the number of Inputs to send, if the view model has one without values.
  ///   - heartbeat: the longest silence in seconds; nil does not wait for a heartbeat.
  /// - Returns: the measurements.
  /// - Throws: `CancellationError`; ``CommandError`` without `curl`.
  static func make(
    _ deployment: Deployment,
    _ session: TrialSession,
    _ request: CurlRequest,
    inputs: Int,
    heartbeat: Double? = nil
  ) async throws -> StreamObservation {
    let stream = try deployment.curl.stream(request)
    let probe = StreamProbe(deployment: deployment, session: session, stream: stream)
    var observed = StreamObservation(command: stream.request.line)
    let measured = try await deployment.curl.log(deployment.request("/healthz")).measures.first
    let handshakes = measured.map { max($0.connected, $0.secured) } ?? 0
    let limit = firstLimit + .seconds(handshakes)
    let left = stream.started + limit - deployment.curl.time.now
    let first = try await stream.event(within: left)
    observed.head = stream.head
    guard let first else { return observed }
    observed.firstEvent = max(.zero, first.moment - stream.started - .seconds(handshakes))
    for _ in 0..<inputs where stream.silenceBeforeEnd == nil { try await probe.send(&observed) }
    if let heartbeat {
      observed.silence = try await probe.wait(for: heartbeat)
    } else if let silence = stream.silenceBeforeEnd {
      observed.silence = .cut(after: silence.inSeconds)
    }
    return observed
  }
}

/// A stream that is observed, with the session that it follows.
private struct StreamProbe {
  let deployment: Deployment
  let session: TrialSession
  let stream: EventReader

  private var curl: Curl { deployment.curl }

  /// Sends an Input and measures the time until its event.
  func send(_ observed: inout StreamObservation) async throws {
    guard let input = session.inputRequest(deployment.url) else { return }
    let before = try await settledVersion()
    let answer = try await curl.run(input) { stream.read() }
    let answered = curl.time.now
    // An Input that changes nothing has no event.
    guard let version = answer.version, version > before ?? 0 else { return }
    if let event = try await stream.event(from: version, within: StreamObservation.limit) {
      observed.delays.append(max(.zero, event.moment - answered))
    } else if stream.silenceBeforeEnd == nil {
      observed.missing += 1
    }
  }

  /// Waits until the session is settled and returns its version.
  private func settledVersion() async throws -> Int? {
    let deadline = curl.time.now + .seconds(2)
    while true {
      let answer = try await curl.run(session.request(deployment.url)) { stream.read() }
      if answer.json?["settled"] != false || curl.time.now >= deadline { return answer.version }
      try await curl.time.sleep(for: .milliseconds(50))
    }
  }

  func wait(for heartbeat: Double) async throws -> StreamObservation.Silence {
    // The service may be a tenth late, and the network takes time, too.
    let limit = heartbeat * 1.2
    deployment.showProgress("waiting up to \(Int(limit.rounded(.up))) s for a heartbeat …")
    defer { deployment.showProgress("") }
    let end = curl.time.now + .seconds(limit * 2)
    // An event of the session itself restarts the wait.
    while let arrival = try await stream.next(
      until: stream.lastArrival + .seconds(limit),
      where: { _ in true }
    ) {
      if arrival.item == .comment { return .heartbeat }
      if arrival.moment > end { return .never }
    }
    if let silence = stream.silenceBeforeEnd { return .cut(after: silence.inSeconds) }
    return .nothing(within: limit)
  }
}

extension Duration {
  var inSeconds: Double { self / .seconds(1) }
}
