import Foundation
import Synchronization
import Testing
import UIFusionKit

/// Nodes with topics, and a network between them that holds messages until a test delivers them.
final class TopicNetwork: Sendable {
  private struct Contents {
    var nodes: [Topics] = []
    /// The topics with subscribers, by node; all other nodes learn them at once.
    var followed: [Set<String>] = []
    var onTheWay: [(message: TopicMessage, node: Int)] = []
    var encoded = 0
  }

  private let contents = Mutex(Contents())

  /// Adds a node.
  func join(_ topics: Topics = Topics()) -> Topics {
    let number = contents.withLock { contents in
      contents.nodes.append(topics)
      contents.followed.append([])
      return contents.nodes.count - 1
    }
    topics.connect(Relay(network: self, node: number))
    return topics
  }

  /// The followed topics, by node.
  var followed: [Set<String>] { contents.withLock { $0.followed } }

  /// The number of values that were encoded.
  var encoded: Int { contents.withLock { $0.encoded } }

  /// The number of messages in flight.
  var count: Int { contents.withLock { $0.onTheWay.count } }

  /// Delivers a message, by default the oldest one, and keeps it in flight if `again`.
  func deliver(at place: Int = 0, again: Bool = false) {
    let (message, node) = contents.withLock { contents in
      let next = again ? contents.onTheWay[place] : contents.onTheWay.remove(at: place)
      return (next.message, contents.nodes[next.node])
    }
    node.deliver(message)
  }

  func deliverAll() {
    while count > 0 { deliver() }
  }

  func lose(at place: Int) {
    contents.withLock { _ = $0.onTheWay.remove(at: place) }
  }

  /// Sends the messages in flight between the first two nodes back to their senders.
  func turnBack() {
    contents.withLock { contents in
      for place in contents.onTheWay.indices { contents.onTheWay[place].node ^= 1 }
    }
  }

  private final class Relay: TopicRelay {
    private let network: TopicNetwork
    private let node: Int

    init(network: TopicNetwork, node: Int) {
      self.network = network
      self.node = node
    }

    func isWanted(_ topic: String) -> Bool {
      network.contents.withLock { contents in
        contents.followed.indices.contains { $0 != node && contents.followed[$0].contains(topic) }
      }
    }

    func encode<Value: Encodable>(_ value: Value) -> [UInt8]? {
      network.contents.withLock { $0.encoded += 1 }
      return try? Array(JSONEncoder().encode(value))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
      try? JSONDecoder().decode(type, from: Data(bytes))
    }

    func send(_ message: TopicMessage) {
      network.contents.withLock { contents in
        for other in contents.followed.indices
        where other != node && contents.followed[other].contains(message.topic) {
          contents.onTheWay.append((message, other))
        }
      }
    }

    func follow(_ topic: String) {
      let isNew = network.contents.withLock { $0.followed[node].insert(topic).inserted }
      #expect(isNew, "\(topic) is followed already")
    }

    func unfollow(_ topic: String) {
      let isKnown = network.contents.withLock { $0.followed[node].remove(topic) != nil }
      #expect(isKnown, "\(topic) is not followed")
    }
  }
}
