import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Effects.md.

/// The library that the articles' effects call.
struct Library: Sendable {
  var time: any TimeSource

  func titles(matching text: String) async throws -> [String] {
    try await time.sleep(for: .milliseconds(200))
    guard text != "?" else { throw LimitReached() }
    return ["\(text) 1", "\(text) 2"]
  }

  func page(_ number: Int) async throws -> String {
    try await time.sleep(for: .milliseconds(100))
    return "page \(number)"
  }

  func save(_ draft: String) async throws {
    try await time.sleep(for: .milliseconds(100))
  }

  /// Returns a stream that never ends.
  func news() -> AsyncStream<String> {
    AsyncStream { continuation in
      continuation.yield("new books")
    }
  }
}

struct Reader: ReducerViewModel {
  enum Input: Sendable {
    case search(String), typed(String), clear, load, reload, open, warm, save(String), append(
      String
    )
    case start, stop, follow, unfollow, scrolled(Int), note
  }
  enum Action: Equatable, Sendable {
    case search(String), typed(String), found([String]), clear
    case load, reload, loaded(String), failed(SendableError), open, warm
    case save(String), append(String), saved
    case start, stop, ticked, follow, unfollow, news(String), scrolled(Int), seen(Int)
    case note, hideNote
  }
  enum EffectName { case search, load, save, clock, news, scroll, note }
  struct State: Equatable, Sendable {
    var titles: [String] = []
    var pages: [String] = []
    var text = ""
    var isSearching = false
    var saves = 0
    var seconds = 0
    var seen: [Int] = []
    var note = ""
    var problem: SendableError?
  }

  var state = State()
  let library: Library

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .search(let text): [.search(text)]
    case .typed(let text): [.typed(text)]
    case .clear: [.clear]
    case .load: [.load]
    case .reload: [.reload]
    case .open: [.open]
    case .warm: [.warm]
    case .save(let draft): [.save(draft)]
    case .append(let text): [.append(text)]
    case .start: [.start]
    case .stop: [.stop]
    case .follow: [.follow]
    case .unfollow: [.unfollow]
    case .scrolled(let line): [.scrolled(line)]
    case .note: [.note]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .search(let text):
      state.isSearching = true
      return [
        .runAction(id: EffectName.search) { [library] in
          .found(try await library.titles(matching: text))
        }
      ]
    case .found(let titles):
      state.titles = titles
      state.isSearching = false
    case .typed(let text):
      state.text = text
      let search = AsyncEffect<Action>.runAction { [library] in
        .found(try await library.titles(matching: text))
      }
      return [.debounce(id: EffectName.search, for: .milliseconds(300), search)]
    case .clear:
      state = State()
      return [.cancel(id: EffectName.search)]
    case .load:
      return [
        .run(id: EffectName.load) { [library] send in
          for number in 1...3 {
            await send(.loaded(try await library.page(number)))
          }
        }
      ]
    case .loaded(let page):
      state.pages.append(page)
    case .reload:
      return [
        .runCatchingError(id: EffectName.load, errorAction: { .failed($0) }) { [library] in
          .found(try await library.titles(matching: "?"))
        }
      ]
    case .failed(let error):
      state.problem = error
    case .open:
      let first = AsyncEffect<Action>.runAction { [library] in .loaded(try await library.page(1)) }
      let second = AsyncEffect<Action>.runAction { [library] in .loaded(try await library.page(2)) }
      return [.merge(first, .sleepThen(for: .seconds(1), action: .loaded("…")), second)]
    case .warm:
      return [
        .concurrent(
          (1...3).map { number in
            .runAction { [library] in .loaded(try await library.page(number)) }
          }
        )
      ]
    case .save(let draft):
      return [
        .run(id: EffectName.save, policy: .keep) { [library] send in
          try await library.save(draft)
          await send(.saved)
        }
      ]
    case .append(let text):
      return [
        .run(id: EffectName.save, policy: .queue(limit: 10)) { [library] send in
          try await library.save(text)
          await send(.saved)
        }
      ]
    case .saved:
      state.saves += 1
    case .start:
      return [.timer(id: EffectName.clock, every: .seconds(1), policy: .keep, action: .ticked)]
    case .ticked:
      state.seconds += 1
    case .stop:
      return [.cancel(id: EffectName.clock)]
    case .follow:
      return [
        .run(id: EffectName.news, background: true) { [library] send in
          for await text in library.news() { await send(.news(text)) }
        }
      ]
    case .unfollow:
      return [.cancel(id: EffectName.news)]
    case .news(let text):
      state.note = text
      return [.action(.note)]
    case .note:
      return [.sleepThen(id: EffectName.note, for: .seconds(3), action: .hideNote)]
    case .hideNote:
      state.note = ""
    case .scrolled(let line):
      return [
        .throttle(
          id: EffectName.scroll,
          for: .milliseconds(100),
          latest: true,
          .action(.seen(line))
        )
      ]
    case .seen(let line):
      state.seen.append(line)
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.failed(error)] }
}

struct `The guide on effects` {
  private let clock = TestClock()

  private func store() -> Store<Reader> {
    Store(clock.dependencies) { Reader(library: Library(time: $0.time)) }
  }

  private func testStore() -> AsyncTestStore<Reader> {
    AsyncTestStore { Reader(library: Library(time: $0.time)) }
  }

  @Test func `shows a search that is replaced by a newer one`() async {
    let store = testStore()
    await store.send(.search("a")) { $0.isSearching = true }
    await store.advance(by: .milliseconds(100))
    await store.send(.search("b"))
    await store.advance(by: .milliseconds(200))
    await store.receive(.found(["b 1", "b 2"])) {
      $0.titles = ["b 1", "b 2"]
      $0.isSearching = false
    }
    await store.finish()
  }

  @Test func `shows a search that starts when typing stops, unless it is cleared`() async {
    let store = testStore()
    await store.send(.typed("a")) { $0.text = "a" }
    await store.advance(by: .milliseconds(200))
    await store.send(.typed("ab")) { $0.text = "ab" }
    await store.advance(by: .milliseconds(500))
    await store.receive(.found(["ab 1", "ab 2"])) { $0.titles = ["ab 1", "ab 2"] }
    await store.send(.typed("abc")) { $0.text = "abc" }
    await store.advance(by: .milliseconds(400))
    await store.send(.clear) { $0 = Reader.State() }
    await store.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func `shows a run that sends several actions`() async {
    let store = store()
    store.send(.load)
    await clock.advance(by: .milliseconds(200))
    #expect(store.state.pages == ["page 1", "page 2"])
    await clock.advance(by: .milliseconds(100))
    #expect(store.state.pages.count == 3)
  }

  @Test func `shows an error that becomes an action`() async {
    let store = testStore()
    await store.send(.reload)
    await store.advance(by: .milliseconds(200))
    let error = SendableError(LimitReached())
    await store.receive(.failed(error)) { $0.problem = error }
    await store.finish()
  }

  @Test func `shows effects one after another, and all at once`() async {
    let store = store()
    store.send(.open)
    await clock.advance(by: .milliseconds(1_100))
    #expect(store.state.pages == ["page 1", "…"])
    await clock.advance(by: .milliseconds(100))
    #expect(store.state.pages == ["page 1", "…", "page 2"])
    store.send(.warm)
    await clock.advance(by: .milliseconds(100))
    #expect(Set(store.state.pages) == ["page 1", "…", "page 2", "page 3"])
  }

  @Test func `shows the policies keep and queue, and a throttle`() async {
    let store = store()
    store.send(.save("a"), .save("b"))
    await clock.run()
    #expect(store.state.saves == 1)
    store.send(.append("a"), .append("b"), .append("c"))
    await clock.advance(by: .milliseconds(300))
    #expect(store.state.saves == 4)
    store.send(.scrolled(1), .scrolled(2), .scrolled(3))
    #expect(store.state.seen == [1])
    await clock.run()
    #expect(store.state.seen == [1, 3])
  }

  @Test func `shows that timers and background work do not delay settling`() async {
    let store = store()
    await store.send(.start).settled()
    await clock.advance(by: .milliseconds(3_500))
    #expect(store.state.seconds == 3)
    store.send(.stop)
    await clock.advance(by: .seconds(5))
    #expect(store.state.seconds == 3)
    await store.send(.follow).settled()
    await clock.idle()
    #expect(store.state.note == "new books")
    await clock.advance(by: .seconds(3))
    #expect(store.state.note == "")
    store.send(.unfollow)
    await clock.idle()
    #expect(clock.sleepers == 0)
  }
}
