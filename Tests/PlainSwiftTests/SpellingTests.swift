import Testing
import UIFusionKit
import UIFusionTesting

/// Implements optional requirements in their alternative spelling.
private struct Retrier: ReducerViewModel {
  enum Input { case load }
  enum Action: Equatable { case load, failed, again }
  struct State: Codable, Equatable { var log: [String] = [] }
  struct Offline: Error {}

  var state = State()

  func transform(_ input: Input) -> [Action] { [.load] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    state.log.append("\(action)")
    return action == .load ? [.run { _ in throw Offline() }] : []
  }

  func handleError(_ error: any Error) -> [Action] { [.failed] }
  func restored(interrupted: Interrupted) -> [Action] { interrupted.isEmpty ? [] : [.again] }
}

struct `An optional requirement in its alternative spelling` {
  @Test func `is called: handleError with any error`() async {
    let store = AsyncTestStore { _ in Retrier() }
    await store.send(.load) { $0.log = ["load"] }
    _ = await store.receiveError { $0.log.append("failed") }
    await store.finish()
  }

  @Test func `is called: restored with a label`() async throws {
    let store = try AsyncTestStore(
      restoring: Retrier.State(log: ["load"]),
      interrupted: Interrupted(ids: "load")
    ) { _ in Retrier() }
    await store.change { $0.log.append("again") }
    await store.finish()
  }
}
