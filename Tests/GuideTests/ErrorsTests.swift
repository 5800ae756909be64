import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Errors.md.

enum AccountError: Error, Equatable, LocalizedError {
  case overdrawn(by: Int)

  var errorDescription: String? {
    switch self {
    case .overdrawn(let amount): "The account is \(amount) short."
    }
  }
}

final class Account: AsyncViewModel {
  enum Input: Codable, Sendable { case withdraw(Int), deposit(Int), move(Int) }
  enum Action: Sendable { case add(Int) }
  struct State: Codable, Equatable, Sendable {
    var balance = 0
    var problem: String?
  }

  var state = State()

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .withdraw(let amount): [.add(-amount)]
    case .deposit(let amount): [.add(amount)]
    case .move(let amount): [.add(-amount), .add(amount)]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .add(let amount):
      let balance = state.balance + amount
      guard balance >= 0 else { throw AccountError.overdrawn(by: -balance) }
      state.balance = balance
    }
  }

  func handleError(_ error: SendableError) async { state.problem = error.description }
}

/// Fetches a number, and shows an error in State.
struct NumberFetcher: ReducerViewModel {
  enum Input: Sendable { case fetch, fetchOrShow, refresh }
  enum EffectName { case fetch }
  enum Action: Equatable, Sendable {
    case fetch, fetchOrShow, refresh, fetched(Int), showProblem(String)
  }
  struct State: Equatable, Sendable {
    var number = 0
    var problem: String?
  }

  var state = State()
  let load: @Sendable () async throws -> Int

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .fetch: [.fetch]
    case .fetchOrShow: [.fetchOrShow]
    case .refresh: [.refresh]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .fetch:
      return [.runAction { [load] in .fetched(try await load()) }]
    case .refresh:
      return [.runAction(id: EffectName.fetch) { [load] in .fetched(try await load()) }]
    case .fetchOrShow:
      return [
        .runCatchingError(
          errorAction: { .showProblem("No number: \($0.description)") },
          operation: { [load] in .fetched(try await load()) }
        )
      ]
    case .fetched(let number): state.number = number
    case .showProblem(let text): state.problem = text
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] {
    if error.domain.hasSuffix("AccountError") { return [.showProblem("Ask the bank.")] }
    return [.showProblem(error.description)]
  }

  func handleError(_ error: SendableError, of effect: EffectID?) -> [Action] {
    effect == EffectID(EffectName.fetch) ? [.showProblem("Try again.")] : handleError(error)
  }
}

/// Fetches a number as a reactor does.
final class NumberReactor: AsyncReactor {
  enum Input: Sendable { case fetch }
  enum Mutation: Sendable { case setNumber(Int), setProblem(SendableError) }
  struct State: Equatable, Sendable {
    var number = 0
    var problem: String?
  }

  var currentState = State()
  private let load: @Sendable () async throws -> Int

  init(load: @escaping @Sendable () async throws -> Int) { self.load = load }

  func reduce(_ input: Input) async -> Mutation {
    do {
      return .setNumber(try await load())
    } catch {
      return .setProblem(SendableError(error))
    }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .setNumber(let number): state.number = number
    case .setProblem(let error): state.problem = error.description
    }
    return state
  }
}

struct `The guide on errors` {
  private let clock = TestClock()

  @Test func `shows the properties of an error`() {
    let error = SendableError(AccountError.overdrawn(by: 5))
    #expect(error.description == "The account is 5 short.")
    #expect(error.typeName == "AccountError")
    #expect(error.domain.hasSuffix(".AccountError"))
    #expect(error == SendableError(AccountError.overdrawn(by: 5)))
    #expect(SendableError(error) == error)
  }

  @Test func `shows which effect failed`() async {
    let store = AsyncTestStore { _ in NumberFetcher { throw AccountError.overdrawn(by: 1) } }
    await store.send(.refresh)
    await store.receiveError { $0.problem = "Try again." }
    await store.send(.fetch)
    await store.receiveError { $0.problem = "Ask the bank." }
    await store.finish()
  }

  @Test func `shows that an error ends only its action`() async {
    let store = AsyncTestStore { _ in Account() }
    await store.send(.deposit(10)) { $0.balance = 10 }
    await store.send(.move(20))
    let error = await store.receiveError { $0.problem = "The account is 10 short." }
    #expect(error?.typeName == "AccountError")
    await store.change { $0.balance = 30 }
    await store.finish()
  }

  @Test func `shows that an effect's error is handled once`() async {
    let store = Store(clock.dependencies) { _ in
      NumberFetcher { throw AccountError.overdrawn(by: 1) }
    }
    await store.send(.fetch).settled()
    #expect(store.state.problem == "Ask the bank.")
    await store.send(.fetchOrShow).settled()
    #expect(store.state.problem == "No number: The account is 1 short.")
  }

  @Test func `shows a reactor that catches errors itself`() async {
    let store = Store(clock.dependencies) { _ in
      NumberReactor { throw AccountError.overdrawn(by: 1) }
    }
    await store.send(.fetch).settled()
    #expect(store.state.problem == "The account is 1 short.")
  }

  @Test func `shows that cancellation is not an error`() async {
    let clock = clock
    let store = Store(clock.dependencies) { _ in
      NumberFetcher {
        try await clock.sleep(for: .seconds(1))
        return 1
      }
    }
    let sending = store.send(.fetch)
    await sending.cancel()
    await sending.settled()
    #expect(store.state == NumberFetcher.State())
    await clock.run()
    #expect(store.state == NumberFetcher.State())
  }
}
