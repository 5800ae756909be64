import UIFusionKit

/// Generates random programs; the same seed generates the same programs.
///
/// **Ties.** If two effects act at the same instant, a concurrent pool may run either first. So each duration
/// is a different number of nanoseconds, and the reference reports when effects meet all the same (two sends
/// at one instant, or one action processed twice): such a program is discarded and the next one is generated.
/// Each remaining program has exactly one correct outcome.
struct ProgramGenerator {
  private var random: RandomSource
  private var usedTimes: Set<Int> = []
  private let ids = 3
  private var actions = 0

  init(seed: UInt64) {
    random = RandomSource(seed: seed)
  }

  /// Returns the next program with one correct outcome, and that outcome.
  mutating func next() -> (Program, Outcome) {
    while true {
      let program = draw()
      if let outcome = Reference.outcome(of: program) { return (program, outcome) }
    }
  }

  private mutating func draw() -> Program {
    usedTimes = []
    actions = number(4...10)
    var program = Program()
    program.reactions = (0..<actions).map { action in
      (0..<pick([0, 1, 1, 2, 2, 3, 3])).map { _ in tree(above: action, depth: 3) }
    }
    program.answers = (0..<actions).map { action in
      action + 1 < actions && chance(60) ? [number(action + 1...actions - 1)] : []
    }
    program.inputs = (0..<number(2...4)).map { _ in
      (0..<pick([1, 1, 1, 1, 2, 2, 0])).map { _ in number(0...max(0, actions / 2)) }
    }
    var batches = 0
    for _ in 0..<number(4...20) {
      switch number(0...9) {
      case 0...4:
        batches += 1
        let count = pick([1, 1, 1, 1, 2])
        program.operations.append(
          .send((0..<count).map { _ in number(0...program.inputs.count - 1) })
        )
      case 9 where batches > 0: program.operations.append(.cancel(number(0...batches - 1)))
      default: program.operations.append(.advance(time(upTo: 150)))
      }
    }
    return program
  }

  // MARK: Effects

  private mutating func tree(above action: Int, depth: Int) -> Tree {
    guard let next = target(above: action) else {
      return chance(50) ? .cancel(anyID()) : .run(script(above: action))
    }
    switch number(0...(depth > 0 ? 16 : 9)) {
    case 0: return .action(next)
    case 1...3: return .run(script(above: action))
    case 4: return .runAction(short(above: action))
    case 5: return .runCatchingError(short(above: action), errorAction: next)
    case 6, 7: return .cancel(anyID())
    case 8: return .sleepThen(id: someID(), time(upTo: 100), action: next)
    case 9: return chance(50) ? timer(sending: next) : .none
    case 10, 11: return .merge(trees(above: action, depth: depth - 1))
    case 12, 13: return .concurrent(trees(above: action, depth: depth - 1))
    case 14: return .debounce(id: anyID(), time(upTo: 60), tree(above: action, depth: depth - 1))
    default:
      let inner = tree(above: action, depth: depth - 1)
      return .throttle(id: anyID(), time(upTo: 120), latest: chance(70), inner)
    }
  }

  private mutating func trees(above action: Int, depth: Int) -> [Tree] {
    (0..<pick([0, 1, 2, 2, 3])).map { _ in tree(above: action, depth: depth) }
  }

  private mutating func timer(sending action: Int) -> Tree {
    .timer(id: anyID(), every: 20_000_000 + time(upTo: 100), policy(), action: action)
  }

  private mutating func script(above action: Int) -> Tree.Script {
    var script = Tree.Script(id: someID(), policy: policy(), steps: [])
    script.isBackground = chance(12)
    script.ignoresCancellation = chance(40)
    if chance(85) { script.steps.append(.sleep(time(upTo: 100))) }
    for _ in 0..<pick([0, 1, 1, 2, 3]) {
      if let next = target(above: action) { script.steps.append(.send(next)) }
      if chance(60) { script.steps.append(.sleep(time(upTo: 100))) }
    }
    if chance(25) { script.steps.append(chance(75) ? .fail(action) : .quit) }
    return script
  }

  /// Returns work that ends with one action: it may sleep, and then sends or throws.
  private mutating func short(above action: Int) -> Tree.Script {
    var script = Tree.Script(id: someID(), policy: policy(), steps: [])
    if chance(85) { script.steps.append(.sleep(time(upTo: 100))) }
    if let next = target(above: action), chance(65) {
      script.steps.append(.send(next))
    } else {
      script.steps.append(chance(80) ? .fail(action) : .quit)
    }
    return script
  }

  private mutating func policy() -> EffectPolicy {
    pick([.replace, .replace, .keep, .queue(limit: 0), .queue(limit: 1), .queue(limit: 3)])
  }

  // MARK: Draws

  private mutating func target(above action: Int) -> Int? {
    action + 1 < actions ? number(action + 1...min(action + 3, actions - 1)) : nil
  }

  private mutating func anyID() -> Int { number(0...ids - 1) }

  private mutating func someID() -> Int? { chance(75) ? anyID() : nil }

  /// Returns a number of nanoseconds, none twice within a program.
  private mutating func time(upTo milliseconds: Int) -> Int {
    while true {
      let time = number(1...milliseconds * 1_000_000)
      if usedTimes.insert(time).inserted { return time }
    }
  }

  private func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  private func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

  private func number(_ range: ClosedRange<Int>) -> Int { random.number(in: range) }
}
