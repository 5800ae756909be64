import Testing
import UIFusionKit
import UIFusionTesting

// This target enables none of the repository's upcoming features: it is compiled like a user's target.

private final class Greeter: AsyncViewModel {
  enum Input: Codable { case greet(String) }
  enum Action { case greet(String) }
  struct State: Codable, Equatable { var text = "" }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .greet(let name): [.greet(name)]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .greet(let name): try await greet(name)
    }
  }

  func handleError(_ error: SendableError) async { state.text = error.description }

  nonisolated(nonsending) private func greet(_ name: String) async throws {
    state.text = "…"
    try await time.sleep(for: .seconds(1))
    state.text = "Hello, \(name)"
  }
}

extension Greeter: Planned {
  static let plan: [PlannedInput<Greeter>] = [
    .input(.greet("Ada"), "A name is given", [.action(.greet("Ada"), ["text": "greets it"])])
  ]
}

struct `A user's package with default settings` {
  @Test func `compiles a plan, and compares its view model with it`() async {
    await expectPlan { Greeter(time: $0.time) }
  }

  @Test func `compiles and runs an asynchronous view model`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { Greeter(time: $0.time) }
    store.send(.greet("Ada"))
    #expect(store.state.text == "…")
    await clock.advance(by: .seconds(1))
    #expect(store.state.text == "Hello, Ada")
  }
}
