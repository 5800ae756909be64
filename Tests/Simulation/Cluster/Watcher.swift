import FusionHTTPMessages
import FusionSessions

/// Follows one session at any node, and reconnects elsewhere whenever its stream ends.
final class Watcher: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let world: ClusterWorld
  let session: SessionID
  /// The user's id, or nil for an anonymous watcher.
  let user: String?
  private(set) var last = 0
  private var stream: (any BodyStream)?
  private var isReading = false
  private(set) var hasLeft = false

  init(_ world: ClusterWorld, _ session: SessionID, user: String? = nil) {
    self.user = user
    self.world = world
    self.session = session
  }

  private var scheduler: Scheduler { world.scheduler }

  var isConnected: Bool { stream != nil }

  func connect() {
    guard stream == nil, !hasLeft else { return }
    let node = world.anyNode()
    var headers: HTTPHeaders = [:]
    if let user { headers.append("X-User", user) }
    if last > 0 { headers.append("Last-Event-ID", "\(last)") }
    world.ask(node, .get, "/sessions/\(session)/events", headers: headers) { [self] response in
      guard let node, let stream = response?.stream else { return comeBack() }
      open(stream, on: node)
    }
  }

  /// Leaves for good.
  func leave() {
    hasLeft = true
    if stream != nil { cut() }
  }

  private func comeBack() {
    scheduler.after(.milliseconds(50 + scheduler.below(500))) { [self] in connect() }
  }

  private func open(_ stream: any BodyStream, on node: SimulatedNode) {
    guard !hasLeft else { return }
    self.stream = stream
    node.atDeath { [weak self, weak stream] in
      if let self, let stream, self.stream === stream { cut() }
    }
    let wake: @Sendable () -> Void = { [weak self, weak stream] in
      guard let self, let stream, self.stream === stream else { return }
      self.wake()
    }
    stream.opened(wake: wake, cut: wake)
    self.wake()
  }

  private func wake() {
    guard !isReading else { return }
    isReading = true
    scheduler.soon { [self] in
      isReading = false
      read()
    }
  }

  private func read() {
    while let stream, scheduler.violation == nil {
      switch stream.next() {
      case .chunk(let chunk): receive(String(decoding: chunk.content, as: UTF8.self))
      case .finished, .failed: return cut()
      case .idle: return
      }
    }
  }

  private func cut() {
    stream?.closed()
    stream = nil
    comeBack()
  }

  private func receive(_ text: String) {
    guard text.contains("event: state") || text.contains("event:state"),
      let version = Bytes(Array(text.utf8)).version?.0
    else { return }
    scheduler.note(version, "a watcher of \(session.redacted) ← version \(version)")
    if version <= last {
      scheduler.fail(.streams, "a stream sends version \(version) after \(last)")
    }
    last = version
    let line = text.split(separator: "\n").first { $0.hasPrefix("data:") } ?? ""
    let state = stateText(in: String(line)).map { Array($0.utf8) }
    world.ledger.see(version, state, of: session, after: 0, in: "a stream")
  }
}
