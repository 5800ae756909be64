package import UIFusionKit

/// A chat in one room (the asynchronous pattern, with work in the background).
package final class ChatViewModel: AsyncViewModel {
  static let mostMessages = 100
  /// The longest text and name, in Unicode scalars, of which a character may have any number: the messages of others
  /// must fit into everybody's State.
  static let longestText = 2_000
  static let longestName = 40
  private static let connecting = "연결 중..."

  package var state = State()
  private let topics: Topics
  private let time: any TimeSource
  private let random: RandomSource
  /// The subscription to the room, which ends with the process; nil while disconnected.
  private var events: TopicSubscription<ChatEvent>?
  /// This session's person in the room.
  private var me = ChatPerson(id: "", name: "")
  private var people = ChatPeople()
  /// The visitors who look at this session.
  private var viewers: [Visitor] = []
  /// The time at which this session last announced its person.
  private var announced = Duration.zero
  /// Whether a task repeats the announcement.
  private var isBeating = false
  /// The time at which the person stops typing, and whether a task waits for it.
  private var typingEnds = Duration.zero
  private var isTimed = false

  package init(
    topics: Topics,
    time: any TimeSource = .system,
    random: RandomSource = .system
  ) {
    self.topics = topics
    self.time = time
    self.random = random
  }

  /// Runs in the background what lasts: other Inputs must not wait for its end.
  package func policy(for input: Input) -> InputPolicy {
    switch input {
    case .connect, .typing, .presence: .background
    case .disconnect, .send, .dismissAlert: .inOrder
    }
  }

  package func transform(_ input: Input) async -> [Action] {
    switch input {
    case .connect(let name): [.connect(name: name)]
    case .disconnect: [.disconnect]
    case .send(let text): [.send(text)]
    case .typing(let isTyping): [.typing(isTyping)]
    case .presence(let change): [.presence(change)]
    case .dismissAlert: [.dismissAlert]
    }
  }

  /// Disconnects, since the connection ended with the process.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    [.disconnect]
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .connect(let name): try await connect(as: name)
    case .disconnect: disconnect()
    case .send(let text): try send(text)
    case .typing(let isTyping): try await type(isTyping)
    case .presence(let change): try await meet(change)
    case .dismissAlert: state.activeAlert = nil
    }
  }

  package func handleError(_ error: SendableError) async {
    state.activeAlert = .error(error.description)
  }

  /// Runs a connection until `disconnect`, or until the session's end cancels this task.
  private func connect(as name: String) async throws {
    guard self.events == nil else { throw ChatError.alreadyConnected }
    // Room for the messages that are shown, and for what comes about people in between.
    let events = topics.subscribe(to: ChatEvent.room, bufferingNewest: 3 * Self.mostMessages)
    self.events = events
    let name = String(name.unicodeScalars.prefix(Self.longestName))
    me = ChatPerson(id: String(random.next(), radix: 36), name: name)
    state.status = Self.connecting
    // Shows the status, and lets the user disconnect, or even connect again, in between.
    await Task.yield()
    guard self.events === events else { return }
    state.isConnected = true
    state.status = "연결됨"
    state.activeAlert = .info("서버에 연결되었습니다")
    announce()
    for await event in events where self.events === events { hear(event) }
  }

  private func hear(_ event: ChatEvent) {
    if case .message(let message) = event {
      state.messages = (state.messages + [message]).suffix(Self.mostMessages)
    }
    let isNew = people.hear(event, time.now)
    state.people = people.shown
    if case .here(let person) = event, isNew, person.id != me.id,
      people.count <= ChatPerson.fewPeople
    {
      announce()
    }
  }

  private func disconnect() {
    if events != nil { topics.publish(.gone(id: me.id), to: ChatEvent.room) }
    events?.cancel()
    events = nil
    people = ChatPeople()
    state.people = []
    // Decided by State: after a restart there is no subscription, but State shows a connection.
    guard state.isConnected || state.status == Self.connecting else { return }
    state.isConnected = false
    state.status = "연결 끊김"
  }

  private func send(_ text: String) throws {
    guard events != nil, state.isConnected else { throw ChatError.notConnected }
    // The message comes back through the room, so that everybody sees the same order.
    let text = String(text.unicodeScalars.prefix(Self.longestText))
    topics.publish(.message(ChatMessage(from: me.name, text: text)), to: ChatEvent.room)
    if me.isTyping { setTyping(false) }
  }

  // MARK: Visitors

  /// Notes the visitors of this session, and announces its person again and again while there are any.
  private func meet(_ change: PresenceChange) async throws {
    change.update(&viewers)
    if viewers.isEmpty, events != nil { topics.publish(.gone(id: me.id), to: ChatEvent.room) }
    announce()
    guard !isBeating else { return }
    isBeating = true
    defer { isBeating = false }
    while !viewers.isEmpty {
      try await time.sleep(for: ChatPerson.beat)
      if announced + ChatPerson.beat * people.pace <= time.now { announce() }
    }
  }

  private func announce() {
    guard state.isConnected, !viewers.isEmpty else { return }
    announced = time.now
    topics.publish(.here(me), to: ChatEvent.room)
  }

  private func type(_ isTyping: Bool) async throws {
    if isTyping != me.isTyping { setTyping(isTyping) }
    guard isTyping else { return }
    typingEnds = time.now + ChatPerson.typingTime
    guard !isTimed else { return }
    isTimed = true
    defer { isTimed = false }
    while time.now < typingEnds { try await time.sleep(for: typingEnds - time.now) }
    if me.isTyping { setTyping(false) }
  }

  private func setTyping(_ isTyping: Bool) {
    me.isTyping = isTyping
    announce()
  }
}

extension ChatViewModel: PresenceObserving {
  package static func input(for change: PresenceChange) -> Input? { .presence(change) }
}
