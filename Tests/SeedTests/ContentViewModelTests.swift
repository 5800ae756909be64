import Testing
import UIFusionKit
import UIFusionTesting

/// AsyncViewModel's counter, which stays a class.
final class ContentViewModel: ReducerViewModel {
  struct State: Equatable, Sendable {
    var count = 0
    var isLoading = false
  }
  var state: State

  private let time: any TimeSource
  private let random: RandomSource

  init(
    initialState: State = .init(),
    time: any TimeSource = .system,
    random: RandomSource = .system
  ) {
    self.state = initialState
    self.time = time
    self.random = random
  }

  enum Input: Sendable {
    case incrementButtonTapped
    case decrementButtonTapped
    case fetchButtonTapped
    case cancelButtonTapped
  }

  enum Action: Equatable, Sendable {
    case increment
    case decrement
    case setLoading(Bool)
    case setNumber(Int)
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .incrementButtonTapped: [.increment]
    case .decrementButtonTapped: [.decrement]
    case .fetchButtonTapped: [.setLoading(true)]
    case .cancelButtonTapped: [.setLoading(false)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increment:
      state.count += 1
      return []
    case .decrement:
      state.count -= 1
      return []
    case .setLoading(let isLoading):
      state.isLoading = isLoading
      if isLoading {
        return [
          .runAction(
            id: CancelID.fetch,
            operation: { [time, random] in
              try await time.sleep(for: .nanoseconds(1_000_000_000))
              return .setNumber(random.number(in: 1...100))
            }
          )
        ]
      }
      return [.cancel(id: CancelID.fetch)]
    case .setNumber(let number):
      state.count = number
      state.isLoading = false
      return []
    }
  }

  enum CancelID: Hashable, Sendable {
    case fetch
  }
}

struct `AsyncViewModel's counter` {
  private func store() -> AsyncTestStore<ContentViewModel> {
    AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
      ContentViewModel(time: $0.time, random: $0.random)
    }
  }

  @Test func `counts up and down at once`() async {
    let store = store()
    await store.send(.incrementButtonTapped) { $0.count = 1 }
    await store.send(.decrementButtonTapped) { $0.count = 0 }
    await store.finish()
  }

  @Test func `begins with a given State`() async {
    let store = AsyncTestStore { _ in ContentViewModel(initialState: .init(count: 7)) }
    await store.send(.incrementButtonTapped) { $0.count = 8 }
    await store.finish()
  }

  @Test func `fetches a number in a second`() async {
    let store = store()
    let number = RandomSource(seed: 1).number(in: 1...100)
    await store.send(.fetchButtonTapped) { $0.isLoading = true }
    await store.advance(by: .seconds(1))
    await store.receive(.setNumber(number)) {
      $0.count = number
      $0.isLoading = false
    }
    await store.finish()
  }

  @Test func `fetches nothing after the fetch was cancelled by its id`() async {
    let store = store()
    await store.send(.fetchButtonTapped) { $0.isLoading = true }
    await store.advance(by: .milliseconds(999))
    await store.send(.cancelButtonTapped) { $0.isLoading = false }
    await store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `restarts its fetch on a second request`() async {
    let store = store()
    await store.send(.fetchButtonTapped) { $0.isLoading = true }
    await store.advance(by: .milliseconds(999))
    await store.send(.fetchButtonTapped)
    await store.advance(by: .milliseconds(999))
    #expect(store.state.isLoading)
    await store.advance(by: .milliseconds(1))
    await store.receive(where: { if case .setNumber = $0 { true } else { false } }) {
      $0.count = RandomSource(seed: 1).number(in: 1...100)
      $0.isLoading = false
    }
    await store.finish()
  }
}
