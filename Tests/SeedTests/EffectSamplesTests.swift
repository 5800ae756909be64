import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

/// The effects in AsyncViewModel's README, each with an Input of its own.
private struct Effects: ReducerViewModel {
  enum Input { case number, cancel, merge, concurrent, fail }
  enum Action: Equatable { case perform(Input), setNumber(Int), setError(String) }
  struct State: Equatable {
    var numbers: [Int] = []
    var error: String?
  }

  var state = State()
  let time: any TimeSource
  let random: RandomSource

  func transform(_ input: Input) -> [Action] { [.perform(input)] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .perform(let input): return effects(of: input)
    case .setNumber(let number): state.numbers.append(number)
    case .setError(let text): state.error = text
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] {
    [.setError("\(error.localizedDescription) (\(error.domain), \(error.code))")]
  }

  private func effects(of input: Input) -> [AsyncEffect<Action>] {
    switch input {
    case .number:
      [
        .runAction(id: "fetch-number") { [time, random] in
          try await time.sleep(for: .nanoseconds(1_000_000_000))
          return .setNumber(random.number(in: 1...100))
        }
      ]
    case .cancel: [.cancel(id: "fetch-number")]
    case .merge: [.merge(wait(2), wait(1))]
    case .concurrent: [.concurrent(wait(2), wait(1))]
    case .fail:
      [
        .run { _ in
          let text = [NSLocalizedDescriptionKey: "Nobody answers."]
          throw NSError(domain: "Numbers", code: 7, userInfo: text)
        }
      ]
    }
  }

  /// Returns an effect that waits some seconds, and sends their number.
  private func wait(_ seconds: Int) -> AsyncEffect<Action> {
    .runAction { [time] in
      try await time.sleep(for: .seconds(seconds))
      return .setNumber(seconds)
    }
  }
}

struct `AsyncViewModel's effects` {
  private func store() -> AsyncTestStore<Effects> {
    AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
      Effects(time: $0.time, random: $0.random)
    }
  }

  @Test func `runAction sends its action after a second`() async {
    let store = store()
    let number = RandomSource(seed: 1).number(in: 1...100)
    await store.send(.number)
    await store.advance(by: .seconds(1))
    await store.receive(.setNumber(number)) { $0.numbers = [number] }
    await store.finish()
  }

  @Test func `cancel ends the running effect with an id`() async {
    let store = store()
    await store.send(.number)
    await store.send(.cancel)
    await store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `merge runs effects one after another`() async {
    let store = store()
    await store.send(.merge)
    await store.advance(by: .seconds(2))
    await store.receive(.setNumber(2)) { $0.numbers = [2] }
    await store.advance(by: .seconds(1))
    await store.receive(.setNumber(1)) { $0.numbers = [2, 1] }
    await store.finish()
  }

  @Test func `concurrent runs effects in parallel`() async {
    let store = store()
    await store.send(.concurrent)
    await store.advance(by: .seconds(1))
    await store.receive(.setNumber(1)) { $0.numbers = [1] }
    await store.advance(by: .seconds(1))
    await store.receive(.setNumber(2)) { $0.numbers = [1, 2] }
    await store.finish()
  }

  @Test func `pass an error's text, domain and code to handleError`() async throws {
    let store = store()
    await store.send(.fail)
    let error = try #require(
      await store.receiveError { $0.error = "Nobody answers. (Numbers, 7)" }
    )
    #expect(error.localizedDescription == "Nobody answers.")
    await store.finish()
  }
}
