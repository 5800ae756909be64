import FusionSessions
import UIFusionKit

/// The replay of a session's recorded actions, compared with the stored States.
struct StateCheck {
  /// The number of versions that are the same.
  private(set) var agreeing = 0
  /// The versions that were not compared, with the reason; the check went on from the stored State.
  private(set) var skipped: [(version: Int, reason: String)] = []
  /// The members in which stored States differ from their current type.
  private(set) var changes = StateChanges()
  /// The faults of versions, in order; the check went on from the stored State.
  private(set) var faults: [Fault] = []

  struct Fault {
    let version: Int
    /// The trace of the version.
    let trace: [TraceLine]
    let kind: Kind

    enum Kind {
      case difference(StateDifference)
      /// Today's view model cannot read an action.
      case unknownAction([UInt8], String)
      /// Today's view model cannot read the stored State.
      case unreadableState(String)
    }
  }

  private let make: () throws -> any ReplayedViewModel
  private var model: any ReplayedViewModel
  /// The stored State before the next entry.
  private var before: (state: [UInt8], format: Int)?
  /// The reason why the next State cannot be compared.
  private var doubt: String?
  /// The sender of the last Input.
  private var sender: Identity?
  /// The id of the session that sent the last Input.
  private var session: String?

  /// Replays a history: `make` makes the view model, with the dependencies of the session.
  ///
  /// - Throws: ``NotReplayable``, or an error of the parameters.
  init(
    _ history: SessionHistory,
    _ dependencies: Dependencies,
    make: @escaping (Dependencies) throws -> any ReplayedViewModel
  ) async throws {
    var dependencies = dependencies.forReplay
    dependencies.sessionID = history.session.id.description
    dependencies.identity = history.session.identity
    self.make = { [dependencies] in try make(dependencies) }
    model = try make(dependencies)
    before = history.start.map { ($0.state, $0.format) }
    goOn(history.start?.version ?? 0, [])
    for step in history.steps { try await check(step) }
    changes.formUnion(model.changes)
  }

  private static let missing = "the State before it is no longer kept"
  private static let unreadable = "the State before it cannot be read"
  private static let unknown = "it has an action that is not known"
  private static let ambiguous =
    "several of its texts may be the id of the session that sent its Input"
  private static let secret =
    "an action held a secret or private value, which a trace does not keep"

  /// Goes on from the stored State, if that is known.
  private mutating func goOn(_ version: Int, _ trace: [TraceLine]) {
    guard let before else {
      doubt = Self.missing
      return
    }
    // Named as a fault of its own version.
    guard doubt != Self.unreadable else { return }
    doubt = nil
    do {
      try model.goOn(from: before.state, format: before.format)
    } catch {
      faults.append(Fault(version: version, trace: trace, kind: .unreadableState("\(error)")))
      doubt = Self.unreadable
    }
  }

  private mutating func check(_ step: SessionHistory.Step) async throws {
    for line in step.trace { try await redo(line, of: step) }
    // An entry without a State may be one of two that an answer separates.
    guard step.changesState else { return }
    let previous = before
    before = step.state.map { ($0, step.format) }
    guard let state = step.state else {
      skip(step, "its State is a patch to one that is no longer kept")
      return doubt = Self.missing
    }
    do {
      try compare(step, state, after: previous?.state)
      doubt = nil
    } catch {
      note(step, .unreadableState("\(error)"))
      doubt = Self.unreadable
    }
  }

  private mutating func compare(
    _ step: SessionHistory.Step,
    _ state: [UInt8],
    after previous: [UInt8]?
  ) throws {
    if let doubt {
      try model.goOn(from: state, format: step.format)
      return skip(step, doubt)
    }
    if let difference = try model.difference(from: state, format: step.format) {
      if previous.map(containsSecret) == true {
        skip(step, "the State before it held a secret, which is not stored")
      } else {
        note(step, .difference(difference))
      }
    } else {
      agreeing += 1
    }
    try model.goOn(from: state, format: step.format)
  }

  private mutating func skip(_ step: SessionHistory.Step, _ reason: String) {
    guard faults.last?.version != step.entry.version else { return }
    skipped.append((step.entry.version, reason))
  }

  private mutating func note(_ step: SessionHistory.Step, _ kind: Fault.Kind) {
    faults.append(Fault(version: step.entry.version, trace: step.trace, kind: kind))
  }

  private mutating func redo(_ line: TraceLine, of step: SessionHistory.Step) async throws {
    switch line.content {
    // Not on a State that is another one than it should be: the view model may trap.
    case .action where [Self.unreadable, Self.unknown].contains(doubt): break
    case .action(let action):
      if containsSecret(action) { doubt = doubt ?? Self.secret }
      do {
        try await InputSender.$identity.withValue(line.isSent ? nil : sender) {
          try await InputSender.$session.withValue(line.isSent ? nil : session) {
            try await InputSender.$refusal.withValue(line.refusal) { try await model.redo(action) }
          }
        }
      } catch  where doubt == nil {
        note(step, .unknownAction(action, "\(error)"))
        doubt = Self.unknown
      } catch {
        // The next State is not compared anyway.
      }
    case .restored:
      (sender, session) = (nil, nil)
      // A restart loses what the view model kept beside its State.
      changes.formUnion(model.changes)
      model = try make()
      goOn(step.entry.version, step.trace)
    case .printedAction: doubt = doubt ?? "an action was recorded that was not Codable"
    case .recovered(let version, _): doubt = "it was taken back to version \(version)"
    case .cut: doubt = doubt ?? "its trace was too long to be kept"
    case .unknown: doubt = doubt ?? "its trace has a line that this version does not know"
    case .input:
      sender = line.sender
      session = nil
      if let start = line.from { session = sessionID(beginningWith: start, in: step) }
    // What an effect's error leads to has no sender.
    case .error: (sender, session) = (nil, nil)
    }
  }

  /// Returns the id of a session whose beginning a trace keeps, from the States before and after.
  ///
  /// If neither has it, the beginning stands for it, which is no session's id.
  private mutating func sessionID(
    beginningWith start: String,
    in step: SessionHistory.Step
  ) -> String {
    let texts = [before?.state, step.state].flatMap { state in
      (state ?? []).split(separator: UInt8(ascii: "\"")).lazy.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let ids = Set(texts.filter { SessionID($0)?.redacted == start })
    // A client may have sent a text that looks like the id.
    if ids.count > 1 { doubt = doubt ?? Self.ambiguous }
    return ids.first ?? start
  }
}

/// Whether a text contains the placeholder of a secret.
func containsSecret(_ text: [UInt8]) -> Bool {
  let dots = Array("\"\(hidden)\"".utf8)
  guard text.count >= dots.count else { return false }
  return (0...text.count - dots.count).contains { text[$0...].starts(with: dots) }
}

extension Dependencies {
  /// The dependencies of a replayed view model: without interceptors and topics, and with time that does not wait.
  var forReplay: Dependencies {
    var dependencies = self
    dependencies.interceptors = []
    dependencies.topics = Topics()
    dependencies.time = TimeWithoutWaiting(time: time)
    return dependencies
  }
}

/// A clock whose waits end at once.
private struct TimeWithoutWaiting: TimeSource {
  let time: any TimeSource

  var now: Duration { time.now }

  nonisolated(nonsending) func sleep(until deadline: Duration) async throws {}
}
