import Testing
import UIFusionKit
import UIFusionTesting

private struct Failure: Error {}

/// Fails in a single effect, in a group, or in an effect without an id, and notes which of them failed.
private struct Failing: ReducerViewModel {
  enum Work: Equatable, Sendable { case alone, group, waiting, nameless, asked(String) }
  enum Name { case load, save }

  var state: [String] = []

  func transform(_ input: Work) -> [Work] { [input] }

  func reduce(state: inout [String], action: Work) -> [AsyncEffect<Work>] {
    let fail = AsyncEffect<Work>.run { _ in throw Failure() }
    switch action {
    case .alone: return [.run(id: Name.load) { _ in throw Failure() }]
    case .group: return [.debounce(id: Name.save, for: .seconds(1), .concurrent(.none, fail))]
    case .waiting: return [.sleepThen(id: Name.save, for: .seconds(1), action: .nameless)]
    case .nameless: return [fail]
    case .asked(let text): state.append(text)
    }
    return []
  }

  func handleError(_ error: SendableError, of effect: EffectID?) -> [Work] {
    switch effect {
    case EffectID(Name.load): [.asked("load")]
    case EffectID(Name.save): [.asked("save")]
    default: [.asked("\(effect == nil)")]
    }
  }
}

/// Has a child whose effect with an id fails, and whose error the child does not handle.
private struct Parent: ReducerViewModel {
  struct Child: ReducerViewModel {
    typealias State = Int
    var state = 0

    func transform(_ input: String) -> [String] { [input] }
    func reduce(state: inout Int, action: String) -> [AsyncEffect<String>] {
      [.run(id: "load") { _ in throw Failure() }]
    }
  }

  enum Action: Equatable, Sendable { case child(String), failed(String) }
  struct State: Equatable, Sendable {
    var child = 0
    var failures: [String] = []
  }

  var state = State()
  let child = UIFusionKit.Child<Parent, Child>(\.child, Action.child) { Child() }

  func transform(_ input: String) -> [Action] { child.transform(input, in: state) }
  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .child(let action): return child.reduce(&state, action)
    case .failed(let effect): state.failures.append(effect)
    }
    return []
  }

  func handleError(_ error: SendableError, of effect: EffectID?) -> [Action] {
    [.failed(effect == nil ? "no effect of its own" : "an effect")]
  }
}

/// Fails in both of its actions, and notes which of them failed.
private final class Stumbling: AsyncViewModel {
  enum Action: Equatable { case load, save }

  var state: [String] = []

  func transform(_ input: String) async -> [Action] { [.load, .save] }
  func perform(_ action: Action) async throws { throw Failure() }
  func handleError(_ error: SendableError) async { state.append("any") }

  func handleError(_ error: SendableError, of action: Action) async {
    if action == .save { state.append("save") } else { await handleError(error) }
  }
}

struct `A handled error` {
  private let clock = TestClock()

  @Test func `names the id of its effect, or of the group around it`() async {
    let store = AsyncTestStore { _ in Failing() }
    await store.send(.alone)
    await store.receiveError { $0 = ["load"] }
    await store.send(.group)
    await store.advance(by: .seconds(1))
    await store.receiveError { $0 = ["load", "save"] }
    await store.finish()
  }

  @Test func `names no effect if the effect has no id`() async {
    let store = AsyncTestStore { _ in Failing() }
    await store.send(.waiting)
    await store.advance(by: .seconds(1))
    await store.receive(.nameless)
    await store.receiveError { $0 = ["true"] }
    await store.finish()
  }

  @Test func `of a child names no effect to the parent, whose ids are different`() async {
    let store = AsyncTestStore { _ in Parent() }
    await store.send("load")
    await store.receiveError { $0.failures = ["no effect of its own"] }
    await store.finish()
  }

  @Test func `names its action`() async {
    let store = AsyncTestStore { _ in Stumbling() }
    await store.send("go")
    await store.receiveError { $0 = ["any"] }
    await store.receiveError { $0 = ["any", "save"] }
    await store.finish()
  }
}
