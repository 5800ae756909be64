import Synchronization
import Testing
import UIFusionTesting

@testable import UIFusionKit

/// The State of a document that other sessions follow.
private struct Page: Codable, Equatable, Sendable {
  var title = ""
  var number = 0
}

private struct Title: Codable, Equatable, Sendable { var title = "" }

/// Follows the page that it is told to, in a pattern without effects.
private struct Reader: ViewModelProtocol, SessionFollowing {
  enum Input: Sendable { case open(String?), whole(Bool) }
  enum Action: Equatable, Sendable {
    case input(String?), whole(Bool), page(Page), title(Title), closed
  }
  struct State: Codable, Equatable, Sendable {
    var page: String?
    var isWhole = true
    var title = ""
  }

  var state = State()

  var following: [Following<Action>] {
    guard let page = state.page else { return [] }
    return state.isWhole
      ? [Following(.id(page), as: Page.self, ended: .closed) { .page($0) }]
      : [Following(.id(page), as: Title.self, ended: .closed) { .title($0) }]
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .open(let page): [.input(page)]
    case .whole(let isWhole): [.whole(isWhole)]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .input(let page): state.page = page
    case .whole(let isWhole): state.isWhole = isWhole
    case .page(let page): state.title = page.title
    case .title(let title): state.title = title.title
    case .closed: state = State(title: "closed")
    }
  }
}

/// Follows one page forever, in functions that may suspend.
private final class Watcher: AsyncViewModel, SessionFollowing {
  enum Input: Sendable { case pause }
  enum Action: Equatable, Sendable { case pause, page(Page), over }

  var state: [Int] = []
  let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  var following: [Following<Action>] {
    [Following(.named("p", of: "page"), as: Page.self, ended: .over) { .page($0) }]
  }

  func transform(_ input: Input) async -> [Action] { [.pause] }

  func perform(_ action: Action) async throws {
    switch action {
    case .pause: try await time.sleep(for: .seconds(1))
    case .page(let page): state.append(page.number)
    case .over: state.append(-1)
    }
  }

  func handleError(_ error: SendableError) async {}
}

/// Follows one page forever, with mutations.
private final class Reactor: AsyncReactor, SessionFollowing {
  enum Input: Sendable { case nothing }
  enum Mutation: Equatable, Sendable { case nothing, page(Page) }

  var currentState = 0

  var following: [Following<Mutation>] { [Following(.id("p"), as: Page.self) { .page($0) }] }

  func reduce(_ input: Input) async -> Mutation { .nothing }

  func mutate(_ state: Int, mutation: Mutation) async -> Int {
    if case .page(let page) = mutation { page.number } else { state }
  }
}

/// Has children that each follow a page of their own.
private struct Shelf: ReducerViewModel, SessionFollowing {
  struct Slot: ReducerViewModel, SessionFollowing {
    enum Action: Equatable, Sendable { case page(Page), closed }
    struct State: Identifiable, Equatable, Sendable {
      var id: String
      var title = ""
    }
    var state = State(id: "")
    var following: [Following<Action>] {
      [Following(.id(state.id), as: Page.self, ended: .closed) { .page($0) }]
    }
    func transform(_ input: Int) -> [Action] { [] }
    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .page(let page): state.title = page.title
      case .closed: return [.dismiss]
      }
      return []
    }
  }

  enum Input: Sendable { case add(String), remove(String) }
  enum Action: Equatable, Sendable { case add(String), remove(String), slot(String, Slot.Action) }
  var state: [Slot.State] = []
  let slots: Children<Shelf, String, Slot>

  init() {
    slots = Children(\.self, Action.slot, dismissed: { .remove($0) }) { Slot() }
  }

  var following: [Following<Action>] { slots.following(in: state) }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let id): [.add(id)]
    case .remove(let id): [.remove(id)]
    }
  }

  func reduce(state: inout [Slot.State], action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let id): state.append(Slot.State(id: id))
    case .remove(let id): state.removeAll { $0.id == id }
    case .slot(let id, let action): return slots[id].reduce(&state, action)
    }
    return []
  }
}

/// Follows more sessions than the limit allows.
private struct Crowd: ViewModelProtocol, SessionFollowing {
  var state = 0

  var following: [Following<Int>] {
    (0...1_000).map { number in Following(.id("\(number)"), as: Page.self) { _ in number } }
  }

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) {}
}

struct `A followed session in a test` {
  private let store = AsyncTestStore(viewModel: Reader())

  @Test func `leads to an action for each change, until it is unfollowed`() async {
    #expect(await store.followed == [])
    await store.send(.open("p")) { $0.page = "p" }
    #expect(await store.followed == [.id("p")])
    await store.show(Page(title: "One"), of: .id("p"))
    await store.receive(.page(Page(title: "One"))) { $0.title = "One" }
    await store.show(Page(title: "Two"), of: .id("p"))
    await store.receive(.page(Page(title: "Two"))) { $0.title = "Two" }
    await store.send(.open(nil)) { $0.page = nil }
    #expect(await store.followed == [])
    await withKnownIssue { await store.show(Page(title: "Three"), of: .id("p")) }
    await store.finish()
  }

  @Test func `leads to no action if it is unchanged, except when it is followed anew`() async {
    await store.send(.open("p")) { $0.page = "p" }
    await store.show(Page(title: "One"), of: .id("p"))
    await store.receive(.page(Page(title: "One"))) { $0.title = "One" }
    await store.show(Page(title: "One"), of: .id("p"))
    await store.send(.open(nil)) { $0.page = nil }
    await store.send(.open("p")) { $0.page = "p" }
    await store.show(Page(title: "One"), of: .id("p"))
    await store.receive(.page(Page(title: "One")))
    await store.finish()
  }

  @Test func `is decoded as the type that the view model asks for at the time`() async {
    await store.send(.open("p")) { $0.page = "p" }
    await withKnownIssue { await store.show(Title(title: "One"), of: .id("p")) }
    await store.send(.whole(false)) { $0.isWhole = false }
    await store.show(Title(title: "One"), of: .id("p"))
    await store.receive(.title(Title(title: "One"))) { $0.title = "One" }
    await store.finish()
  }

  @Test func `leads to an action when it ends`() async {
    await store.send(.open("p")) { $0.page = "p" }
    await store.showEnd(of: .id("p"))
    await store.receive(.closed) { $0 = Reader.State(title: "closed") }
    #expect(await store.followed == [])
    await store.finish()
  }

  @Test func `is followed from the start and after a restart`() async throws {
    let state = Reader.State(page: "p", title: "Old")
    let restored = try AsyncTestStore(restoring: state) { _ in Reader() }
    #expect(await restored.followed == [.id("p")])
    await restored.show(Page(title: "New"), of: .id("p"))
    await restored.receive(.page(Page(title: "New"))) { $0.title = "New" }
    await restored.finish()
  }

  @Test func `shows only its newest State to a busy follower, and then its end`() async {
    let store = AsyncTestStore { Watcher(time: $0.time) }
    await store.send(.pause)
    for number in 1...5 { await store.show(Page(number: number), of: .named("p", of: "page")) }
    await store.showEnd(of: .named("p", of: "page"))
    #expect(store.state == [])
    await store.advance(by: .seconds(1))
    await store.receive(.page(Page(number: 5))) { $0 = [5] }
    await store.receive(.over) { $0 = [5, -1] }
    await store.finish()
  }

  /// The names under which a trace is told that actions are for followed States; nil for other actions.
  private func followed<Model: ViewModel>(
    by make: @escaping @Sendable (TestClock) -> Model,
    _ use: (Engine, TestClock) async -> Void
  ) async -> [SessionAddress?] where Model.State: Sendable {
    let clock = TestClock()
    let seen = Mutex<[SessionAddress?]>([])
    let engine = Engine(
      clock.dependencies,
      published: { (_: Model.State, _) in },
      trace: { (event: TraceEvent<Model>) in
        if case .action = event { seen.withLock { $0.append(SessionAddress.followed) } }
      },
      { make(clock) }
    )
    await use(engine, clock)
    await clock.idle()
    engine.close()
    return seen.withLock(\.self)
  }

  @Test func `is named while its action is performed, and not for others`() async {
    let names = await followed(by: { _ in Reader() }) { engine, _ in
      _ = engine.submit(InputBatch([Reader.Input.open("p")]))
      _ = await engine.show(.value(Page(title: "One")), of: .id("p"))
      _ = engine.submit(InputBatch([Reader.Input.open("q")]))
    }
    #expect(names == [nil, .id("p"), nil])
  }

  @Test func `is named while an action that may suspend is performed`() async {
    let page = SessionAddress.named("p", of: "page")
    let names = await followed(by: { Watcher(time: $0) }) { engine, clock in
      engine.resume()
      await clock.idle()
      _ = await engine.show(.value(Page(number: 1)), of: page)
      await clock.idle()
      _ = engine.submit(InputBatch([Watcher.Input.pause]))
      await clock.advance(by: .seconds(1))
    }
    #expect(names == [page, nil])
  }

  @Test func `is not named for what its action sends to another view model`() async {
    let names = await followed(by: { _ in Reader() }) { engine, _ in
      SessionAddress.$followed.withValue(.id("p")) {
        _ = engine.submit(InputBatch([Reader.Input.open("q")]))
      }
    }
    #expect(names == [nil])
  }

  @Test func `counts towards a limit of a thousand`() async {
    let store = AsyncTestStore(viewModel: Crowd())
    #expect(await store.followed.count == 1_000)
    await store.finish()
  }

  @Test func `can be followed by a reactor`() async {
    let store = AsyncTestStore(viewModel: Reactor())
    await store.show(Page(number: 7), of: .id("p"))
    await store.receive(.page(Page(number: 7))) { $0 = 7 }
    await store.finish()
  }

  @Test func `can be followed by each child separately`() async {
    let store = AsyncTestStore(viewModel: Shelf())
    await store.send(.add("a")) { $0 = [Shelf.Slot.State(id: "a")] }
    await store.send(.add("b")) { $0.append(Shelf.Slot.State(id: "b")) }
    await store.show(Page(title: "B"), of: .id("b"))
    await store.receive(.slot("b", .page(Page(title: "B")))) { $0[1].title = "B" }
    await store.showEnd(of: .id("a"))
    await store.receive(.slot("a", .closed))
    await store.receive(.remove("a")) { $0.remove(at: 0) }
    #expect(await store.followed == [.id("b")])
    await store.send(.remove("b")) { $0 = [] }
    #expect(await store.followed == [])
    await store.finish()
  }
}
