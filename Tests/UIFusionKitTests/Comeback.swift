import Synchronization
import UIFusionKit
import UIFusionTesting

/// A view model that is restored from a store at version 7, with a record of all that it publishes.
final class Comeback<Model: ViewModel>: Sendable where Model.Input == String {
  let clock = TestClock()
  let engine: Engine
  let committer: Committer<Model.State>

  init(from state: Model.State?, _ make: @Sendable (TestClock) -> Model) {
    committer = Committer()
    engine = Engine(
      clock.dependencies,
      committer: committer,
      resuming: state.map { ResumePoint($0, version: 7) },
      render: { StateValue($0) },
      record: { event in
        if case .action(let action, isSent: _) = event { Array("\(action)".utf8) } else { nil }
      },
      { [clock] in make(clock) }
    )
  }

  deinit { engine.close() }

  /// Tells the view model that effects were interrupted, and runs everything that needs no passing of time.
  func resume(_ interrupted: Interrupted = Interrupted(ids: "job")) async {
    engine.prepare(.restored(interrupted))
    engine.resume()
    await clock.idle()
  }

  @discardableResult
  func send(_ input: String) -> Submission {
    engine.submit(InputBatch([input]))
  }

  var states: [Model.State] { committer.seen.withLock { $0.states } }
  var versions: [Int] { committer.seen.withLock { $0.versions } }
  var settled: [Bool] { committer.seen.withLock { $0.settled } }
  /// The actions in the trace of each version but the first.
  var traces: [[String]] { committer.seen.withLock { $0.traces } }
  /// The names of the running effects, for each result that is stored.
  var running: [[String]] { committer.seen.withLock { $0.running } }
}

/// Releases every result at once, and records it; reports a full log while the test says so.
final class Committer<State: Sendable>: TurnCommitter {
  struct Seen {
    var states: [State] = []
    var versions: [Int] = []
    var settled: [Bool] = []
    var traces: [[String]] = []
    var running: [[String]] = []
  }

  let seen = Mutex(Seen())
  private let full = Atomic(false)

  var isFull: Bool {
    get { full.load(ordering: .acquiring) }
    set { full.store(newValue, ordering: .releasing) }
  }

  func begin(with state: any RenderedState, version: Int) {
    add(state, version)
  }

  func commit(_ result: consuming TurnResult) {
    if let state = result.state {
      add(state, result.version)
      let trace = String(decoding: result.trace, as: UTF8.self)
      seen.withLock { $0.traces.append(trace.split(separator: "\n").map(String.init)) }
    }
    seen.withLock { seen in
      if let isSettled = result.isSettled { seen.settled.append(isSettled) }
      if result.isStored { seen.running.append(result.running) }
    }
    result.release()
  }

  private func add(_ state: any RenderedState, _ version: Int) {
    guard let state = state as? StateValue<State> else { return }
    seen.withLock { seen in
      seen.states.append(state.value)
      seen.versions.append(version)
    }
  }
}
