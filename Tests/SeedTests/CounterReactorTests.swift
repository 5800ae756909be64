import Testing
import UIFusionKit
import UIFusionTesting
import XCTest

/// AsyncReactorKit's counter.
final class CounterReactor: AsyncReactor {
  enum Input {
    case increment
    case decrement
    case reset
  }

  enum Mutation {
    case setCount(Int)
  }

  struct State: Equatable, Sendable {
    @Pulse var count: Int = 0
    @Pulse var message: String?
  }

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .increment:
      return .setCount(currentState.count + 1)
    case .decrement:
      return .setCount(currentState.count - 1)
    case .reset:
      return .setCount(0)
    }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var newState = state
    switch mutation {
    case .setCount(let count):
      newState.count = count
      newState.message = "The count is now \(count)"
    }
    return newState
  }
}

/// AsyncReactorKit's own test.
final class CounterReactorCase: XCTestCase {
  func testIncrement() async {
    let reactor = CounterReactor()
    let stub = Stub(reactor: reactor)

    let newState = await stub.test(input: .increment)

    XCTAssertEqual(newState.count, 1)
  }
}

struct `AsyncReactorKit's counter` {
  @Test func `counts, and announces each change`() async {
    let store = AsyncTestStore { _ in CounterReactor() }
    await store.send(.increment) {
      $0.count = 1
      $0.message = "The count is now 1"
    }
    await store.send(.decrement) {
      $0.count = 0
      $0.message = "The count is now 0"
    }
    await store.send(.reset) {
      $0.count = 0
      $0.message = "The count is now 0"
    }
    await store.finish()
  }
}
