import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A game with a private riddle, and a derived number of guesses.
private struct Guessing: ViewModelProtocol {
  enum Input: Codable, Sendable { case guess(Int), move(Int), reveal }
  enum Action: Codable, Sendable { case guess(Int), move(Private<Int>), reveal }
  struct State: Codable, Equatable, Sendable, MemberDeriving {
    @Private var riddle = 424_242
    var guesses: [Guess] = []
    var revealed: Int?

    struct Guess: Codable, Equatable, Sendable {
      var number: Int
      @Private var distance = 0
    }
    struct Derived: Codable { var total: Int }
    var derived: Derived { Derived(total: guesses.count) }
  }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .guess(let number): [.guess(number)]
    case .move(let step): [.move(Private(step))]
    case .reveal: [.reveal]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .guess(let number):
      state.guesses.append(State.Guess(number: number, distance: state.riddle - number))
    case .move(let step): state.riddle += step.wrappedValue
    case .reveal: state.revealed = state.riddle
    }
  }
}

struct `A State with private and derived members` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    client = Client(store: store) { catalog in
      catalog.host("guessing", summary: "Lets you guess") { _ in Guessing() }
    }
  }

  @Test func `is shown in the clients' form in a past version, too`() async throws {
    let path = try await client.session("guessing")
    _ = try await input(path, #"{"guess":1}"#)
    let id = try #require(SessionID(String(path.suffix(22))))
    let stored = try #require(store.stored(id))
    let viewModel = try #require(client.host.viewModels.named("guessing"))
    guard case .found(let past) = try PastLookup(stored, log: stored.entries, at: .newest, .json)
    else { throw StoreError.closed }
    #expect(String(decoding: past.head.state, as: UTF8.self).contains("riddle"))
    let shown = try viewModel.shown(past, client.clock.dependencies)
    #expect(
      String(decoding: shown, as: UTF8.self)
        == #"{"guesses":[{"number":1}],"revealed":null,"total":1}"#
    )
  }

  private func input(_ path: String, _ input: String, _ client: Client? = nil) async throws
    -> String
  {
    try await (client ?? self.client).send(.post, path + "/inputs", input).text
  }

  private func isClean(_ text: String) -> Bool {
    !["riddle", "4242", "distance"].contains { text.contains($0) }
  }

  @Test func `is shown without private members, and with derived ones`() async throws {
    let path = try await client.session("guessing")
    #expect(
      try await client.send(.get, path).text.contains(
        #""state":{"guesses":[],"revealed":null,"total":0}"#
      )
    )
    let states = try await client.follow(path + "/events")
    let patches = try await client.follow(path + "/events?format=patch")
    let guesses = (1...40).map { #"{"guess":\#($0)}"# }.joined(separator: ",")
    #expect(isClean(try await input(path, "[\(guesses)]")))
    #expect(isClean(states.read()) && isClean(patches.read()))
    #expect(isClean(try await input(path, #"{"guess":41}"#)))
    let (state, patch) = (states.read(), patches.read())
    #expect(isClean(state) && state.contains(#"{"number":41}],"revealed":null,"total":41}"#))
    #expect(isClean(patch) && patch.contains("event: patch"))
  }

  @Test func `is described without private members`() async throws {
    for type in ["application/json", "text/markdown"] {
      let target = "/view-models/guessing"
      let text = try await client.send(.get, target, headers: ["Accept": type]).text
      #expect(isClean(text) && text.contains("total"), "\(type)")
    }
    #expect(isClean(try await client.send(.get, "/openapi.json").text))
    let json = try await client.send(.get, "/view-models/guessing").json()
    #expect(json["state"]?["schema"]?["properties"]?["total"]?["type"]?.string == "integer")
  }

  @Test func `is large if its stored form is large`() async throws {
    let path = try await client.session("guessing")
    let guesses = (1...100).map { #"{"guess":\#($0)}"# }.joined(separator: ",")
    _ = try await input(path, "[\(guesses)]")
    #expect(try await client.send(.get, path).text.utf8.count < 2_048)
    client.host.memory.set(isFull: true)
    #expect(try await client.send(.get, path).status == 503)
  }

  @Test func `has a new version if only a private member has changed`() async throws {
    let path = try await client.session("guessing")
    let patches = try await client.follow(path + "/events?format=patch")
    let guesses = (1...40).map { #"{"guess":\#($0)}"# }.joined(separator: ",")
    _ = try await input(path, "[\(guesses)]")
    _ = patches.read()
    let answer = try await input(path, #"{"move":5}"#)
    #expect(answer.contains(#""version":42"#) && isClean(answer))
    #expect(
      patches.read() == """
        id: 42
        event: patch
        data: {"from":41,"version":42,"patch":[]}


        """
    )
  }

  @Test(arguments: [0, 1, 200]) func `is restored in whole`(count: Int) async throws {
    let path = try await client.session("guessing")
    for number in 0..<count { _ = try await input(path, #"{"guess":\#(number)}"#) }
    _ = try await input(path, #"{"move":5}"#)
    let shown = try await client.send(.get, path).text
    let restarted = try await client.restarted()
    #expect(try await restarted.send(.get, path).text == shown)
    #expect(
      try await input(path, #""reveal""#, restarted).contains(
        #""revealed":424247,"total":\#(count)"#
      )
    )
  }

  @Test func `is stored in whole, and traced with masked private values`() async throws {
    let path = try await client.session("guessing")
    _ = try await input(path, #"{"guess":1}"#)
    _ = try await input(path, #"{"move":4242}"#)
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    let stored = try #require(store.stored(id))
    let entry = try #require(stored.entries.last)
    guard case .state(let bytes) = entry.outcome else {
      Issue.record("a short State is stored in whole")
      return
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"riddle":428484,"guesses":[{"number":1,"distance":424241}],"revealed":null}"#
    )
    // The Input is what the client sent; the Action is the view model's.
    #expect(
      String(decoding: entry.trace, as: UTF8.self)
        == "{\"input\":{\"move\":4242}}\n{\"action\":{\"move\":\"••••\"}}\n"
    )
  }
}
