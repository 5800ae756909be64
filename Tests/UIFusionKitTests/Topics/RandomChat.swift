import UIFusionKit

/// Three nodes whose sessions subscribe, unsubscribe and publish over a network that may lose, delay and
/// duplicate messages; a seed decides.
struct RandomChat {
  struct Said: Codable, Equatable, Sendable {
    /// The sending node, or -1 for a mark.
    let sender: Int
    /// The number among all values of that node, from 1 on.
    let number: Int
  }

  struct Listener {
    let topic: String
    let node: Int
    let subscription: TopicSubscription<Said>
    /// The number of values that each node had published when the subscription began.
    let before: [Int]
    let began: Int
    var ended = Int.max
    var isThereAtTheEnd = false
    var heard: [Said] = []
  }

  let network = TopicNetwork()
  let isFaulty: Bool
  private(set) var said: [String: [Said]] = [:]
  private(set) var listeners: [Listener] = []
  private var random: RandomSource
  private var nodes: [Topics] = []
  private var counts = [0, 0, 0]
  private var steps = 0

  init(seed: UInt64, isFaulty: Bool) {
    self.isFaulty = isFaulty
    random = RandomSource(seed: seed)
    nodes = (1...3).map { [network] _ in network.join() }
  }

  mutating func step() async {
    steps += 1
    switch number(below: 12) {
    case 0: listen()
    case 1:
      let there = listeners.indices.filter { listeners[$0].ended == .max }
      if !there.isEmpty { await end(there[number(below: there.count)]) }
    case 2...6: say()
    case 7 where isFaulty && network.count > 0: network.lose(at: number(below: network.count))
    case 8 where isFaulty && network.count > 0:
      network.deliver(at: number(below: network.count), again: true)
    default:
      guard network.count > 0 else { return }
      network.deliver(at: isFaulty ? number(below: network.count) : 0)
    }
  }

  /// Delivers all messages, and ends all subscriptions.
  mutating func finish() async {
    network.deliverAll()
    for place in listeners.indices where listeners[place].ended == .max {
      listeners[place].isThereAtTheEnd = true
      await end(place)
    }
  }

  /// The pairs of listeners with one node and topic of which the second began after the first had ended.
  var successors: [(Listener, Listener)] {
    listeners.flatMap { first in
      listeners.filter {
        $0.node == first.node && $0.topic == first.topic && first.ended < $0.began
      }.map { (first, $0) }
    }
  }

  private mutating func listen() {
    let (node, topic) = place()
    listeners.append(
      Listener(
        topic: topic.name,
        node: node,
        subscription: nodes[node].subscribe(to: topic, bufferingNewest: 1_000),
        before: counts,
        began: steps
      )
    )
  }

  private mutating func say() {
    let (node, topic) = place()
    counts[node] += 1
    let value = Said(sender: node, number: counts[node])
    said[topic.name, default: []].append(value)
    nodes[node].publish(value, to: topic)
  }

  /// Ends a listener after publishing a mark, so that it has heard everything before the mark.
  private mutating func end(_ place: Int) async {
    let listener = listeners[place]
    let mark = Said(sender: -1, number: place)
    guard let topic = try? Topic<Said>(listener.topic) else { return }
    nodes[listener.node].publish(mark, to: topic)
    for await value in listener.subscription {
      if value == mark { break }
      listeners[place].heard.append(value)
    }
    listener.subscription.cancel()
    listeners[place].ended = steps
  }

  private mutating func place() -> (node: Int, topic: Topic<Said>) {
    (number(below: 3), number(below: 2) == 0 ? "a" : "b")
  }

  private mutating func number(below limit: Int) -> Int { random.number(in: 0...(limit - 1)) }
}
