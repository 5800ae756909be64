import Synchronization
import UIFusionTesting

@testable import UIFusionKit

/// A program's run on a real engine.
final class ProgramRun {
  /// The outcome, and a violation.
  struct Result {
    let outcome: Outcome
    /// The objects that outlived the engine's close, or nil.
    let survivor: String?
  }

  private final class Log: Sendable {
    let outcome = Mutex(Outcome())
    let clock: TestClock

    init(_ clock: TestClock) { self.clock = clock }

    var now: Int { Int(clock.now / .nanoseconds(1)) }

    func add(_ event: TraceEvent<Performer>) {
      let turn: Outcome.Turn
      switch event {
      case .input(let input): turn = .input(input)
      case .action(let action, let isSent): turn = .action(action, isSent: isSent)
      case .state(let state, _, let version): turn = .state(state, version: version)
      case .error(let error): turn = .error(error.code)
      case .effect, .ended: return
      }
      let time = now
      outcome.withLock { $0.turns.append(.init(time: time, value: turn)) }
    }

    func add(settled: Bool) {
      let time = now
      outcome.withLock { $0.settled.append(.init(time: time, value: settled)) }
    }

    func add(_ progress: InputBatch.Progress, for batch: Int) {
      let time = now
      let word: Outcome.InputBatch =
        switch progress {
        case .processed(let isSettled): .processed(isSettled: isSettled)
        case .settled: .settled
        case .abandoned, .closed, .refused, .rejected: .closed
        }
      outcome.withLock {
        $0.progress[batch, default: []].append(.init(time: time, value: word))
      }
    }
  }

  private let program: Program
  private let clock = TestClock()
  private let log: Log
  private let freed = Flag()
  private let engine: Engine
  private var batches: [InputBatch] = []

  init(_ program: Program) {
    self.program = program
    let log = Log(clock)
    self.log = log
    let (clock, freed) = (clock, freed)
    engine = Engine(
      clock.dependencies,
      settled: { log.add(settled: $0) },
      published: { (_: PlainState, _) in },
      trace: { log.add($0) },
      { Performer(program, clock, freed.set) }
    )
  }

  func result() async -> Result {
    for operation in program.operations {
      switch operation {
      case .send(let inputs):
        let number = batches.count
        let batch = InputBatch(inputs, progress: { [log] in log.add($0, for: number) })
        batches.append(batch)
        _ = engine.submit(batch)
      case .advance(let time): await clock.advance(by: .nanoseconds(time))
      case .cancel(let number): await engine.cancel(batches[number])
      }
      await clock.idle()
      let left = await engine.left
      log.outcome.withLock { $0.left.append(left) }
    }
    return await closed()
  }

  /// Closes the engine, and checks that it stays idle and is freed.
  private func closed() async -> Result {
    let settled = log.outcome.withLock { $0.settled }
    engine.close()
    await clock.idle()
    var outcome = log.outcome.withLock { $0 }
    // By then the work that ignores cancellation has woken up, too.
    await clock.advance(by: .seconds(10))
    let after = log.outcome.withLock { $0 }
    var survivor: String?
    if after.turns != outcome.turns || after.progress != outcome.progress { survivor = "a turn" }
    if clock.sleepers > 0 { survivor = "\(clock.sleepers) sleepers" }
    if !freed.isSet { survivor = "the view model" }
    // No observer is left: what the engine reports about settling does not matter.
    outcome.settled = settled
    return Result(outcome: outcome, survivor: survivor)
  }
}

extension Engine {
  /// The work that is left, as an outcome describes it.
  fileprivate var left: Outcome.Left {
    Outcome.Left(
      running: tasks.count,
      queued: graph.queues.values.map(\.count).reduce(0, +),
      isIdle: graph.isIdle()
    )
  }
}
