import Testing
import UIFusionKit
import UIFusionTesting

/// A browser of pages, whose path is part of the address.
private struct Browser: ReducerViewModel {
  struct Page: ReducerViewModel {
    enum Action: Equatable, Sendable { case load, loaded, close }
    struct State: Codable, Equatable, Sendable, Addressed {
      var name: String
      var isLoaded = false
      var addressName: String { name }
    }

    var state = State(name: "")
    func transform(_ input: Action) -> [Action] { [input] }
    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .load: return [.sleepThen(for: .seconds(1), action: .loaded)]
      case .loaded: state.isLoaded = true
      case .close: return [.dismiss]
      }
      return []
    }
  }

  enum Action: Equatable, Sendable {
    case pages(id: Int, action: Page.Action), open(String), back(Int), go(String), home
  }
  struct State: Codable, Equatable, Sendable { var pages = ChildStack<Page.State>() }

  var state = State()
  let pages = Children<Browser, Int, Page>(
    \.pages,
    Action.pages,
    dismissed: Action.back
  ) { Page() }

  func transform(_ input: Action) -> [Action] {
    if case .pages(let id, let input) = input { return pages[id].transform(input, in: state) }
    return [input]
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .pages(let id, let action): return pages[id].reduce(&state, action)
    case .open(let name):
      let id = state.pages.push(Page.State(name: name))
      return pages[id].reduce(&state, .load)
    case .back(let id): state.pages.pop(from: id)
    case .go(let address):
      state.pages.go(to: address) { $0 == "nowhere" ? nil : Page.State(name: $0) }
    case .home: state.pages.removeAll()
    }
    return []
  }
}

struct `A stack of children` {
  private let store = AsyncTestStore { _ in Browser() }

  private func open(_ name: String) async {
    await store.send(.open(name)) { _ = $0.pages.push(Browser.Page.State(name: name)) }
  }

  @Test func `runs each child under an id of its own, even if their States are equal`() async {
    await open("a")
    await store.advance(by: .milliseconds(500))
    await open("a")
    await store.advance(by: .milliseconds(500))
    await store.receive(.pages(id: 1, action: .loaded)) {
      _ = $0.pages.modify(1) { $0.isLoaded = true }
    }
    await store.advance(by: .milliseconds(500))
    await store.receive(.pages(id: 2, action: .loaded)) {
      _ = $0.pages.modify(2) { $0.isLoaded = true }
    }
    await store.finish()
  }

  @Test func `cancels the effects of a popped child, and of all above it`() async {
    for name in ["a", "b", "c"] { await open(name) }
    await store.send(.pages(id: 2, action: .close))
    await store.receive(.back(2)) { $0.pages.pop(from: 2) }
    await store.advance(by: .seconds(1))
    await store.receive(.pages(id: 1, action: .loaded)) {
      _ = $0.pages.modify(1) { $0.isLoaded = true }
    }
    await store.finish()
  }

  @Test func `gives a new id to a child that is pushed after a pop`() async {
    await open("a")
    await store.send(.home) { $0.pages.removeAll() }
    await open("a")
    #expect(store.state.pages.ids == [2])
    await store.send(.home) { $0.pages.removeAll() }
    await store.finish()
  }

  @Test func `follows the address, and keeps the children that it names already`() async {
    await store.send(.go("a/b")) { $0.pages.go(to: "a/b") { Browser.Page.State(name: $0) } }
    await store.send(.pages(id: 1, action: .load))
    await store.send(.pages(id: 2, action: .load))
    await store.send(.go("a/c/nowhere/d")) {
      $0.pages.go(to: "a/c") { Browser.Page.State(name: $0) }
    }
    #expect(store.state.pages.address == "a/c")
    #expect(store.state.pages.ids == [1, 3])
    await store.advance(by: .seconds(1))
    await store.receive(.pages(id: 1, action: .loaded)) {
      _ = $0.pages.modify(1) { $0.isLoaded = true }
    }
    await store.finish()
  }
}
