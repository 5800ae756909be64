import FusionSessions

/// Does a session's recorded actions again, to see whether today's view model comes to the same States.
struct StateCheck {
  /// How many versions came out the same.
  private(set) var agreeing = 0
  /// The versions that could not be compared, and why; the check went on from the stored State.
  private(set) var skipped: [(version: Int, reason: String)] = []
  /// The members that stored States lack, and a fresh State supplies.
  private(set) var added: Set<String> = []
  /// Where it ended; nil where nothing differs.
  private(set) var fault: Fault?

  struct Fault {
    let version: Int
    /// What led to the version.
    let trace: [TraceLine]
    let kind: Kind

    enum Kind {
      case difference(ReplayedDifference)
      /// Today's view model cannot read an action.
      case unknownAction([UInt8], String)
      /// Today's view model cannot read the stored State.
      case unreadableState(String)
    }
  }

  private let make: () throws -> any ReplayedViewModel
  private var model: any ReplayedViewModel
  /// The stored State before what comes next.
  private var before: (state: [UInt8], format: Int)?
  /// Why the next State cannot be compared.
  private var doubt: String?

  /// Runs through all of a history, up to the first difference.
  ///
  /// - Throws: ``NotReplayable``, or what is wrong with the parameters.
  init(_ history: SessionHistory, make: @escaping () throws -> any ReplayedViewModel) async throws {
    self.make = make
    model = try make()
    before = history.start.map { ($0.state, $0.format) }
    goOn(history.start?.version ?? 0, [])
    for step in history.steps where fault == nil { try await check(step) }
    added.formUnion(model.added)
  }

  private static let missing = "the State before it is not kept any more"

  /// Goes on from the stored State, where that is known.
  private mutating func goOn(_ version: Int, _ trace: [TraceLine]) {
    guard let before else {
      doubt = Self.missing
      return
    }
    doubt = nil
    do {
      try model.goOn(from: before.state, format: before.format)
    } catch {
      fault = Fault(version: version, trace: trace, kind: .unreadableState("\(error)"))
    }
  }

  private mutating func check(_ step: SessionHistory.Step) async throws {
    for line in step.trace where fault == nil { try await redo(line, of: step) }
    guard fault == nil else { return }
    // What leads to no State may be cut in two by the entry of an answer.
    guard step.changesState else { return }
    if let state = step.state {
      do {
        try compare(step, state)
      } catch {
        stop(step, .unreadableState("\(error)"))
      }
    } else {
      skip(step, "its State is a patch to one that is not kept any more")
    }
    before = step.state.map { ($0, step.format) }
    doubt = before == nil ? Self.missing : nil
  }

  private mutating func compare(_ step: SessionHistory.Step, _ state: [UInt8]) throws {
    if let doubt {
      skip(step, doubt)
    } else if let difference = try model.difference(from: state, format: step.format) {
      guard before.map({ containsSecret($0.state) }) == true else {
        return stop(step, .difference(difference))
      }
      skip(step, "the State before it held a secret, which is not stored")
    } else {
      agreeing += 1
    }
    try model.goOn(from: state, format: step.format)
  }

  private mutating func skip(_ step: SessionHistory.Step, _ reason: String) {
    skipped.append((step.entry.version, reason))
  }

  private mutating func stop(_ step: SessionHistory.Step, _ kind: Fault.Kind) {
    fault = Fault(version: step.entry.version, trace: step.trace, kind: kind)
  }

  private mutating func redo(_ line: TraceLine, of step: SessionHistory.Step) async throws {
    switch line.content {
    case .action(let action):
      if containsSecret(action) { doubt = doubt ?? "an action held a secret, which is not stored" }
      do {
        try await model.redo(action)
      } catch  where doubt == nil {
        stop(step, .unknownAction(action, "\(error)"))
      } catch {
        // What is in doubt is not compared anyway.
      }
    case .restored:
      // What the view model kept beside its State was gone.
      added.formUnion(model.added)
      model = try make()
      goOn(step.entry.version, step.trace)
    case .printedAction: doubt = doubt ?? "an action was recorded that was not Codable"
    case .cut: doubt = doubt ?? "what led to it was too long to be kept"
    case .unknown: doubt = doubt ?? "something was recorded that is not known here"
    case .input, .error: break
    }
  }
}

/// Whether a text has a string in it that stands for a secret.
private func containsSecret(_ text: [UInt8]) -> Bool {
  let dots = Array(#""••••""#.utf8)
  guard text.count >= dots.count else { return false }
  return (0...text.count - dots.count).contains { text[$0...].starts(with: dots) }
}
