import FusionStrictJSON
import UIFusionKit

/// What a stream of events was seen to do.
struct StreamObservation {
  /// What became of it while nothing was sent.
  enum Silence: Equatable {
    case heartbeat
    /// It was cut, so many seconds after the last thing came.
    case cut(after: Double)
    /// Neither came, in so many seconds.
    case nothing(within: Double)
    /// There is none: the session changes by itself.
    case never
    case notWaited
  }

  var head: MessageHead?
  /// How long after the request, less its handshakes; nil where it did not come in time.
  var firstEvent: Duration?
  /// How long events came behind the answers to the Inputs that they tell of.
  var delays: [Duration] = []
  /// How many of them did not come.
  var missing = 0
  var silence = Silence.notWaited
  var command = ""

  /// How long it may take until an event is there.
  static let firstLimit = Duration.seconds(2)
  static let limit = Duration.seconds(1)

  /// Opens a stream, sends Inputs, and then waits for its heartbeat.
  ///
  /// As many Inputs are sent as is asked for, where the session has one. The heartbeat is how long the stream
  /// may be silent, in seconds; nil does not wait for it.
  static func make(
    _ deployment: Deployment,
    _ session: TrialSession,
    _ request: CurlRequest,
    inputs: Int,
    heartbeat: Double? = nil
  ) async throws -> StreamObservation {
    let stream = try deployment.curl.stream(request)
    var observed = StreamObservation(command: stream.request.line)
    let measured = try await deployment.curl.log(deployment.request("/healthz")).measures.first
    let handshakes = measured.map { max($0.connected, $0.secured) } ?? 0
    let limit = firstLimit + .seconds(handshakes)
    let left = stream.started + limit - deployment.curl.time.now
    let first = try await stream.event(within: left)
    observed.head = stream.head
    guard let first else { return observed }
    observed.firstEvent = max(.zero, first.moment - stream.started - .seconds(handshakes))
    for _ in 0..<inputs where stream.silenceBeforeEnd == nil {
      try await observed.send(deployment, session, stream)
    }
    if let heartbeat {
      observed.silence = try await wait(for: heartbeat, stream, deployment)
    } else if let silence = stream.silenceBeforeEnd {
      observed.silence = .cut(after: silence.inSeconds)
    }
    return observed
  }

  /// Sends an Input, and takes the time until the stream tells of it.
  private mutating func send(
    _ deployment: Deployment,
    _ session: TrialSession,
    _ stream: EventReader
  ) async throws {
    guard let input = session.inputRequest(deployment.url) else { return }
    let before = try await Self.settled(deployment, session, stream)
    let answer = try await deployment.curl.run(input) { stream.read() }
    let answered = deployment.curl.time.now
    // An Input that changes nothing is no event.
    guard let version = answer.version, version > before ?? 0 else { return }
    if let event = try await stream.event(from: version, within: Self.limit) {
      delays.append(max(.zero, event.moment - answered))
    } else if stream.silenceBeforeEnd == nil {
      missing += 1
    }
  }

  /// Waits until the session has nothing at work, and gives its version.
  private static func settled(
    _ deployment: Deployment,
    _ session: TrialSession,
    _ stream: EventReader
  ) async throws -> Int? {
    let time = deployment.curl.time
    let deadline = time.now + .seconds(2)
    while true {
      let answer = try await deployment.curl.run(session.request(deployment.url)) { stream.read() }
      if answer.json?["settled"] != false || time.now >= deadline { return answer.version }
      try await time.sleep(for: .milliseconds(50))
    }
  }

  private static func wait(
    for heartbeat: Double,
    _ stream: EventReader,
    _ deployment: Deployment
  ) async throws -> Silence {
    // A tenth later than it is due at the latest, and the way takes time, too.
    let limit = heartbeat * 1.2
    deployment.tell("waiting up to \(Int(limit.rounded(.up))) s for a heartbeat …")
    defer { deployment.tell("") }
    let end = deployment.curl.time.now + .seconds(limit * 2)
    // What the session does by itself begins the silence anew.
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
