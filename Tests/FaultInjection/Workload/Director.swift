/// A thread's work: injects and ends faults at random.
struct Director: Sendable {
  private var generator: Generator

  init(_ generator: Generator) { self.generator = generator }

  /// Injects faults until the round is over; the last fault may remain.
  mutating func run(in round: Round) {
    while !round.isOver {
      round.service.inject(nil)
      round.pass(answers: .random(in: 5...40, using: &generator), milliseconds: 200)
      guard !round.isOver else { return }
      round.service.inject(.random(using: &generator))
      round.pass(answers: .random(in: 3...40, using: &generator), milliseconds: 50)
    }
  }
}
