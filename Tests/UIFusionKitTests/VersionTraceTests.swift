import Testing
import UIFusionKit
import UIFusionTesting

/// Each version, however quickly the next one follows, with the actions that have led to it.
struct `The trace of a version` {
  /// Changes State with each action, waits if that has an exclamation mark, and changes State again if it has a plus.
  private final class Asynchronous: AsyncViewModel {
    var state: [String] = []
    let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    func transform(_ input: String) async -> [String] {
      input.split(separator: " ").map(String.init)
    }

    func perform(_ action: String) async throws {
      state.append(action)
      if action.contains("!") { try await time.sleep(for: .seconds(1)) }
      if action.hasSuffix("+") { state.append(action) }
    }

    func handleError(_ error: SendableError) async {}
  }

  private final class Reactor: AsyncReactor {
    var currentState: [String] = []
    let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    func reduce(
      _ input: String,
      send: nonisolated(nonsending) (_ mutation: String) async -> Void
    ) async {
      for word in input.split(separator: " ") {
        await send(String(word))
        if word.hasSuffix("!") { try? await time.sleep(for: .seconds(1)) }
      }
    }

    func mutate(_ state: [String], mutation: String) async -> [String] { state + [mutation] }
  }

  /// Returns what each version has added to the one before.
  private func additions(_ states: [[String]]) -> [[String]] {
    zip(states, states.dropFirst()).map { Array($1.dropFirst($0.count)) }
  }

  private func expectWhole<Model: ViewModel>(
    _ comeback: Comeback<Model>,
    _ input: String
  ) async where Model.State == [String] {
    comeback.send(input)
    await comeback.clock.advance(by: .seconds(5))
    let words = input.split(separator: " ").map { [String($0)] }
    #expect(additions(comeback.states) == words)
    #expect(comeback.traces == words)
    #expect(comeback.versions == Array(1...words.count + 1))
  }

  @Test(arguments: ["a", "a b", "a! b", "a b! c", "a! b! c d", "a b c! d e! f", "a b c d!"])
  func `has its own action, whether it waits or not`(input: String) async {
    await expectWhole(Comeback(from: nil) { Asynchronous(time: $0) }, input)
    await expectWhole(Comeback(from: nil) { Reactor(time: $0) }, input)
  }

  @Test func `has none if it goes on with an action of the version before`() async {
    let comeback = Comeback(from: nil) { Asynchronous(time: $0) }
    comeback.send("a b!+ c")
    await comeback.clock.advance(by: .seconds(5))
    #expect(comeback.states.last == ["a", "b!+", "b!+", "c"])
    #expect(comeback.traces == [["a"], ["b!+"], [], ["c"]])
  }
}
