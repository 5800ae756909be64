import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

/// A visitors' book with members of Foundation's types, and the dependencies that create them.
private struct Visits: ReducerViewModel {
  struct Visit: Codable, Equatable {
    var id: String
    var date: Date
    var page: URL?
  }

  enum Input: Codable { case visit(URL), load(URL) }
  enum Action: Equatable { case add(URL), load(URL), loaded(Data), failed(SendableError) }

  struct State: Codable, Equatable {
    var visits: [Visit] = []
    var content = Data()
    var problem: SendableError?
  }

  var state = State()
  let date: @Sendable () -> Date
  let random: RandomSource

  init(_ dependencies: Dependencies) {
    date = dependencies.date
    random = dependencies.random
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .visit(let page): [.add(page)]
    case .load(let page): [.load(page)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let page):
      state.visits.append(Visit(id: random.uuid(), date: date(), page: page))
    case .load(let page):
      return [.runAction { .loaded(try await fetch(page)) }]
    case .loaded(let data):
      state.content = data
    case .failed(let error):
      state.problem = error
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.failed(error)] }
}

/// Simulates a URL session's request; an unsupported URL is an error of Foundation's.
private func fetch(_ page: URL) async throws -> Data {
  guard page.scheme == "https" else { throw URLError(.unsupportedURL) }
  return Data("Hello".utf8)
}

struct `Foundation's types in a view model` {
  private func store() -> AsyncTestStore<Visits> {
    AsyncTestStore({ $0.random = RandomSource(seed: 1) }) { Visits($0) }
  }

  @Test func `include dates and ids, which a test can predict`() async throws {
    let store = store()
    let page = try #require(URL(string: "https://example.com"))
    await store.advance(by: .seconds(60))
    await store.send(.visit(page)) {
      $0.visits = [
        Visits.Visit(
          id: RandomSource(seed: 1).uuid(),
          date: Date(timeIntervalSince1970: 60),
          page: page
        )
      ]
    }
    await store.finish()
  }

  @Test func `include data as a member`() async throws {
    let store = store()
    await store.send(.load(try #require(URL(string: "https://example.com"))))
    await store.receive(.loaded(Data("Hello".utf8))) { $0.content = Data("Hello".utf8) }
    await store.finish()
  }

  @Test func `include errors, with their domain and code`() async throws {
    let store = store()
    await store.send(.load(try #require(URL(string: "gopher://example.com"))))
    let error = SendableError(URLError(.unsupportedURL))
    #expect(await store.receiveError { $0.problem = error } == error)
    #expect(error.domain == "NSURLErrorDomain" && error.code == -1002)
    await store.finish()
  }
}
