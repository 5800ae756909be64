import FusionHTTPMessages
import FusionSessions
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionCluster

@Suite(.timeLimit(.minutes(5))) struct `Topics between nodes` {
  private let wire = TopicWire()
  private let room: Topic<String> = "room"

  @Test func `deliver a value here at once, and to each other node with one request`()
    async
  {
    let nodes = wire.join(3)
    let rooms = nodes.map { $0.topics.subscribe(to: room) }
    nodes[0].topics.publish("hi", to: room)
    #expect(await taken(1, from: rooms[0]) == ["hi"])
    #expect(
      wire.requests.map(\.node.number) == [2, 3] || wire.requests.map(\.node.number) == [3, 2]
    )
    #expect(wire.requests.allSatisfy { $0.request.target.path == "/topics" })
    wire.deliverAll()
    #expect(await taken(1, from: rooms[1]) == ["hi"])
    #expect(await taken(1, from: rooms[2]) == ["hi"])
    #expect(nodes[0].sent == 2 && nodes[0].dropped == 0)
  }

  @Test func `do not forward values from other nodes`() {
    let nodes = wire.join(3)
    let rooms = nodes.map { $0.topics.subscribe(to: room) }
    nodes[0].topics.publish("hi", to: room)
    for _ in 1...2 { wire.deliver() }
    #expect(wire.requests.isEmpty)
    withExtendedLifetime(rooms) {}
  }

  @Test func `send one request at a time, with all queued values`() async {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    let kitchen = nodes[1].topics.subscribe(to: "kitchen" as Topic<Int>)
    nodes[0].topics.publish("1", to: room)
    for number in 2...9 { nodes[0].topics.publish("\(number)", to: room) }
    nodes[0].topics.publish(1, to: "kitchen" as Topic<Int>)
    #expect(wire.requests.map(\.messages.count) == [1])
    wire.deliver()
    #expect(wire.requests.map(\.messages.count) == [9])
    wire.deliver()
    #expect(wire.requests.isEmpty)
    #expect(await taken(9, from: there) == (1...9).map { "\($0)" })
    #expect(await taken(1, from: kitchen) == [1])
  }

  @Test func `send no more in one request than a node accepts`() async {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    let text = String(repeating: "x", count: 100_000)
    for number in 1...6 { nodes[0].topics.publish("\(number)\(text)", to: room) }
    var sizes: [Int] = []
    for _ in 1...6 {
      guard let request = wire.requests.first else { break }
      sizes.append(request.request.body.count)
      wire.deliver()
    }
    #expect(sizes.count == 4 && sizes.allSatisfy { $0 <= TopicBatch.limit })
    #expect(await taken(6, from: there).map(\.first) == ["1", "2", "3", "4", "5", "6"])
  }

  @Test func `resend the values of a failed request before later values`() async throws {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    nodes[0].topics.publish("a", to: room)
    wire.lose()
    nodes[0].topics.publish("b", to: room)
    #expect(wire.requests.isEmpty)
    try wire.relay(of: nodes[0]).tryAgain()
    #expect(wire.requests.map(\.messages.count) == [2])
    wire.deliver()
    #expect(await taken(2, from: there) == ["a", "b"])
    #expect(nodes[0].told == [] && nodes[0].dropped == 0)
  }

  @Test func `deliver values once if the answer to a request is lost`() async throws {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    nodes[0].topics.publish("a", to: room)
    wire.deliver(losingAnswer: true)
    nodes[0].topics.publish("b", to: room)
    try wire.relay(of: nodes[0]).tryAgain()
    wire.deliverAll()
    #expect(await taken(2, from: there) == ["a", "b"])
  }

  @Test func `drop values queued for five seconds, and report it once`() async throws {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    let relay = try wire.relay(of: nodes[0])
    for number in 1...7 {
      nodes[0].topics.publish("\(number)", to: room)
      if !wire.requests.isEmpty { wire.lose() }
      await wire.clock.advance(by: .seconds(1))
      relay.tryAgain()
    }
    // The last retry dropped the values that were five seconds old, and sent the others.
    #expect(nodes[0].dropped == 3)
    #expect(nodes[0].told == ["losing to 2: no way"])
    wire.deliverAll()
    #expect(await taken(4, from: there) == ["4", "5", "6", "7"])
    #expect(nodes[0].told == ["losing to 2: no way", "delivering to 2"])
  }

  @Test func `drop the oldest values if the queue is full`() async throws {
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: room)
    let text = String(repeating: "x", count: 100_000)
    let relay = try wire.relay(of: nodes[0])
    for number in 1...30 {
      nodes[0].topics.publish("\(number)-\(text)", to: room)
      #expect(relay.bytes <= TopicOutbox.limit)
    }
    #expect(nodes[0].told == ["losing to 2: it takes them too slowly"])
    wire.deliverAll()
    let heard = await taken(10, from: there).compactMap { Int($0.prefix { $0 != "-" }) }
    // A value that was sent already arrives in any case.
    #expect(heard == [1] + (22...30))
    #expect(nodes[0].dropped == 20 && nodes[0].sent == 10 && relay.bytes == 0)
  }

  @Test func `do not delay other nodes if one does not answer`() async {
    let nodes = wire.join(3)
    let third = nodes[2].topics.subscribe(to: room)
    nodes[0].topics.publish("a", to: room)
    nodes[0].topics.publish("b", to: room)
    for _ in 1...4 where wire.requests.contains(where: { $0.node.number == 3 }) {
      if wire.requests[0].node.number == 3 { wire.deliver() } else { wire.lose() }
    }
    #expect(await taken(2, from: third) == ["a", "b"])
  }

  @Test func `drop the values for a node that has left`() throws {
    let nodes = wire.join(2)
    let relay = try wire.relay(of: nodes[0])
    nodes[0].topics.publish("a", to: room)
    nodes[0].topics.publish("b", to: room)
    relay.update(livingNodes: [])
    wire.lose()
    relay.tryAgain()
    #expect(wire.requests.isEmpty)
    nodes[0].topics.publish("c", to: room)
    #expect(wire.requests.isEmpty)
    #expect(nodes[0].dropped == 2 && nodes[0].told == [])
  }

  @Test func `reach a node that rejoins under another number`() async throws {
    let nodes = wire.join(2)
    let relay = try wire.relay(of: nodes[0])
    let there = nodes[1].topics.subscribe(to: room)
    relay.update(livingNodes: [Node(9, name: "2", address: "http://2")])
    nodes[0].topics.publish("a", to: room)
    #expect(wire.requests.map(\.node.number) == [9])
    wire.deliverAll()
    relay.update(livingNodes: [nodes[1].node])
    relay.tryAgain()
    wire.deliverAll()
    #expect(await taken(1, from: there) == ["a"])
  }

  @Test func `deliver values only here if they are too large or have no JSON`() async {
    let nodes = wire.join(2)
    let here = nodes[0].topics.subscribe(to: room)
    let numbers = nodes[0].topics.subscribe(to: "numbers" as Topic<Double>)
    let text = String(repeating: "x", count: TopicBatch.limit)
    nodes[0].topics.publish(text, to: room)
    nodes[0].topics.publish(.nan, to: "numbers" as Topic<Double>)
    #expect(wire.requests.isEmpty)
    #expect(await taken(1, from: here) == [text])
    #expect(await taken(1, from: numbers).first?.isNaN == true)
    #expect(nodes[0].told == ["too large Swift.String", "unwritable Swift.Double"])
  }

  @Test func `skip values of another version that cannot be decoded`() async {
    struct Old: Codable, Sendable { var text: String }
    struct New: Codable, Sendable { var text: String?, number: Int }
    let nodes = wire.join(2)
    let there = nodes[1].topics.subscribe(to: "t" as Topic<Old>)
    nodes[0].topics.publish(New(text: nil, number: 1), to: "t" as Topic<New>)
    // Unknown members are ignored.
    nodes[0].topics.publish(New(text: "hi", number: 2), to: "t" as Topic<New>)
    wire.deliverAll()
    #expect(await taken(1, from: there).map(\.text) == ["hi"])
    #expect(there.missed == 1)
    #expect(nodes[1].told.count == 1 && nodes[1].told[0].hasPrefix("unreadable "))
  }
}

struct `A batch of values` {
  @Test func `is read back as written, whatever bytes names and values contain`() {
    let messages = [
      TopicMessage(topic: "a\n 1 2 3\n", sender: .max, sequence: .max, bytes: Array("\n\n".utf8)),
      TopicMessage(topic: String(repeating: "é", count: 128), sender: 0, sequence: 1, bytes: []),
      TopicMessage(topic: "b", sender: 0x9a1f, sequence: 2, bytes: [0, 0xff]),
    ]
    let bytes = TopicBatch.bytes(of: messages)
    #expect(TopicBatch.messages(of: bytes) == messages)
    #expect(messages.map(TopicBatch.size(of:)).reduce(0, +) >= bytes.count)
    for count in 1..<bytes.count {
      let part = TopicBatch.messages(of: Array(bytes.prefix(count)))
      #expect(part.map { $0.count < messages.count } != false)
    }
  }

  @Test(
    arguments: [
      "\n", "1 1 1\na", "x 1 1 0\na", "1 1 0 1\na", "1 1 257 0\n", "1 1 1 1\na", "1 1 1 -1\nab",
      "1 1 -1 1\nab", "1 1 1 9223372036854775807\nab", "1 1 1 0\na1 1 1 0", "1 1 1 0 0\na",
      "1 18446744073709551616 1 0\na", "{}",
    ]
  )
  func `is refused if malformed`(_ text: String) {
    #expect(TopicBatch.messages(of: Array(text.utf8)) == nil)
  }

  @Test func `is refused if a topic's name is not UTF-8`() {
    #expect(TopicBatch.messages(of: Array("1 1 1 0\n".utf8) + [0xff]) == nil)
  }
}
