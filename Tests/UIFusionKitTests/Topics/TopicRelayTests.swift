import Testing
import UIFusionKit

@Suite(.timeLimit(.minutes(5))) struct `Topics of several nodes` {
  private let network = TopicNetwork()
  private let here: Topics
  private let there: Topics
  private let room: Topic<String> = "room"

  init() {
    here = network.join()
    there = network.join()
  }

  @Test func `carry values to all nodes with subscribers`() async {
    let third = network.join()
    let mine = here.subscribe(to: room)
    let yours = there.subscribe(to: room)
    here.publish("hi", to: room)
    #expect(network.count == 1)
    network.deliverAll()
    there.publish("hello", to: room)
    network.deliverAll()
    third.publish("good morning", to: room)
    network.deliverAll()
    #expect(await taken(3, from: mine) == ["hi", "hello", "good morning"])
    #expect(await taken(3, from: yours) == ["hi", "hello", "good morning"])
  }

  @Test func `encode a value only if another node subscribes to its topic`() {
    let mine = here.subscribe(to: room)
    here.publish("to myself", to: room)
    here.publish("to nobody", to: "elsewhere" as Topic<String>)
    #expect(network.encoded == 0)
    there.publish("to you", to: room)
    #expect(network.encoded == 1)
    mine.cancel()
    there.publish("to nobody", to: room)
    #expect(network.encoded == 1)
  }

  @Test func `report a topic when its first subscriber arrives and when its last one leaves`() {
    let first = here.subscribe(to: room)
    let second = here.subscribe(to: room)
    let other = here.subscribe(to: "room" as Topic<Int>)
    #expect(network.followed == [["room"], []])
    first.cancel()
    second.cancel()
    #expect(network.followed == [["room"], []])
    other.cancel()
    #expect(network.followed == [[], []])
  }

  @Test func `report subscribers that existed before the relay`() async {
    let topics = Topics()
    let mine = topics.subscribe(to: room)
    let next = TopicNetwork()
    _ = next.join(topics)
    #expect(next.followed == [["room"]])
    let other = next.join()
    other.publish("hi", to: room)
    next.deliverAll()
    #expect(await taken(1, from: mine) == ["hi"])
    topics.connect(nil)
    other.publish("lost", to: room)
    next.deliverAll()
    topics.publish("here", to: room)
    #expect(next.count == 0)
    #expect(await taken(1, from: mine) == ["here"])
  }

  @Test func `ignore duplicates`() async {
    let yours = there.subscribe(to: room)
    here.publish("a", to: room)
    here.publish("b", to: room)
    network.deliver(again: true)
    network.deliver(at: 1, again: true)
    network.deliverAll()
    here.publish("c", to: room)
    network.deliverAll()
    #expect(await taken(3, from: yours) == ["a", "b", "c"])
  }

  @Test func `ignore a message that a later one from the same sender has overtaken`() async {
    let third = network.join()
    let yours = there.subscribe(to: room)
    here.publish("a", to: room)
    third.publish("x", to: room)
    here.publish("b", to: room)
    network.deliver(at: 2)
    network.deliverAll()
    #expect(await taken(2, from: yours) == ["b", "x"])
    #expect(yours.missed == 0)
  }

  @Test func `do not order messages of different topics`() async {
    let yours = there.subscribe(to: room)
    let kitchen = there.subscribe(to: "kitchen" as Topic<String>)
    here.publish("a", to: room)
    here.publish("b", to: "kitchen" as Topic<String>)
    network.deliver(at: 1)
    network.deliver()
    #expect(await taken(1, from: yours) == ["a"])
    #expect(await taken(1, from: kitchen) == ["b"])
  }

  /// Otherwise, a session that leaves a room and comes back would show old values again.
  @Test func `do not give a later subscriber what an earlier one has received`() async {
    let first = there.subscribe(to: room)
    here.publish("a", to: room)
    network.deliver(again: true)
    #expect(await taken(1, from: first) == ["a"])
    first.cancel()
    let second = there.subscribe(to: room)
    network.deliver()
    here.publish("b", to: room)
    network.deliverAll()
    #expect(await taken(1, from: second) == ["b"])
  }

  @Test func `ignore their own messages when the relay returns them`() async {
    let mine = here.subscribe(to: room)
    let yours = there.subscribe(to: room)
    here.publish("a", to: room)
    network.turnBack()
    network.deliverAll()
    here.publish("b", to: room)
    #expect(await taken(2, from: mine) == ["a", "b"])
    yours.cancel()
  }

  @Test func `count unreadable values as missed`() async {
    let numbers = there.subscribe(to: "room" as Topic<Int>)
    here.publish("a", to: room)
    here.publish(1, to: "room" as Topic<Int>)
    network.deliverAll()
    #expect(await taken(1, from: numbers) == [1])
    #expect(numbers.missed == 1)
  }

  @Test func `do not send values that cannot be encoded`() async {
    let mine = here.subscribe(to: "numbers" as Topic<Double>)
    let yours = there.subscribe(to: "numbers" as Topic<Double>)
    here.publish(.infinity, to: "numbers" as Topic<Double>)
    here.publish(1, to: "numbers" as Topic<Double>)
    network.deliverAll()
    #expect(await taken(2, from: mine) == [.infinity, 1])
    #expect(await taken(1, from: yours) == [1])
  }

  // MARK: Random networks

  @Test(arguments: 1...200)
  func `deliver each value at most once, in each sender's order`(seed: Int) async {
    // One network in three neither loses nor duplicates messages, and keeps their order.
    var chat = RandomChat(seed: UInt64(seed), isFaulty: seed % 3 != 0)
    for _ in 1...150 { await chat.step() }
    await chat.finish()
    for listener in chat.listeners {
      for sender in 0..<3 {
        let numbers = listener.heard.filter { $0.sender == sender }.map(\.number)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
        guard !chat.isFaulty, listener.isThereAtTheEnd else { continue }
        let said = chat.said[listener.topic]?.filter { $0.sender == sender }.map(\.number) ?? []
        let before = listener.before[sender]
        #expect(numbers.filter { $0 > before } == said.filter { $0 > before })
      }
    }
    #expect(chat.network.followed == [[], [], []])
  }

  @Test(arguments: 1...200)
  func `deliver nothing that an earlier subscriber of the node has received`(seed: Int) async {
    var chat = RandomChat(seed: UInt64(seed), isFaulty: true)
    for _ in 1...150 { await chat.step() }
    await chat.finish()
    for (first, second) in chat.successors {
      for sender in 0..<3 {
        let last = first.heard.last { $0.sender == sender }?.number ?? 0
        let next = second.heard.first { $0.sender == sender }?.number ?? .max
        #expect(last < next)
      }
    }
  }
}
