import Testing
import UIFusionKit
import UIFusionTesting
import XCTest

// This target isolates its declarations to the main actor by default, as Xcode's new projects do.

// Types beside a view model, and functions that its effects call, are nonisolated.

nonisolated enum VoteInput { case vote }
nonisolated enum VoteAction { case count }
nonisolated struct VoteState: Equatable { var votes = 0 }

nonisolated protocol VoteViewModel: ViewModelProtocol
where Input == VoteInput, Action == VoteAction, State == VoteState {}

nonisolated func doubled(_ number: Int) -> Int { number * 2 }

// View models, and the types inside them, need no annotation.

final class DefaultVote: VoteViewModel {
  var state: State = .init()

  func transform(_ input: Input) -> [Action] { [.count] }

  func perform(_ action: Action) { state.votes += 1 }
}

struct Doubler: ReducerViewModel {
  enum Input { case double }
  enum Action: Equatable { case load, set(Int) }
  struct State: Equatable { var number = 1 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.load] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .load:
      return [.runAction { [number = state.number] in .set(doubled(number)) }]
    case .set(let number):
      state.number = number
      return []
    }
  }
}

final class SlowVote: AsyncViewModel {
  enum Input { case vote }
  enum Action { case count }
  struct State: Equatable { var votes = 0 }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Action] { [.count] }

  func perform(_ action: Action) async throws { try await count() }

  nonisolated(nonsending) private func count() async throws {
    try await time.sleep(for: .seconds(1))
    state.votes += 1
  }

  func handleError(_ error: SendableError) async {}
}

final class VoteReactor: AsyncReactor {
  enum Input { case vote }
  enum Mutation { case setVotes(Int) }
  struct State: Equatable { @Pulse var votes = 0 }

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation { .setVotes(currentState.votes + 1) }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .setVotes(let votes): state.votes = votes
    }
    return state
  }
}

/// A test case needs the isolation of its superclass.
nonisolated final class VoteCase: XCTestCase {
  func testAVoteCounts() async {
    let store = AsyncTestStore { _ in VoteReactor() }
    await store.send(.vote) { $0.votes = 1 }
    await store.finish()
  }
}

struct `A module with default isolation to the main actor` {
  @Test func `can have synchronous view models`() {
    let store = ObservableStore { _ in DefaultVote() }
    store.send(.vote)
    #expect(store.state.votes == 1)
  }

  @Test func `can have view models with effects`() async {
    let store = AsyncTestStore { _ in Doubler() }
    await store.send(.double)
    await store.receive(.set(2)) { $0.number = 2 }
    await store.finish()
  }

  @Test func `can have asynchronous view models`() async {
    let store = AsyncTestStore { SlowVote(time: $0.time) }
    await store.send(.vote)
    await store.advance(by: .seconds(1))
    await store.change { $0.votes = 1 }
    await store.finish()
  }
}
