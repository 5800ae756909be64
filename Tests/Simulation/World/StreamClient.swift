import FusionHTTPMessages
import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

/// A client that follows sessions, reconnects whenever its stream ends, and resumes from its last event id.
final class StreamClient: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let world: World
  let sessions: [SessionRecord]
  private let isPatching: Bool
  private let isOfSeveral: Bool
  private(set) var last: [SessionID: Int] = [:]
  private(set) var ended: Set<SessionID> = []
  private var lastEventID: String?
  private var stream: (any BodyStream)?
  private var deathWatch: (service: Service, number: Int)?
  /// The version of each session that this stream sent last, from which a patch begins.
  private var base: [SessionID: Int] = [:]
  private var isReading = false
  private var isLeaving = false

  init(_ world: World, _ sessions: [SessionRecord]) {
    self.world = world
    self.sessions = sessions
    isPatching = world.scheduler.chance(50)
    isOfSeveral = sessions.count > 1 || world.scheduler.chance(20)
  }

  private var scheduler: Scheduler { world.scheduler }

  var isConnected: Bool { stream != nil }
  /// Whether no followed session is left.
  var isOver: Bool { sessions.allSatisfy { ended.contains($0.id) || $0.isOver } }

  private var path: String {
    let format = isPatching ? "format=patch" : ""
    guard isOfSeveral else { return "\(sessions[0].path)/events?\(format)" }
    // A stream of several sessions is refused if one of them is unknown.
    let known = sessions.filter { !$0.isForgotten || isOver }
    return "/events?" + known.map { "session=\($0.id)" }.joined(separator: "&") + "&\(format)"
  }

  func connect() {
    guard !isLeaving, stream == nil else { return }
    let headers: HTTPHeaders = lastEventID.map { ["Last-Event-ID": $0] } ?? [:]
    let exchange = world.ask(.get, path, headers: headers, for: .follow(sessions)) {
      [self] response, verdict in
      if let stream = response?.stream, let service = world.service {
        open(stream, service)
      } else if verdict != .over {
        comeBack()
      }
    }
    if exchange == nil { comeBack() }
  }

  private func comeBack() {
    scheduler.after(.milliseconds(50 + scheduler.below(700))) { [self] in connect() }
  }

  private func open(_ stream: any BodyStream, _ service: Service) {
    self.stream = stream
    base = [:]
    deathWatch = (service, service.atDeath { [self] in cut() })
    for session in sessions { session.streams += 1 }
    // A stream that asks to be cut is read once more, as a server does.
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
    if world.isUnruly, scheduler.chance(30) {
      scheduler.after(scheduler.duration(upTo: .milliseconds(400))) { [self] in read() }
    } else {
      scheduler.soon { [self] in read() }
    }
  }

  private func read() {
    isReading = false
    guard let stream else { return }
    while scheduler.violation == nil {
      switch stream.next() {
      case .chunk(let chunk): receive(String(decoding: chunk.content, as: UTF8.self))
      case .finished, .failed: return cut()
      case .idle:
        if world.isUnruly, scheduler.chance(4) { cut() }
        return
      }
    }
  }

  /// Ends the connection, from either side.
  private func cut() {
    guard let stream else { return }
    self.stream = nil
    stream.closed()
    for session in sessions { session.streams -= 1 }
    if let (service, number) = deathWatch {
      service.stopWatching(number)
      for session in sessions where !service.isDead {
        world.use(session, in: service, since: scheduler.now)
      }
    }
    deathWatch = nil
    if !isOver { comeBack() }
  }

  /// Ends the connection, and does not reconnect.
  func leave() {
    isLeaving = true
    cut()
  }

  // MARK: Events

  private func receive(_ text: String) {
    var fields: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1].dropFirst() }
    }
    guard let data = fields["data"] else { return }
    scheduler.note(
      data.utf8.count,
      "\(path) ← \(text.split(separator: "\n").joined(separator: " | "))"
    )
    guard let root = try? JSONDocument(Array(data.utf8)).root else {
      return scheduler.fail(.contract, "a stream sends malformed JSON: \(text)")
    }
    let id = root["session"]?.string.flatMap { SessionID($0) } ?? sessions[0].id
    // A reconnecting client is told again of ended sessions.
    guard let session = sessions.first(where: { $0.id == id }),
      !ended.contains(id) || fields["event"] == "end"
    else {
      return scheduler.fail(
        .ended,
        "a stream sends an event of a session that it does not follow or that has ended"
      )
    }
    if let event = fields["id"] { lastEventID = String(event) }
    switch fields["event"] {
    case "state": show(Bytes(Array(data.utf8)), root, of: session)
    case "patch": patch(root, of: session)
    default: end(session)
    }
  }

  private func show(_ data: Bytes, _ root: JSONValue, of session: SessionRecord) {
    guard let (version, rest) = data.version else {
      return scheduler.fail(.contract, "an event without version")
    }
    advance(to: version, of: session)
    world.judge.see(version, rest, of: session, in: "a stream")
  }

  private func patch(_ root: JSONValue, of session: SessionRecord) {
    guard let from = try? root["from"]?.decode(Int.self),
      let version = try? root["version"]?.decode(Int.self), from == base[session.id]
    else { return scheduler.fail(.streams, "a patch to a version that its stream has not sent") }
    advance(to: version, of: session)
    world.judge.see(version, nil, of: session, in: "a stream")
    let states = world.store.history.sessions[session.id]?.states
    guard let old = states?[from], let new = states?[version], let text = patchText(old, new),
      let sent = root["patch"]?.text, sent == text
    else {
      return scheduler.fail(.acknowledged, "a patch does not change version \(from) to \(version)")
    }
  }

  private func patchText(_ old: [UInt8], _ new: [UInt8]) -> [UInt8]? {
    guard let old = try? JSONDocument(old), let new = try? JSONDocument(new) else { return nil }
    return JSONPatch.text(from: old.root, to: new.root)
  }

  private func advance(to version: Int, of session: SessionRecord) {
    let known = last[session.id] ?? 0
    if version <= known {
      let isRestored = version == known && session.restoredVersions.contains(version)
      scheduler.fail(
        isRestored ? .streamsAfterRestoring : .streams,
        "a stream sends version \(version) after \(known)"
      )
    }
    if let base = base[session.id] { judgePulses(after: base, before: version, of: session) }
    last[session.id] = version
    base[session.id] = version
  }

  /// Checks that no snapshot with a new Pulse is skipped.
  private func judgePulses(after old: Int, before version: Int, of session: SessionRecord) {
    guard let record = world.store.history.sessions[session.id] else { return }
    let skipped = record.versions.first {
      old < $0 && $0 < version && record.hasNewPulse(in: $0)
    }
    let restored = skipped.flatMap { version in
      session.restoredVersions.first { $0 >= version }
    }
    if let skipped, restored.map({ $0 == skipped }) != false {
      scheduler.fail(
        restored == nil ? .pulses : .streamsAfterRestoring,
        "a stream skips version \(skipped), in which a Pulse was assigned"
      )
    }
    if version < record.version, record.hasNewPulse(in: version) {
      scheduler.coverage.add(.pulseKept)
    }
  }

  private func end(_ session: SessionRecord) {
    if world.store.history.sessions[session.id]?.end == nil {
      scheduler.fail(.ended, "a stream reports the end of a session that is still stored")
    }
    ended.insert(session.id)
    session.isOver = true
  }
}

extension JSONValue {
  fileprivate var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }
}
