import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@Suite(.timeLimit(.minutes(5))) struct `Topics of one process` {
  private let topics = Topics()
  private let room: Topic<String> = "room"

  @Test func `deliver a value to all current subscribers`() async {
    topics.publish("early", to: room)
    let ada = topics.subscribe(to: room)
    topics.publish("hi", to: room)
    let bob = topics.subscribe(to: room)
    topics.publish("there", to: room)
    #expect(await taken(2, from: ada) == ["hi", "there"])
    #expect(await taken(1, from: bob) == ["there"])
  }

  @Test func `are independent of each other`() async throws {
    let kitchen = topics.subscribe(to: "kitchen" as Topic<String>)
    topics.publish("in the room", to: room)
    topics.publish("in the kitchen", to: try Topic("kit\("chen")"))
    #expect(await taken(1, from: kitchen) == ["in the kitchen"])
  }

  @Test func `are independent of another instance's topics with the same names`() async {
    let mine = topics.subscribe(to: room)
    Topics().publish("elsewhere", to: room)
    topics.publish("here", to: room)
    #expect(await taken(1, from: mine) == ["here"])
  }

  @Test func `deliver nothing to a subscriber of another value type`() async {
    let numbers = topics.subscribe(to: "room" as Topic<Int>)
    let texts = topics.subscribe(to: room)
    topics.publish("one", to: room)
    topics.publish(1, to: "room")
    #expect(await taken(1, from: numbers) == [1])
    #expect(await taken(1, from: texts) == ["one"])
    #expect(numbers.missed == 0 && texts.missed == 0)
  }

  @Test func `distinguish a nil value from the end`() async {
    let numbers: Topic<Int?> = "numbers"
    let mine = topics.subscribe(to: numbers)
    for number in [1, nil, 2] { topics.publish(number, to: numbers) }
    #expect(await taken(3, from: mine) == [1, nil, 2])
    mine.cancel()
    var rest = mine.makeAsyncIterator()
    #expect(await rest.next(isolation: nil) == Int??.none)
  }

  @Test func `drop the oldest values of a slow subscriber, and count them`() async {
    let slow = topics.subscribe(to: room, bufferingNewest: 2)
    let usual = topics.subscribe(to: room)
    for number in 1...101 { topics.publish("\(number)", to: room) }
    #expect(slow.missed == 99)
    #expect(await taken(2, from: slow) == ["100", "101"])
    #expect(usual.missed == 1)
    #expect(await taken(100, from: usual) == (2...101).map { "\($0)" })
    topics.publish("next", to: room)
    #expect(await taken(1, from: slow) == ["next"])
    #expect(slow.missed == 99)
  }

  @Test func `buffer at least one value`() async {
    let newest = topics.subscribe(to: room, bufferingNewest: 0)
    topics.publish("a", to: room)
    topics.publish("b", to: room)
    #expect(await taken(1, from: newest) == ["b"])
  }

  @Test func `wake waiting subscribers in the order of subscribing`() async {
    let names = ["Ada", "Bob", "Cem"]
    let heard = Heard()
    let tasks = names.map { name in
      let mine = topics.subscribe(to: room)
      // Waits once the task is made.
      return Task(executorPreference: AtOnce()) {
        for await value in mine.prefix(2) { heard.add("\(name): \(value)") }
      }
    }
    topics.publish("hi", to: room)
    topics.publish("ho", to: room)
    for task in tasks { await task.value }
    #expect(heard.all == ["hi", "ho"].flatMap { value in names.map { "\($0): \(value)" } })
  }

  @Test func `accept a value from a subscriber that is woken, even synchronously`() async {
    let echo = topics.subscribe(to: room)
    let all = topics.subscribe(to: room)
    let task = Task(executorPreference: AtOnce()) { [topics, room] in
      for await value in echo where value.count < 3 { topics.publish(value + "o", to: room) }
    }
    topics.publish("h", to: room)
    #expect(await taken(3, from: all) == ["h", "ho", "hoo"])
    task.cancel()
    await task.value
  }

  @Test func `deliver each value to one of several readers of a subscription`() async {
    let clock = TestClock()
    let shared = topics.subscribe(to: room)
    let tasks = (1...2).map { _ in
      Task(executorPreference: clock.executor) { await taken(2, from: shared) }
    }
    await clock.idle()
    for value in ["a", "b", "c", "d"] {
      topics.publish(value, to: room)
      await clock.idle()
    }
    var values: [String] = []
    for task in tasks { values += await task.value }
    #expect(values.sorted() == ["a", "b", "c", "d"])
  }

  // MARK: The end

  @Test func `remove a subscription that is released`() async {
    var mine: TopicSubscription? = topics.subscribe(to: room)
    #expect(topics.subscribers(of: room) == 1 && mine?.missed == 0)
    mine = nil
    #expect(topics.subscribers(of: room) == 0)
    _ = topics.subscribe(to: room)
    #expect(topics.subscribers(of: room) == 0)
  }

  @Test func `remove a subscription whose loop is left`() async {
    let clock = TestClock()
    let task = Task(executorPreference: clock.executor) { [topics, room] in
      for await value in topics.subscribe(to: room) where value == "bye" { break }
      return topics.subscribers(of: room)
    }
    await clock.idle()
    topics.publish("hi", to: room)
    topics.publish("bye", to: room)
    #expect(await task.value == 0)
  }

  @Test func `end a subscription that is cancelled, and drop its buffer`() async {
    let mine = topics.subscribe(to: room)
    let other = topics.subscribe(to: room)
    topics.publish("hi", to: room)
    mine.cancel()
    mine.cancel()
    #expect(topics.subscribers(of: room) == 1)
    topics.publish("ho", to: room)
    for await value in mine { Issue.record("\(value)") }
    #expect(await taken(2, from: other) == ["hi", "ho"])
  }

  @Test func `end a subscription when the task that waits for it is cancelled`() async {
    let clock = TestClock()
    let mine = topics.subscribe(to: room)
    let task = Task(executorPreference: clock.executor) {
      for await value in mine { Issue.record("\(value)") }
    }
    await clock.idle()
    task.cancel()
    #expect(topics.subscribers(of: room) == 0)
    topics.publish("late", to: room)
    await task.value
    for await value in mine { Issue.record("\(value)") }
  }

  @Test func `end a subscription in a task that was already cancelled`() async {
    let mine = topics.subscribe(to: room)
    topics.publish("hi", to: room)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await value in mine { Issue.record("\(value)") }
    }
    await task.value
    #expect(topics.subscribers(of: room) == 0)
  }

  @Test func `end a subscription with the effect that reads it, and with the session`() async {
    let clock = TestClock()
    let dependencies = clock.dependencies
    let lobby = Topic<String>("lobby")
    for _ in 1...2 {
      let ada = Store(dependencies) { Lobby(topics: $0.topics) }
      let bob = Store(dependencies) { Lobby(topics: $0.topics) }
      for store in [ada, bob] { store.send(.enter) }
      await clock.idle()
      #expect(dependencies.topics.subscribers(of: lobby) == 2)
      ada.send(.say("hi"))
      await clock.idle()
      #expect(ada.state.heard == ["hi"] && bob.state.heard == ["hi"])
      ada.send(.leave)
      await clock.idle()
      #expect(dependencies.topics.subscribers(of: lobby) == 1)
      bob.close()
      await clock.idle()
      #expect(dependencies.topics.subscribers(of: lobby) == 0)
    }
  }

  @Test func `are a test's own by default`() async {
    let store = AsyncTestStore { Lobby(topics: $0.topics) }
    let other = AsyncTestStore({ [topics] in $0.topics = topics }) { Lobby(topics: $0.topics) }
    #expect(store.topics !== other.topics && other.topics === topics)
    await store.send(.enter)
    await other.send(.enter)
    topics.publish("to the other", to: "lobby")
    store.topics.publish("to the store", to: "lobby")
    await store.receive(.heard("to the store")) { $0.heard = ["to the store"] }
    await other.receive(.heard("to the other")) { $0.heard = ["to the other"] }
    for store in [store, other] {
      await store.send(.leave)
      await store.finish()
    }
  }

  // MARK: Concurrency

  @Test func `keep each sender's order while others publish, subscribe and unsubscribe`() async {
    let numbers: Topic<[Int]> = "numbers"
    let (senders, count) = (4, 300)
    let all = (1...2).map { _ in
      topics.subscribe(to: numbers, bufferingNewest: senders * count)
    }
    await withTaskGroup { group in
      for sender in 0..<senders {
        group.addTask { [topics] in
          for number in 0..<count { topics.publish([sender, number], to: numbers) }
        }
      }
      for _ in 0..<2 {
        group.addTask { [topics] in
          for _ in 0..<count / 10 {
            let mine = topics.subscribe(to: numbers, bufferingNewest: 8)
            let task = Task { for await _ in mine {} }
            await Task.yield()
            task.cancel()
          }
        }
      }
    }
    let heard = await (taken(senders * count, from: all[0]), taken(senders * count, from: all[1]))
    #expect(heard.0 == heard.1)
    for sender in 0..<senders {
      #expect(heard.0.filter { $0[0] == sender }.map { $0[1] } == Array(0..<count))
    }
    for subscription in all { subscription.cancel() }
    while topics.subscribers(of: numbers) > 0 { await Task.yield() }
  }
}

/// Returns the next values of a subscription; waits forever if too few arrive.
func taken<Value>(_ count: Int, from subscription: TopicSubscription<Value>) async -> [Value] {
  var values: [Value] = []
  for await value in subscription.prefix(count) { values.append(value) }
  return values
}

private final class Heard: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock { $0 } }
  func add(_ text: String) { list.withLock { $0.append(text) } }
}

private final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

private struct Lobby: ReducerViewModel {
  enum Input: Codable, Sendable { case enter, leave, say(String) }
  enum Action: Equatable, Sendable { case enter, leave, say(String), heard(String) }
  enum EffectName { case lobby }
  struct State: Codable, Equatable, Sendable { var heard: [String] = [] }

  var state = State()
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
        .run(id: EffectName.lobby, background: true) { [topics] send in
          for await text in topics.subscribe(to: "lobby" as Topic<String>) {
            await send(.heard(text))
          }
        }
      ]
    case .leave: return [.cancel(id: EffectName.lobby)]
    case .say(let text): return [.run { [topics] _ in topics.publish(text, to: "lobby") }]
    case .heard(let text): state.heard.append(text)
    }
    return []
  }
}
