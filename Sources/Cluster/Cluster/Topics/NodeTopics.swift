import FoundationEssentials
import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionKit

/// The topics between nodes: sends what is published here to all other nodes, and delivers what comes from them.
///
/// Each node sends its own values to every other one, and relays nothing. So the values of one node arrive in order.
final class NodeTopics: TopicRelay {
  /// The first request to a new node: a batch without values.
  static var greeting: HTTPRequest { TopicBatch.request([]) }

  private struct Contents {
    /// The outboxes by their nodes' addresses.
    var outboxes: [String: TopicOutbox] = [:]
    var isLooking = false
  }

  private let transport: any NodeTransport
  private let time: any TimeSource
  private let onLivingNodes: @Sendable ([Node]) -> Void
  private let report: @Sendable (TopicEvent) -> Void
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - transport: the way to other nodes.
  ///   - time: the clock of the sessions.
  ///   - onLivingNodes: called each second with the other living nodes.
  ///   - report: called with each event, on any thread and under locks: the closure must not publish.
  init(
    _ transport: any NodeTransport,
    _ time: any TimeSource,
    onLivingNodes: @escaping @Sendable ([Node]) -> Void = { _ in },
    report: @escaping @Sendable (TopicEvent) -> Void
  ) {
    self.transport = transport
    self.time = time
    self.onLivingNodes = onLivingNodes
    self.report = report
  }

  // MARK: Other nodes

  /// Looks up the other nodes in the store, and sends failed batches again; called once a second.
  func look(for host: SessionHost) {
    tryAgain()
    let isNew = contents.withLock { contents in
      defer { contents.isLooking = true }
      return !contents.isLooking
    }
    guard isNew else { return }
    host.ownership.findOtherNodes { [self] nodes in
      contents.withLock { $0.isLooking = false }
      if let nodes { update(livingNodes: nodes) }
    }
  }

  /// Takes the other living nodes.
  func update(livingNodes nodes: [Node]) {
    onLivingNodes(nodes)
    let reachable = nodes.filter { !$0.address.isEmpty }
    // Of two nodes at one address the later one lives.
    let present = Dictionary(reachable.map { ($0.address, $0) }) { $1 }
    let gone = contents.withLock { contents in
      for node in present.values {
        if let outbox = contents.outboxes[node.address] {
          outbox.rename(node)
        } else {
          contents.outboxes[node.address] = TopicOutbox(to: node, transport, report: report)
        }
      }
      let gone = contents.outboxes.filter { present[$0.key] == nil }
      for address in gone.keys { contents.outboxes[address] = nil }
      return gone.values
    }
    for outbox in gone { outbox.end() }
  }

  /// Drops what has waited for too long, and sends failed batches again.
  func tryAgain() {
    let outboxes = contents.withLock { $0.outboxes.values }
    let now = time.now
    for outbox in outboxes { outbox.look(at: now) }
  }

  /// The number of bytes on their way to other nodes.
  var bytes: Int { contents.withLock { $0.outboxes.values }.reduce(0) { $0 + $1.bytes } }

  /// Delivers another node's batch to the sessions here; returns false if the body is not a batch.
  func take(_ body: [UInt8], for topics: Topics) -> Bool {
    guard let messages = TopicBatch.messages(of: body) else { return false }
    report(.received(messages.count))
    for message in messages { topics.deliver(message) }
    return true
  }

  // MARK: The relay of this node's topics

  func isWanted(_ topic: String) -> Bool {
    contents.withLock { !$0.outboxes.isEmpty }
  }

  func encode<Value: Encodable>(_ value: Value) -> [UInt8]? {
    let type = String(reflecting: Value.self)
    guard let data = try? JSONEncoder().encode(value) else {
      report(.unwritable(type: type))
      return nil
    }
    guard data.count <= Self.largestValue else {
      report(.tooLarge(type: type, bytes: data.count))
      return nil
    }
    return Array(data)
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    if let value = try? JSONDecoder().decode(type, from: Data(bytes)) { return value }
    report(.unreadable(type: String(reflecting: type)))
    return nil
  }

  func send(_ message: TopicMessage) {
    let outboxes = contents.withLock { $0.outboxes.values }
    let now = time.now
    for outbox in outboxes { outbox.add(message, at: now) }
  }

  // Every node gets every value: a node without subscribers is rare, and tracking it costs more.
  func follow(_ topic: String) {}
  func unfollow(_ topic: String) {}

  /// The largest value as JSON, so that it fits into a request with any topic's name.
  private static let largestValue = TopicBatch.limit - 1_024
}
