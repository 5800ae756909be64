import Testing
import UIFusionKit
import UIFusionTesting

/// A child of any row: a mark is shown at once, and reverted if the service refuses it.
private struct Favorite: ReducerViewModel {
  enum Action: Equatable, Sendable { case toggle, answered(Bool), failed }
  struct State: Equatable, Sendable {
    var isMarked = false
    var alert: String?
  }
  struct Refused: Error {}
  enum EffectName { case mark }

  var state = State()
  let time: any TimeSource
  let refuses: Bool

  func transform(_ input: Action) -> [Action] { [input] }

  func handleError(_ error: SendableError) -> [Action] { [.failed] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .toggle:
      state.isMarked.toggle()
      return [
        .runAction(id: EffectName.mark) { [time, refuses, isMarked = state.isMarked] in
          try await time.sleep(for: .seconds(1))
          if refuses { throw Refused() }
          return .answered(isMarked)
        }
      ]
    case .answered(let isMarked): state.isMarked = isMarked
    case .failed:
      state.isMarked.toggle()
      state.alert = "Not marked"
    }
    return []
  }
}

private struct Episodes: ReducerViewModel {
  enum Action: Equatable, Sendable {
    case favorites(id: String, action: Favorite.Action), remove(String)
  }
  struct State: Equatable, Sendable {
    var favorites = ["one": Favorite.State(), "two": Favorite.State()]
  }

  var state = State()
  let favorites: Children<Episodes, String, Favorite>

  init(_ time: any TimeSource, refuses: Bool) {
    favorites = Children(\.favorites, Action.favorites) { Favorite(time: time, refuses: refuses) }
  }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .favorites(let id, let action): return favorites[id].reduce(&state, action)
    case .remove(let id): state.favorites[id] = nil
    }
    return []
  }
}

struct `TCA's favorites` {
  private func store(refuses: Bool = false) -> AsyncTestStore<Episodes> {
    AsyncTestStore { Episodes($0.time, refuses: refuses) }
  }

  @Test func `are marked at once, each independently`() async {
    let store = store()
    await store.send(.favorites(id: "one", action: .toggle)) {
      $0.favorites["one"]?.isMarked = true
    }
    await store.advance(by: .milliseconds(500))
    await store.send(.favorites(id: "two", action: .toggle)) {
      $0.favorites["two"]?.isMarked = true
    }
    await store.advance(by: .milliseconds(500))
    await store.receive(.favorites(id: "one", action: .answered(true)))
    await store.advance(by: .milliseconds(500))
    await store.receive(.favorites(id: "two", action: .answered(true)))
    await store.finish()
  }

  @Test func `are reverted if they are refused, each with its own alert`() async {
    let store = store(refuses: true)
    await store.send(.favorites(id: "two", action: .toggle)) {
      $0.favorites["two"]?.isMarked = true
    }
    await store.advance(by: .seconds(1))
    _ = await store.receiveError {
      $0.favorites["two"] = Favorite.State(isMarked: false, alert: "Not marked")
    }
    await store.finish()
  }

  @Test func `send only the newest mark, and none for a removed row`() async {
    let store = store()
    await store.send(.favorites(id: "one", action: .toggle)) {
      $0.favorites["one"]?.isMarked = true
    }
    await store.send(.favorites(id: "one", action: .toggle)) {
      $0.favorites["one"]?.isMarked = false
    }
    await store.send(.favorites(id: "two", action: .toggle)) {
      $0.favorites["two"]?.isMarked = true
    }
    await store.send(.remove("two")) { $0.favorites["two"] = nil }
    await store.advance(by: .seconds(1))
    await store.receive(.favorites(id: "one", action: .answered(false)))
    await store.finish()
  }
}
