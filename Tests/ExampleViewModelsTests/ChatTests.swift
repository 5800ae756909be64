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
    ada = Recorder(clock: clock) { _ in ChatViewModel(topics: topics) }
    bob = Recorder(clock: clock) { _ in ChatViewModel(topics: topics) }
  }

  /// The number of members in the room.
  private var count: Int { topics.subscribers(of: ChatMessage.room) }

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

  @Test func `case 8: what is said without a connection is an error`() async {
    ada.send(.send("hi"))
    await clock.idle()
    #expect(ada.newStates() == [State(activeAlert: .error("웹소켓에 연결되어 있지 않습니다"))])
    ada.send(.dismissAlert)
    await clock.idle()
    #expect(ada.newStates() == [State()])
  }

  @Test func `case 9: connects, and only once`() async {
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

  @Test func `case 9: a second connect while connecting is an error, too`() async {
    ada.send(.connect(name: "Ada"), .connect(name: "Eve"))
    await clock.idle()
    #expect(
      ada.newStates().contains { $0.activeAlert == .error("이미 연결 중이거나 연결되어 있습니다") }
    )
    #expect(ada.state.isConnected)
    #expect(count == 1)
  }

  @Test func `case 8: what is said while connecting is an error, too`() async {
    ada.send(.connect(name: "Ada"), .send("hi"))
    await clock.idle()
    #expect(ada.newStates().contains { $0.activeAlert == .error("웹소켓에 연결되어 있지 않습니다") })
    #expect(ada.state == connected(alert: .info("서버에 연결되었습니다")))
  }

  @Test func `nobody waits for the end of a connection`() async {
    ada.send(.connect(name: "Ada"))
    await clock.idle()
    #expect(ada.isSettled)
  }

  @Test func `all hear what is said, in the same order`() async {
    await connect()
    ada.send(.send("hi"))
    await clock.idle()
    bob.send(.send(" hello "))
    await clock.idle()
    let states = [connected(("Ada", "hi")), connected(("Ada", "hi"), ("Bob", " hello "))]
    #expect(ada.newStates() == states)
    #expect(bob.newStates() == states)
  }

  @Test func `whoever has disconnected hears nothing, and may come back`() async {
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

  @Test func `disconnecting without a connection does nothing`() async {
    ada.send(.disconnect)
    await clock.idle()
    #expect(ada.newStates() == [])
  }

  @Test func `a connection that is given up while it is being made is not made`() async {
    ada.send(.connect(name: "Ada"), .disconnect)
    await clock.idle()
    #expect(ada.newStates().allSatisfy { !$0.isConnected })
    #expect(ada.state == State(status: "연결 끊김"))
    #expect(count == 0)
  }

  @Test func `a new connection does not mind the end of the old one`() async {
    ada.send(.connect(name: "Ada"), .disconnect, .connect(name: "Ada Lovelace"))
    await clock.idle()
    #expect(ada.state == connected(alert: .info("서버에 연결되었습니다")))
    #expect(count == 1)
    ada.send(.send("hi"))
    await clock.idle()
    #expect(ada.state.messages == [ChatMessage(from: "Ada Lovelace", text: "hi")])
  }

  @Test func `the newest hundred messages are kept`() async {
    await connect()
    for number in 1...130 {
      ada.send(.send("\(number)"))
    }
    await clock.idle()
    #expect(ada.state.messages.map(\.text) == (31...130).map { "\($0)" })
    #expect(bob.state.messages == ada.state.messages)
  }

  @Test func `a session that is closed leaves the room`() async {
    await connect()
    bob.engine.close()
    await clock.idle()
    #expect(count == 1)
    ada.send(.send("hi"))
    await clock.idle()
    #expect(bob.newStates() == [])
  }

  @Test func `is on the wire as its table says`() async throws {
    #expect(
      try json(State()) == #"{"isConnected":false,"status":"","messages":[],"activeAlert":null}"#
    )
    let state = connected(("Ada", "hi"), alert: .info("!"))
    #expect(
      try json(state)
        == #"{"isConnected":true,"status":"연결됨","messages":[{"from":"Ada","text":"hi"}],"#
        + #""activeAlert":{"kind":"info","message":"!"}}"#
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
