import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The chat` {
  private typealias State = ChatViewModel.State
  private let clock = TestClock()
  private let topics: Topics
  private let ada: Recorder<ChatViewModel>
  private let bob: Recorder<ChatViewModel>

  init() {
    let topics = Topics()
    self.topics = topics
    ada = Recorder(clock: clock) {
      ChatViewModel(topics: topics, time: $0.time, random: RandomSource(seed: 1))
    }
    bob = Recorder(clock: clock) {
      ChatViewModel(topics: topics, time: $0.time, random: RandomSource(seed: 2))
    }
  }

  /// The number of members in the room.
  private var count: Int { topics.subscribers(of: ChatEvent.room) }

  private func connect() async {
    ada.send(.connect(name: "Ada"), .dismissAlert)
    bob.send(.connect(name: "Bob"), .dismissAlert)
    await clock.idle()
    ada.send(.dismissAlert)
    bob.send(.dismissAlert)
    await clock.idle()
    _ = (ada.newStates(), bob.newStates())
  }

  private func connected(
    _ messages: (from: String, text: String)...,
    alert: ChatViewModel.Alert? = nil
  ) -> State {
    State(
      isConnected: true,
      status: "연결됨",
      messages: messages.map { ChatMessage(from: $0.from, text: $0.text) },
      activeAlert: alert
    )
  }

  @Test func `case 8: alerts if a message is sent without a connection`() async {
    ada.send(.send("hi"))
    await clock.idle()
    #expect(ada.newStates() == [State(activeAlert: .error("웹소켓에 연결되어 있지 않습니다"))])
    ada.send(.dismissAlert)
    await clock.idle()
    #expect(ada.newStates() == [State()])
  }

  @Test func `case 9: connects only once`() async {
    ada.send(.connect(name: "Ada"))
    await clock.idle()
    #expect(
      ada.newStates() == [
        State(status: "연결 중..."),
        connected(alert: .info("서버에 연결되었습니다")),
      ]
    )
    ada.send(.connect(name: "Eve"))
    await clock.idle()
    #expect(ada.newStates() == [connected(alert: .error("이미 연결 중이거나 연결되어 있습니다"))])
    #expect(count == 1)
  }

  @Test func `case 9: alerts on a second connect while connecting`() async {
    ada.send(.connect(name: "Ada"), .connect(name: "Eve"))
    await clock.idle()
    #expect(
      ada.newStates().contains { $0.activeAlert == .error("이미 연결 중이거나 연결되어 있습니다") }
    )
    #expect(ada.state.isConnected)
    #expect(count == 1)
  }

  @Test func `case 8: alerts if a message is sent while connecting`() async {
    ada.send(.connect(name: "Ada"), .send("hi"))
    await clock.idle()
    #expect(ada.newStates().contains { $0.activeAlert == .error("웹소켓에 연결되어 있지 않습니다") })
    #expect(ada.state == connected(alert: .info("서버에 연결되었습니다")))
  }

  @Test func `settles without waiting for the connection's end`() async {
    ada.send(.connect(name: "Ada"))
    await clock.idle()
    #expect(ada.isSettled)
  }

  @Test func `shows messages to all members in the same order`() async {
    await connect()
    ada.send(.send("hi"))
    await clock.idle()
    bob.send(.send(" hello "))
    await clock.idle()
    let states = [connected(("Ada", "hi")), connected(("Ada", "hi"), ("Bob", " hello "))]
    #expect(ada.newStates() == states)
    #expect(bob.newStates() == states)
  }

  @Test func `shows no messages after disconnecting, and may connect again`() async {
    await connect()
    bob.send(.disconnect)
    await clock.idle()
    #expect(bob.newStates() == [State(status: "연결 끊김")])
    #expect(count == 1)
    ada.send(.send("is anybody there?"))
    bob.send(.send("yes"))
    await clock.idle()
    let error = ChatViewModel.Alert.error("웹소켓에 연결되어 있지 않습니다")
    #expect(bob.newStates() == [State(status: "연결 끊김", activeAlert: error)])
    bob.send(.connect(name: "Bob"))
    await clock.idle()
    ada.send(.send("there you are"))
    await clock.idle()
    #expect(bob.state.messages == [ChatMessage(from: "Ada", text: "there you are")])
  }

  @Test func `ignores a disconnect without a connection`() async {
    ada.send(.disconnect)
    await clock.idle()
    #expect(ada.newStates() == [])
  }

  @Test func `does not connect if the connection is cancelled meanwhile`() async {
    ada.send(.connect(name: "Ada"), .disconnect)
    await clock.idle()
    #expect(ada.newStates().allSatisfy { !$0.isConnected })
    #expect(ada.state == State(status: "연결 끊김"))
    #expect(count == 0)
  }

  @Test func `keeps a new connection when the old one ends`() async {
    ada.send(.connect(name: "Ada"), .disconnect, .connect(name: "Ada Lovelace"))
    await clock.idle()
    #expect(ada.state == connected(alert: .info("서버에 연결되었습니다")))
    #expect(count == 1)
    ada.send(.send("hi"))
    await clock.idle()
    #expect(ada.state.messages == [ChatMessage(from: "Ada Lovelace", text: "hi")])
  }

  // MARK: Presence

  private let viewer = Visitor(id: "somebody")

  /// The people in the room as one of its sessions shows them.
  private func people(_ recorder: Recorder<ChatViewModel>) -> [String] {
    recorder.state.people.map { $0.isTyping ? "\($0.name) types" : $0.name }
  }

  private func meet() async {
    await connect()
    for recorder in [ada, bob] {
      recorder.send(.presence(PresenceChange(.joined, [viewer])))
      await clock.idle()
    }
  }

  @Test func `shows the people whose sessions have visitors`() async {
    await connect()
    #expect(people(ada) == [])
    ada.send(.presence(PresenceChange(.joined, [viewer])))
    await clock.idle()
    #expect(people(ada) == ["Ada"] && people(bob) == ["Ada"])
    bob.send(.presence(PresenceChange(.joined, [viewer])))
    await clock.advance(by: .seconds(60))
    #expect(people(ada) == ["Ada", "Bob"] && people(bob) == ["Ada", "Bob"])
    ada.send(.presence(PresenceChange(.left, [viewer])))
    await clock.idle()
    #expect(people(bob) == ["Bob"])
    bob.send(.disconnect)
    await clock.idle()
    #expect(people(ada) == [] && people(bob) == [])
  }

  @Test func `shows the people present at once to a newcomer`() async {
    ada.send(.connect(name: "Ada"), .presence(PresenceChange(.joined, [viewer])))
    bob.send(.presence(PresenceChange(.joined, [viewer])))
    await clock.idle()
    bob.send(.connect(name: "Bob"))
    await clock.idle()
    #expect(people(bob) == ["Bob", "Ada"] && people(ada) == ["Ada", "Bob"])
  }

  @Test func `removes a person whose session ends silently after some seconds`() async {
    await meet()
    ada.engine.close()
    await clock.advance(by: .seconds(11))
    #expect(people(bob) == ["Ada", "Bob"])
    await clock.advance(by: .seconds(6))
    #expect(people(bob) == ["Bob"])
  }

  @Test func `shows who types, until five seconds after the last keystroke`() async {
    await meet()
    ada.send(.typing(true))
    await clock.advance(by: .seconds(4))
    ada.send(.typing(true))
    await clock.advance(by: .milliseconds(4_999))
    #expect(people(bob) == ["Ada types", "Bob"])
    await clock.advance(by: .milliseconds(1))
    #expect(people(bob) == ["Ada", "Bob"])
    bob.send(.typing(true))
    await clock.idle()
    #expect(people(ada) == ["Ada", "Bob types"])
    bob.send(.send("hi"))
    await clock.idle()
    #expect(people(ada) == ["Ada", "Bob"])
    #expect(ada.isSettled && bob.isSettled)
  }

  @Test func `has only one timer for typing, however often a person types`() async {
    await meet()
    let sleepers = clock.sleepers
    for _ in 1...50 { ada.send(.typing(true), .presence(PresenceChange(.joined, [viewer]))) }
    await clock.idle()
    #expect(clock.sleepers == sleepers + 1)
    await clock.advance(by: .seconds(5))
    #expect(clock.sleepers == sleepers && people(bob) == ["Ada", "Bob"])
  }

  @Test func `shows many people in part, with fewer heartbeats, and without loss of messages`()
    async
  {
    await connect()
    ada.send(.presence(PresenceChange(.joined, [viewer])))
    await clock.idle()
    topics.publish(.message(ChatMessage(from: "Bob", text: "hi")), to: ChatEvent.room)
    for number in 1...199 {
      topics.publish(.here(ChatPerson(id: "\(number)", name: "\(number)")), to: ChatEvent.room)
    }
    await clock.idle()
    #expect(people(ada).count == 100 && people(ada).prefix(2) == ["Ada", "1"])
    #expect(bob.state.messages.map(\.text) == ["hi"])
    let heard = topics.subscribe(to: ChatEvent.room, bufferingNewest: 100)
    await clock.advance(by: .seconds(100))
    #expect(people(ada).count == 100)
    topics.publish(.gone(id: "nobody"), to: ChatEvent.room)
    var beats = 0
    for await event in heard {
      if case .gone = event { break }
      beats += 1
    }
    // With many people, the interval of heartbeats is 5 s × 10, not 5 s × 20.
    #expect(beats == 2)
    // The other people are removed after a silence of 12 s × 10.
    await clock.advance(by: .seconds(100))
    #expect(people(ada) == ["Ada"])
  }

  @Test func `keeps the newest hundred messages`() async {
    await connect()
    for number in 1...130 {
      ada.send(.send("\(number)"))
    }
    await clock.idle()
    #expect(ada.state.messages.map(\.text) == (31...130).map { "\($0)" })
    #expect(bob.state.messages == ada.state.messages)
  }

  @Test func `leaves the room when its session closes`() async {
    await connect()
    bob.engine.close()
    await clock.idle()
    #expect(count == 1)
    ada.send(.send("hi"))
    await clock.idle()
    #expect(bob.newStates() == [])
  }

  @Test func `has the JSON that its table documents`() async throws {
    #expect(
      try json(State())
        == #"{"isConnected":false,"status":"","messages":[],"activeAlert":null,"people":[]}"#
    )
    let state = connected(("Ada", "hi"), alert: .info("!"))
    #expect(
      try json(state)
        == #"{"isConnected":true,"status":"연결됨","messages":[{"from":"Ada","text":"hi"}],"#
        + #""activeAlert":{"kind":"info","message":"!"},"people":[]}"#
    )
    #expect(try restored(state) == state)
    #expect(
      try inputs(
        #"{"connect":{"name":"Ada"}}"#,
        #""disconnect""#,
        #"{"send":"hi"}"#,
        #""dismissAlert""#
      ) == [ChatViewModel.Input.connect(name: "Ada"), .disconnect, .send("hi"), .dismissAlert]
    )
  }
}
