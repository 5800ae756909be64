import Testing
import UIFusionKit
import UIFusionTesting

/// The acceptance cases of the reducing pattern that no hosted example covers.
struct `The reducing pattern` {
  /// Says words at once, after a while, one after another, in parallel, or never.
  struct Speaker: ReducerViewModel {
    enum Input: Sendable {
      case twoActions, fail, restart(String), cancel, merge, concurrent, toggle
    }
    enum Action: Equatable, Sendable {
      case say(String), sayAndSend(String, String), fail, restart(String), cancel, merge
      case concurrent, toggle, tick
    }
    enum EffectName { case word, timer }
    struct State: Equatable, Sendable {
      var words: [String] = []
      var ticks = 0
      var isRunning = false
      var errors: [SendableError] = []
    }
    struct Broken: Error, CustomStringConvertible { let description = "It broke." }

    var state = State()

    func transform(_ input: Input) -> [Action] {
      switch input {
      case .twoActions: [.say("first"), .sayAndSend("second", "third")]
      case .fail: [.fail]
      case .restart(let word): [.restart(word)]
      case .cancel: [.cancel]
      case .merge: [.merge]
      case .concurrent: [.concurrent]
      case .toggle: [.toggle]
      }
    }

    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .say(let word): state.words.append(word)
      case .sayAndSend(let word, let next):
        state.words.append(word)
        return [.action(.say(next))]
      case .fail: return [.run(id: EffectName.word) { _ in throw Broken() }]
      case .restart(let word): return [later(word, .seconds(1), id: EffectName.word)]
      case .cancel: return [.cancel(id: EffectName.word)]
      case .merge: return [.merge(later("A", .milliseconds(200)), later("B", .milliseconds(50)))]
      case .concurrent:
        return [.concurrent(later("A", .milliseconds(200)), later("B", .milliseconds(50)))]
      case .toggle:
        state.isRunning.toggle()
        return state.isRunning
          ? [.timer(id: EffectName.timer, every: .seconds(1), action: .tick)]
          : [.cancel(id: EffectName.timer)]
      case .tick: state.ticks += 1
      }
      return []
    }

    func handleError(_ error: SendableError) -> [Action] {
      [.say("\(error.description) \(error.typeName) \(error.code) \(error.domain.suffix(6))")]
    }

    private func later(
      _ word: String,
      _ time: Duration,
      id: EffectName? = nil
    ) -> AsyncEffect<Action> {
      .sleepThen(id: id, for: time, action: .say(word))
    }
  }

  private let store = AsyncTestStore { _ in Speaker() }

  @Test func `case 19: performs an Input's actions first, and then those that their effects send`()
    async
  {
    await store.send(.twoActions) { $0.words = ["first", "second"] }
    await store.receive(.say("third")) { $0.words.append("third") }
    await store.finish()
  }

  @Test func `case 20: reports an effect's error once, in full`() async {
    await store.send(.fail)
    let error = await store.receiveError { $0.words = ["It broke. Broken 1 Broken"] }
    #expect(error?.description == "It broke.")
    await store.finish()
  }

  @Test func `case 20: does not report a cancelled effect as an error`() async {
    await store.send(.restart("never"))
    await store.send(.cancel)
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `case 21: replaces a running effect by a newer one with its id`() async {
    await store.send(.restart("first"))
    await store.advance(by: .milliseconds(100))
    await store.send(.restart("second"))
    await store.advance(by: .seconds(1))
    await store.receive(.say("second")) { $0.words = ["second"] }
    await store.finish()
  }

  @Test func `case 22: runs merged effects one after another`() async {
    await store.send(.merge)
    await store.advance(by: .milliseconds(199))
    await store.advance(by: .milliseconds(1))
    await store.receive(.say("A")) { $0.words = ["A"] }
    await store.advance(by: .milliseconds(50))
    await store.receive(.say("B")) { $0.words = ["A", "B"] }
    await store.finish()
  }

  @Test func `case 22: runs concurrent effects in parallel, and lets Inputs through`() async {
    await store.send(.concurrent)
    await store.send(.twoActions) { $0.words = ["first", "second"] }
    await store.receive(.say("third")) { $0.words.append("third") }
    await store.advance(by: .milliseconds(50))
    await store.receive(.say("B")) { $0.words.append("B") }
    await store.advance(by: .milliseconds(150))
    await store.receive(.say("A")) { $0.words.append("A") }
    await store.finish()
  }

  @Test func `case 26: ticks once a second from one toggle to the next`() async {
    await store.send(.toggle) { $0.isRunning = true }
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { $0.ticks = 1 }
    await store.advance(by: .seconds(5))
    for ticks in 2...6 { await store.receive(.tick) { $0.ticks = ticks } }
    await store.send(.toggle) { $0.isRunning = false }
    await store.advance(by: .seconds(5))
    await store.finish()
  }
}
