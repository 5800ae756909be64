import FoundationEssentials
import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionKit

/// Carries what is published here to all other nodes, and hands on here what comes from them.
///
/// Each node sends what was published on it to every other one; nobody passes anything on. So what a node
/// sends arrives in order, though not what two of them do.
final class NodeTopics: TopicRelay {
  /// The first request to a new node: a batch without values.
  static var greeting: HTTPRequest { TopicBatch.request([]) }

  private struct Contents {
    /// By the address of each node.
    var lines: [String: TopicOutbox] = [:]
    var isLooking = false
  }

  private let forwarding: any RequestForwarding
  private let time: any TimeSource
  private let met: @Sendable ([Node]) -> Void
  private let report: @Sendable (TopicEvent) -> Void
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - forwarding: the way to other nodes.
  ///   - time: that of the sessions.
  ///   - met: told each second of the other nodes that are there.
  ///   - report: told of what becomes of values, on any thread, and also under locks: it must not publish.
  init(
    _ forwarding: any RequestForwarding,
    _ time: any TimeSource,
    met: @escaping @Sendable ([Node]) -> Void = { _ in },
    report: @escaping @Sendable (TopicEvent) -> Void
  ) {
    self.forwarding = forwarding
    self.time = time
    self.met = met
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
    host.findOtherNodes { [self] nodes in
      contents.withLock { $0.isLooking = false }
      if let nodes { meet(nodes) }
    }
  }

  /// These are the other nodes that are there, until the next time.
  func meet(_ nodes: [Node]) {
    met(nodes)
    let reachable = nodes.filter { !$0.address.isEmpty }
    // Of two at one address the later one is there.
    let present = Dictionary(reachable.map { ($0.address, $0) }) { $1 }
    let gone = contents.withLock { contents in
      for node in present.values {
        if let line = contents.lines[node.address] {
          line.rename(node)
        } else {
          contents.lines[node.address] = TopicOutbox(to: node, forwarding, report: report)
        }
      }
      let gone = contents.lines.filter { present[$0.key] == nil }
      for address in gone.keys { contents.lines[address] = nil }
      return gone.values
    }
    for line in gone { line.end() }
  }

  /// Drops what has waited for too long, and sends what is left of what was in vain.
  func tryAgain() {
    let lines = contents.withLock { $0.lines.values }
    let now = time.now
    for line in lines { line.look(at: now) }
  }

  /// How many bytes are on their way to other nodes.
  var bytes: Int { contents.withLock { $0.lines.values }.reduce(0) { $0 + $1.bytes } }

  /// Hands to the sessions here what another node has sent; false where that is no batch.
  func take(_ body: [UInt8], for topics: Topics) -> Bool {
    guard let messages = TopicBatch.messages(of: body) else { return false }
    report(.received(messages.count))
    for message in messages { topics.deliver(message) }
    return true
  }

  // MARK: The relay of this node's topics

  func isWanted(_ topic: String) -> Bool {
    contents.withLock { !$0.lines.isEmpty }
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
    let lines = contents.withLock { $0.lines.values }
    let now = time.now
    for line in lines { line.add(message, at: now) }
  }

  // Every node gets everything: few have nobody who listens, and to know that takes telling.
  func follow(_ topic: String) {}
  func unfollow(_ topic: String) {}

  /// Bytes of a value as JSON, so that it fits into a request whatever its topic is called.
  private static let largestValue = TopicBatch.limit - 1_024
}
