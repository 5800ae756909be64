import Testing
import UIFusionKit
import UIFusionTesting

/// View models with first actions, whose State is a list of the actions that they have performed.
struct `A new view model` {
  struct Synchronous: ViewModelProtocol {
    var state: [String] = []
    func started() -> [String] { ["begin"] }
    func transform(_ input: String) -> [String] { [input] }
    mutating func perform(_ action: String) { state.append(action) }
  }

  final class Asynchronous: AsyncViewModel {
    var state: [String] = []
    func started() -> [String] { ["begin"] }
    func transform(_ input: String) async -> [String] { [input] }
    func perform(_ action: String) async throws { state.append(action) }
    func handleError(_ error: SendableError) async {}
  }

  struct Reducing: ReducerViewModel {
    var state: [String] = []
    func started() -> [String] { ["begin"] }
    func transform(_ input: String) -> [String] { [input] }
    func reduce(state: inout [String], action: String) -> [AsyncEffect<String>] {
      state.append(action)
      return action == "begin" ? [.sleepThen(for: .seconds(1), action: "loaded")] : []
    }
  }

  final class Mutating: AsyncReactor {
    typealias Mutation = String
    var currentState: [String] = []
    func started() -> [String] { ["begin"] }
    func reduce(_ input: String) async -> String { input }
    func mutate(_ state: [String], mutation: String) async -> [String] { state + [mutation] }
  }

  private func states<Model: ViewModel>(
    _ make: @Sendable (Dependencies) -> Model
  ) async -> [String] where Model.State == [String], Model.Input == String {
    let clock = TestClock()
    let store = Store(clock.dependencies, make)
    store.send("x")
    await clock.idle()
    defer { store.close() }
    return store.state
  }

  @Test func `performs its first actions before any Input, in every pattern`() async {
    #expect(await states { _ in Synchronous() } == ["begin", "x"])
    #expect(await states { _ in Asynchronous() } == ["begin", "x"])
    #expect(await states { _ in Reducing() } == ["begin", "x"])
    #expect(await states { _ in Mutating() } == ["begin", "x"])
  }

  @Test func `performs its first actions in a test store, which expects what they lead to`() async {
    let store = AsyncTestStore { _ in Reducing() }
    await store.change { $0 = ["begin"] }
    await store.advance(by: .seconds(1))
    await store.receive("loaded") { $0.append("loaded") }
    await store.finish()
  }
}
