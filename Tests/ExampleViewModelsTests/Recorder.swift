import FusionStrictJSON
import Synchronization
import UIFusionKit
import UIFusionTesting

/// A view model on a test clock, with a record of all that it publishes.
///
/// Each new entry is returned once: a test that reads after each step misses nothing, and notices unexpected
/// entries.
final class Recorder<Model: ViewModel>: Sendable where Model.State: Encodable {
  let clock: TestClock
  let engine: Engine
  private let seen = Seen()

  private final class Seen: Sendable {
    let states = Mutex<[Model.State]>([])
    let new = Mutex<(states: [Model.State], actions: [Model.Action])>(([], []))
    let isSettled = Mutex(true)
  }

  init(
    clock: TestClock = TestClock(),
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    let dependencies = Dependencies(
      time: clock,
      executor: clock.executor,
      random: RandomSource(seed: 1)
    )
    self.clock = clock
    engine = try Engine(
      dependencies,
      settled: { [seen] isSettled in seen.isSettled.withLock { $0 = isSettled } },
      published: { [seen] (state: Model.State, version) in
        seen.states.withLock { $0.append(state) }
        if version > 1 { seen.new.withLock { $0.states.append(state) } }
      },
      trace: { [seen] (event: TraceEvent<Model>) in
        if case .action(let action, _) = event { seen.new.withLock { $0.actions.append(action) } }
      },
      { try make(dependencies) }
    )
  }

  deinit { engine.close() }

  func send(_ inputs: Model.Input...) {
    _ = engine.submit(InputBatch(inputs))
  }

  /// The newest State.
  var state: Model.State { seen.states.withLock { $0[$0.endIndex - 1] } }

  /// Whether no work is left.
  var isSettled: Bool { seen.isSettled.withLock { $0 } }

  /// Returns the States published since the last call, without the initial State.
  func newStates() -> [Model.State] {
    seen.new.withLock { new in
      defer { new.states = [] }
      return new.states
    }
  }

  /// Returns the new States as the JSON that clients get.
  func newSnapshots() throws -> [String] {
    try newStates().map(json)
  }

  /// Returns the actions performed since the last call.
  func newActions() -> [Model.Action] {
    seen.new.withLock { new in
      defer { new.actions = [] }
      return new.actions
    }
  }
}

/// Returns a State as the JSON that clients get.
func json(_ state: some Encodable) throws -> String {
  String(decoding: try StrictJSON.encode(state), as: UTF8.self)
}

/// Returns a State as it is restored after a restart.
func restored<State: Codable>(_ state: State) throws -> State {
  try StrictJSON.decode(State.self, from: StrictJSON.encode(state))
}

/// Decodes Inputs from the JSON that clients send.
func inputs<Input: Decodable>(_ texts: String..., as type: Input.Type = Input.self) throws
  -> [Input]
{
  try texts.map { try JSONDocument(Array($0.utf8)).root.decodeInput(type) }
}
