import Synchronization

/// A run of a type's `init(from:)` with invented values, which the type may not survive: it may trap, exit, or
/// never return.
///
/// A service runs trials in child processes, which its ``Start`` starts. A program without one runs them itself.
package enum Trial {
  /// Starts a child process that runs a body; returns nil if there can be none.
  package typealias Start = @Sendable (_ body: (Child) -> Void) -> Finish?
  /// Waits for the child's end.
  package typealias Finish = @Sendable () -> Outcome

  /// The ways in which a child tells its parent something.
  package struct Child: Sendable {
    /// Notes the type whose code runs now.
    let note: @Sendable (String) -> Void
    package let report: @Sendable (String) -> Void

    package init(
      note: @escaping @Sendable (String) -> Void,
      report: @escaping @Sendable (String) -> Void
    ) {
      (self.note, self.report) = (note, report)
    }
  }

  package struct Outcome: Sendable {
    let lines: [String]
    let ending: Ending

    package init(_ lines: [String], _ ending: Ending) {
      (self.lines, self.ending) = (lines, ending)
    }
  }

  package enum Ending: Sendable {
    case finished
    case ended(by: String)
    /// The child waited for something that did not come.
    case stuck(in: String)
  }

  private struct State {
    var start: Start?
    /// Non-nil in a child.
    var child: Child?
    var running = ""
    /// The names of the types that ended a trial.
    var refused: Set<String> = []
    /// Whether enums are read by cases, by their names.
    var verdicts: [String: Bool] = [:]
  }

  private static let state = Mutex(State())
  /// The number of children that may get stuck in the code of a type before it is refused.
  private static let retries = 9
  /// The number of children that the code of a type may end before it is refused.
  private static let endings = 1

  /// Runs all trials in child processes from now on.
  package static func separate(by start: @escaping Start) {
    state.withLock { $0.start = start }
  }

  /// Whether trials run in this process.
  package static var isHere: Bool { state.withLock { $0.start == nil || $0.child != nil } }

  /// Returns whether the type ended a trial.
  package static func isRefused(_ type: Any.Type) -> Bool {
    state.withLock { $0.refused.contains(_typeName(type)) }
  }

  /// Starts a child that runs the body.
  package static func start(_ body: () -> Void) -> Finish? {
    state.withLock { $0.start }? { child in
      state.withLock { $0.child = child }
      body()
    }
  }

  /// Runs a body in one child after another, until it comes to its end, or no child can.
  ///
  /// A type that ends a child is refused, and must not be tried again by the next one.
  ///
  /// - Parameters:
  ///   - body: the trials, without those whose reports were taken.
  ///   - first: a child that has started already.
  ///   - take: receives the reports of each child.
  /// - Returns: false if there can be no child.
  @discardableResult
  package static func run(
    _ body: () -> Void,
    after first: Finish? = nil,
    take: (String) -> Void = { _ in }
  ) -> Bool {
    var stuck: [String: Int] = [:]
    var ended: [String: Int] = [:]
    var refused: Set<String> = []
    var next = first ?? start(body)
    guard next != nil else { return false }
    while let outcome = next?() {
      for line in outcome.lines where !learn(from: line) { take(line) }
      switch outcome.ending {
      case .finished: return true
      // Another thread may have held a lock when the process was forked, for which a child waits for ever, spins or
      // traps: the next child has another chance.
      case .stuck(let type) where stuck[type, default: 0] < retries:
        stuck[type, default: 0] += 1
      case .ended(let type) where ended[type, default: 0] < endings:
        ended[type, default: 0] += 1
      case .stuck(let type), .ended(let type):
        state.withLock { _ = $0.refused.insert(type) }
        guard refused.insert(type).inserted else { return true }
      }
      next = start(body)
    }
    return true
  }

  /// Runs code of a type, which is refused if that ends the process.
  package static func running<Result>(_ type: Any.Type, _ body: () throws -> Result) rethrows
    -> Result
  {
    guard let child = state.withLock({ $0.child }) else { return try body() }
    let outer = swap(_typeName(type), child)
    defer { _ = swap(outer, child) }
    return try body()
  }

  private static func swap(_ name: String, _ child: Child) -> String {
    child.note(name)
    return state.withLock { state in
      defer { state.running = name }
      return state.running
    }
  }

  /// Reports a line to the parent.
  package static func report(_ line: String) {
    state.withLock { $0.child }?.report(line)
  }

  // MARK: Verdicts

  /// The first letters of a line that has a verdict on an enum.
  private static let marks = (yes: "+", no: "-")

  /// Returns whether an enum is read by cases, by a function that runs its code.
  static func verdict(on type: Any.Type, _ judge: () -> Bool) -> Bool {
    let name = _typeName(type)
    func known() -> Bool? {
      state.withLock { $0.refused.contains(name) ? false : $0.verdicts[name] }
    }
    func find() -> Bool {
      let verdict = running(type, judge)
      report((verdict ? marks.yes : marks.no) + name)
      state.withLock { $0.verdicts[name] = verdict }
      return verdict
    }
    if let known = known() { return known }
    if isHere { return find() }
    // Where there can be no child process, ordinary enums have to be read nevertheless.
    return run({ _ = find() }) ? known() ?? false : find()
  }

  private static func learn(from line: String) -> Bool {
    guard line.hasPrefix(marks.yes) || line.hasPrefix(marks.no) else { return false }
    state.withLock { $0.verdicts[String(line.dropFirst())] = line.hasPrefix(marks.yes) }
    return true
  }
}
