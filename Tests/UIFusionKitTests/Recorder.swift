import Synchronization
import UIFusionKit
import UIFusionTesting

/// An engine on a test clock, with a record of everything that it publishes.
final class Recorder<Model: ViewModel>: Sendable where Model.State: Sendable {
  struct Published: Sendable {
    let state: Model.State
    let version: Int
  }

  let clock: TestClock
  let engine: Engine
  private let seen: Seen

  private final class Seen: Sendable {
    let published = Mutex<[Published]>([])
    let settled = Mutex<[Bool]>([])
    let progress = Mutex<[String]>([])
  }

  init(
    mailboxLimit: Int = .max,
    clock: TestClock = TestClock(),
    _ make: @Sendable (TestClock) -> Model
  ) {
    let seen = Seen()
    self.clock = clock
    self.seen = seen
    engine = Engine(
      clock.dependencies,
      mailboxLimit: mailboxLimit,
      settled: { isSettled in seen.settled.withLock { $0.append(isSettled) } },
      published: { (state: Model.State, version) in
        seen.published.withLock { $0.append(Published(state: state, version: version)) }
      },
      { make(clock) }
    )
  }

  var states: [Model.State] { seen.published.withLock { $0.map(\.state) } }
  var versions: [Int] { seen.published.withLock { $0.map(\.version) } }
  var settled: [Bool] { seen.settled.withLock { $0 } }
  /// The progress that senders were told, in order.
  var progress: [String] { seen.progress.withLock { $0 } }

  @discardableResult
  func send(
    _ inputs: Model.Input...,
    as name: String = "it",
    if condition: (@Sendable (Int) -> Bool)? = nil
  ) -> Submission {
    engine.submit(
      InputBatch(
        inputs,
        progress: { [seen] step in seen.progress.withLock { $0.append("\(name) \(step)") } },
        if: condition
      )
    )
  }
}
