import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Sharing.md.

struct Message: Codable, Equatable, Sendable { let from: String, text: String }

struct Lobby: ReducerViewModel {
  enum Input: Codable, Sendable { case enter, leave, say(String) }
  enum Action: Equatable, Sendable { case enter, entered, leave, say(String), heard(Message) }
  enum EffectName { case lobby }
  struct State: Codable, Equatable, Sendable { var messages: [Message] = [], isHere = false }

  static let lobby = Topic<Message>("lobby")

  static func lobby(of house: String) throws -> Topic<Message> {
    try Topic("lobby/\(house)")
  }

  var state = State()
  let name: String
  let topics: Topics

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .enter: [.enter]
    case .leave: [.leave]
    case .say(let text): [.say(text)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .enter:
      return [
        .run(id: EffectName.lobby, policy: .keep, background: true) { [topics] send in
          let messages = topics.subscribe(to: Self.lobby)
          await send(.entered)
          for await message in messages { await send(.heard(message)) }
        }
      ]
    case .entered:
      state.isHere = true
    case .leave:
      state.isHere = false
      return [.cancel(id: EffectName.lobby)]
    case .say(let text):
      let message = Message(from: name, text: text)
      return [.run { [topics] _ in topics.publish(message, to: Self.lobby) }]
    case .heard(let message):
      state.messages = (state.messages + [message]).suffix(50)
    }
    return []
  }
}

actor Room {
  private var members: [Int: AsyncStream<String>.Continuation] = [:]
  private var joined = 0

  /// Returns a stream of the messages from now on.
  func join() -> AsyncStream<String> {
    let (messages, member) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(100))
    joined += 1
    let number = joined
    members[number] = member
    member.onTermination = { [weak self] _ in
      Task { await self?.leave(number) }
    }
    return messages
  }

  func say(_ message: String) {
    for member in members.values { member.yield(message) }
  }

  private func leave(_ number: Int) { members[number] = nil }
}

struct Board: ReducerViewModel {
  enum Input: Codable, Sendable { case enter, leave, say(String) }
  enum Action: Equatable, Sendable { case enter, leave, say(String), heard(String) }
  enum EffectName { case room }
  struct State: Codable, Equatable, Sendable { var messages: [String] = [], isHere = false }

  var state = State()
  let room: Room

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .enter: [.enter]
    case .leave: [.leave]
    case .say(let text): [.say(text)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .enter:
      state.isHere = true
      return [
        .run(id: EffectName.room, policy: .keep, background: true) { [room] send in
          for await message in await room.join() { await send(.heard(message)) }
        }
      ]
    case .leave:
      state.isHere = false
      return [.cancel(id: EffectName.room)]
    case .say(let text):
      return [.run { [room] _ in await room.say(text) }]
    case .heard(let message):
      state.messages.append(message)
    }
    return []
  }
}

final class Listener: AsyncViewModel {
  enum Input: Codable, Sendable { case listen, clear }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var messages: [String] = [] }

  var state = State()
  private let room: Room

  init(room: Room) { self.room = room }

  func policy(for input: Input) -> InputPolicy {
    switch input {
    case .listen: .background
    case .clear: .inOrder
    }
  }

  func transform(_ input: Input) async -> [Input] { [input] }

  func perform(_ action: Input) async throws {
    switch action {
    case .listen:
      for await message in await room.join() { state.messages.append(message) }
    case .clear:
      state.messages = []
    }
  }

  func handleError(_ error: SendableError) async {}
}

struct Login: ViewModelProtocol {
  enum Input: Codable, Sendable { case email(Redacted<String>), password(Secret<String>) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    @Redacted var email = ""
    @Secret var password = ""
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .email(let email): state.email = email.wrappedValue
    case .password(let password): state.password = password.wrappedValue
    }
  }
}

struct Quiz: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable, MemberDeriving {
    var guesses: [Int] = []
    @Private var answer: Int

    struct Derived: Codable { var isSolved: Bool }
    var derived: Derived { Derived(isSolved: guesses.last == answer) }
  }

  var state: State

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state.guesses.append(action) }
}

final class ErrorCount: Interceptor {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func intercept<Model: ViewModel>(_ event: TraceEvent<Model>) {
    if case .error = event { count.add(1, ordering: .relaxed) }
  }
}

struct `The guide on sharing` {
  @Test func `shows a session that receives messages in a lobby`() async {
    let store = AsyncTestStore { Lobby(name: "Ada", topics: $0.topics) }
    await store.send(.enter)
    await store.receive(.entered) { $0.isHere = true }
    let message = Message(from: "Bob", text: "hi")
    store.topics.publish(message, to: Lobby.lobby)
    await store.receive(.heard(message)) { $0.messages = [message] }
    await store.send(.leave) { $0.isHere = false }
    await store.finish()
  }

  @Test func `shows a message that reaches all sessions in the lobby`() async throws {
    let clock = TestClock()
    let dependencies = clock.dependencies
    let stores = ["Ada", "Bob"].map { name in
      Store(dependencies) { Lobby(name: name, topics: $0.topics) }
    }
    for store in stores { store.send(.enter) }
    await clock.idle()
    stores[0].send(.say("hi"))
    await clock.idle()
    dependencies.topics.publish(Message(from: "House", text: "bye"), to: Lobby.lobby)
    await clock.idle()
    for store in stores { #expect(store.state.messages.map(\.text) == ["hi", "bye"]) }
    #expect(try Lobby.lobby(of: "Rose").name == "lobby/Rose")
    #expect(throws: InvalidTopicName.self) {
      try Lobby.lobby(of: String(repeating: "!", count: 251))
    }
  }

  @Test func `shows a message that reaches every session in the room`() async {
    let clock = TestClock()
    let dependencies = clock.dependencies
    let room = Room()
    let ada = Store(dependencies) { _ in Board(room: room) }
    let bob = Store(dependencies) { _ in Board(room: room) }
    ada.send(.enter)
    bob.send(.enter)
    await clock.idle()
    ada.send(.say("hi"))
    await clock.idle()
    await room.say("The library closes at six.")
    await clock.idle()
    #expect(ada.state.messages == ["hi", "The library closes at six."])
    #expect(bob.state.messages == ada.state.messages)
    bob.send(.leave)
    await clock.idle()
    await room.say("bye")
    await clock.idle()
    #expect(ada.state.messages.count == 3 && bob.state.messages.count == 2)
  }

  @Test func `shows an Input that follows a room in the background`() async {
    let clock = TestClock()
    let room = Room()
    let store = Store(clock.dependencies) { _ in Listener(room: room) }
    let listening = store.send(.listen)
    await clock.idle()
    await listening.settled()
    await room.say("a")
    await clock.idle()
    #expect(store.state.messages == ["a"])
    store.send(.clear)
    await clock.idle()
    await room.say("b")
    await clock.idle()
    #expect(store.state.messages == ["b"])
    await listening.cancel()
    await clock.idle()
    await room.say("c")
    await clock.idle()
    #expect(store.state.messages == ["b"])
  }

  @Test func `shows a quiz that keeps its answer private`() throws {
    var quiz = Quiz(state: Quiz.State(answer: 7))
    quiz.send(3)
    quiz.send(7)
    let shown = """
      {"guesses":[3,7],"isSolved":true}
      """
    let text = try StrictJSON.encode(quiz.state, for: .clients)
    #expect(String(decoding: text, as: UTF8.self) == shown)
    #expect("\(quiz.state)".contains("••••"))
  }

  @Test func `shows a session that receives messages after entering a room`() async {
    let room = Room()
    let store = AsyncTestStore { _ in Board(room: room) }
    await store.send(.enter) { $0.isHere = true }
    await room.say("hi")
    await store.receive(.heard("hi")) { $0.messages = ["hi"] }
    await store.send(.leave) { $0.isHere = false }
    await store.finish()
  }

  @Test func `shows a log without secrets`() async {
    let labels = Labels()
    let write: @Sendable (String) -> Void = { labels.show($0) }
    let log = LogInterceptor { write($0) }
    let store = Store(Dependencies(interceptors: [log, ErrorCount()])) { _ in Login() }
    await store.send(.password(Secret("hunter2"))).settled()
    #expect(store.state.password == "hunter2")
    let start = """
      Login input password("••••")
      Login action password("••••")
      Login state 2 password: "" → "••••"
      """
    #expect(labels.texts.prefix(3).joined(separator: "\n") == start)
  }

  @Test func `shows an interceptor that counts errors`() async {
    let count = ErrorCount()
    let store = Store(Dependencies(interceptors: [count])) { _ in Account() }
    await store.send(.withdraw(1)).settled()
    #expect(count.value == 1)
  }
}
