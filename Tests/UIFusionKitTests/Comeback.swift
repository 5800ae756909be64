import Synchronization
import UIFusionKit
import UIFusionTesting

/// A view model that comes back from a store at version 7, with all that it lets be seen.
final class Comeback<Model: ViewModel>: Sendable where Model.Input == String {
  let clock = TestClock()
  let engine: Engine
  let gate = OpenGate()
  private let seen = Seen()

  private final class Seen: Sendable {
    let published = Mutex<[(state: Model.State, version: Int)]>([])
    let settled = Mutex<[Bool]>([])
  }

  init(from state: Model.State?, _ make: @Sendable (TestClock) -> Model) {
    engine = Engine(
      clock.dependencies,
      mailboxLimit: .max,
      gate: gate,
      resuming: state.map { Resumption($0, version: 7) },
      settled: { [seen] isSettled in seen.settled.withLock { $0.append(isSettled) } },
      published: { [seen] (state: Model.State, version) in
        seen.published.withLock { $0.append((state, version)) }
      },
      { [clock] in make(clock) }
    )
  }

  deinit { engine.close() }

  /// Tells it that an effect was interrupted, and waits until only time can bring something new.
  func resume(_ interrupted: Interrupted = Interrupted(ids: "job")) async {
    engine.prepare(interrupted)
    engine.resume()
    await clock.settle()
  }

  @discardableResult
  func send(_ input: String) -> Submission {
    engine.submit(Delivery([input]))
  }

  var states: [Model.State] { seen.published.withLock { $0.map(\.state) } }
  var versions: [Int] { seen.published.withLock { $0.map(\.version) } }
  var settled: [Bool] { seen.settled.withLock { $0 } }
}

/// Lets everything pass at once, and keeps what it was told to be running.
final class OpenGate: OutputGate {
  private let names = Mutex<[[String]]>([])

  /// What was running, for each State after the first.
  var announced: [[String]] { names.withLock { $0 } }

  func announce(running: [String]) {
    names.withLock { $0.append(running) }
  }

  func pass(_ body: @escaping @Sendable () -> Void) {
    body()
  }
}
