/// The observable results of a program's run.
struct Outcome: Equatable, Sendable {
  /// The view model's turns, in order.
  var turns: [Timed<Turn>] = []
  /// The times at which it became settled or unsettled.
  var settled: [Timed<Bool>] = []
  /// The progress that the senders of each batch were told.
  var progress: [Int: [Timed<InputBatch>]] = [:]
  /// The work that was left after each operation.
  var left: [Left] = []

  struct Timed<Value: Equatable & Sendable>: Equatable, Sendable {
    let time: Int
    let value: Value
  }

  enum Turn: Equatable, Sendable {
    case input(Int)
    case action(Int, isSent: Bool)
    case error(Int)
    case state(PlainState, version: Int)
  }

  enum InputBatch: Equatable, Sendable {
    case processed(isSettled: Bool)
    case settled, closed
  }

  struct Left: Equatable, Sendable {
    /// The number of pieces of work that are running, including throttles' windows.
    var running: Int
    var queued: Int
    /// Whether nothing at all is left.
    var isIdle: Bool
  }
}

/// The State of every program; two actions of three change it.
struct PlainState: Equatable, Sendable {
  var count = 0
  var last = 0

  mutating func apply(_ action: Int) {
    guard action % 3 != 1 else { return }
    count += 1
    last = action
  }
}

// MARK: - Description

extension Outcome {
  /// Returns the first difference from another outcome, as text.
  func difference(from other: Outcome) -> String? {
    parting("turn", turns, other.turns)
      ?? parting("settled report", settled, other.settled)
      ?? (Set(progress.keys).union(other.progress.keys).sorted().lazy)
      .compactMap {
        parting("report to batch \($0)", progress[$0] ?? [], other.progress[$0] ?? [])
      }
      .first
      ?? parting("leftover", left, other.left)
  }
}

private func parting<Value: Equatable>(
  _ what: String,
  _ engine: [Value],
  _ reference: [Value]
) -> String? {
  guard engine != reference else { return nil }
  let same = zip(engine, reference).prefix { $0 == $1 }.count
  func text(_ values: [Value]) -> String {
    values.dropFirst(same).first.map { "\($0)" } ?? "nothing"
  }
  let before = engine.prefix(same).suffix(3).map { "  \($0)\n" }.joined()
  return """
    \(what) \(same) differs, after
    \(before)engine:    \(text(engine))
    reference: \(text(reference))
    """
}
