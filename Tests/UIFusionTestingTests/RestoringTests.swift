import Testing
import UIFusionKit
import UIFusionTesting

struct `A test store for a restored view model` {
  enum Job { case load }

  struct Loader: ReducerViewModel {
    enum Input { case load }
    enum Action: Equatable { case load, loaded(Int) }
    struct State: Codable, Equatable, Sendable {
      var number = 0
      var isLoading = false
      @Secret var key = ""
      var hidden = 0
      enum CodingKeys: CodingKey { case number, isLoading, key }
    }
    struct Refused: Error {}

    var state = State(number: 5)

    func restored(_ interrupted: Interrupted) -> [Action] {
      guard state.isLoading else { return [] }
      return interrupted.contains(Job.load) ? [.load] : [.loaded(-1)]
    }

    func transform(_ input: Input) -> [Action] { [.load] }

    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .load:
        state.isLoading = true
        return [.sleepThen(id: Job.load, for: .seconds(1), action: .loaded(7))]
      case .loaded(let number):
        state.number = number
        state.isLoading = false
        return []
      }
    }
  }

  final class Worker: AsyncViewModel {
    enum Input { case work }
    typealias Action = Input
    struct State: Codable, Equatable, Sendable { var isWorking = false }
    var state = State()
    func restored(_ interrupted: Interrupted) -> [Action] { state.isWorking ? [.work] : [] }
    func transform(_ input: Input) async -> [Action] { [input] }
    func perform(_ action: Action) async throws { state.isWorking = false }
    func handleError(_ error: SendableError) async {}
  }

  @Test func `begins with the given State`() async throws {
    let store = try AsyncTestStore(restoring: Loader.State(number: 1)) { _ in Loader() }
    #expect(store.state == Loader.State(number: 1))
    await store.finish()
  }

  @Test func `begins with only the stored members of the given State`() async throws {
    var state = Loader.State(number: 1, hidden: 3)
    state.key = "swordfish"
    let store = try AsyncTestStore(restoring: state) { _ in Loader() }
    #expect(store.state == Loader.State(number: 1))
    await store.finish()
  }

  @Test func `tells the view model what was interrupted, and receives the actions that follow`()
    async throws
  {
    let store = try AsyncTestStore(
      restoring: Loader.State(isLoading: true),
      interrupted: Interrupted(ids: Job.load)
    ) { _ in Loader() }
    await store.advance(by: .seconds(1))
    await store.receive(.loaded(7)) {
      $0.number = 7
      $0.isLoading = false
    }
    await store.finish()
  }

  @Test func `expects the first actions as a change`() async throws {
    let store = try AsyncTestStore(restoring: Loader.State(isLoading: true)) { _ in Loader() }
    await store.change {
      $0.number = -1
      $0.isLoading = false
    }
    await store.finish()
    let worker = try AsyncTestStore(restoring: Worker.State(isWorking: true)) { _ in Worker() }
    await worker.change { $0.isWorking = false }
    await worker.finish()
  }

  @Test func `reports a change that the test did not expect`() async throws {
    try await withKnownIssue {
      let store = try AsyncTestStore(restoring: Loader.State(isLoading: true)) { _ in Loader() }
      await store.finish()
    } matching: {
      "\($0)".contains("Not everything was looked at")
    }
  }

  @Test func `reports a restarted effect that is still running at the end`() async throws {
    try await withKnownIssue {
      let store = try AsyncTestStore(
        restoring: Loader.State(isLoading: true),
        interrupted: Interrupted(ids: Job.load)
      ) { _ in Loader() }
      await store.finish()
    } matching: {
      "\($0)".contains("Still running at the end of the test: the effect load")
    }
  }

  @Test func `throws the error of creating the view model`() {
    #expect(throws: Loader.Refused.self) {
      _ = try AsyncTestStore(restoring: Loader.State()) { _ -> Loader in throw Loader.Refused() }
    }
  }

  @Test func `creates a stored State for migrate from JSON`() throws {
    let stored = try StoredState(json: #"{"number":3,"isLoading":false,"key":"••••"}"#)
    #expect(try stored.decode(Loader.State.self) == Loader.State(number: 3))
    #expect(throws: (any Error).self) { try StoredState(json: "{") }
    #expect(throws: StoredState.UnknownFormat.self) { try Loader.migrate(stored, from: 2) }
  }
}
