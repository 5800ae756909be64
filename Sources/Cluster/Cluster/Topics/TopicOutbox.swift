import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionKit

/// The values on their way to one other node, in order: one request at a time, with everything queued.
///
/// A request that failed is sent again, as the node takes no value twice. The oldest values are dropped if too much
/// waits, or after ``timeout``.
final class TopicOutbox: Sendable {
  /// The number of bytes that may wait.
  static let limit = 1 << 20
  /// The time that a value may wait: longer than any lease, so that a dead node is known by then.
  static let timeout = Duration.seconds(5)
  /// The time in which a node has to answer a request.
  private static let deadline = Duration.seconds(2)

  private struct Item {
    let message: TopicMessage
    let size: Int
    let since: Duration
  }

  private struct Contents {
    var node: Node
    var waiting: ArraySlice<Item> = []
    var sending: [Item] = []
    /// The bytes of all values that wait or are being sent.
    var bytes = 0
    /// The reason why the last request failed; nothing is sent until the next look.
    var failure: String?
    var isLossTold = false
    var isOver = false

    mutating func dropFirst() {
      bytes -= waiting.removeFirst().size
    }
  }

  private let transport: any NodeTransport
  private let report: @Sendable (TopicEvent) -> Void
  private let contents: Mutex<Contents>

  init(
    to node: Node,
    _ transport: any NodeTransport,
    report: @escaping @Sendable (TopicEvent) -> Void
  ) {
    self.transport = transport
    self.report = report
    contents = Mutex(Contents(node: node))
  }

  /// The number of bytes that wait or are being sent.
  var bytes: Int { contents.withLock { $0.bytes } }

  /// Sets the node's new number after it has joined again.
  func rename(_ node: Node) {
    contents.withLock { $0.node = node }
  }

  /// Adds a message behind all others.
  func add(_ message: TopicMessage, at now: Duration) {
    let size = TopicBatch.size(of: message)
    let dropped = contents.withLock { contents in
      if contents.isOver { return 1 }
      contents.waiting.append(Item(message: message, size: size, since: now))
      contents.bytes += size
      var dropped = 0
      while contents.bytes > Self.limit, contents.waiting.count > 1 {
        contents.dropFirst()
        dropped += 1
      }
      return dropped
    }
    tell(ofLost: dropped)
    proceed()
  }

  /// Drops what has waited for too long, and tries again; called once a second.
  func look(at now: Duration) {
    let dropped = contents.withLock { contents in
      var dropped = 0
      while let first = contents.waiting.first, first.since + Self.timeout <= now {
        contents.dropFirst()
        dropped += 1
      }
      return dropped
    }
    tell(ofLost: dropped)
    contents.withLock { $0.failure = nil }
    proceed()
  }

  /// Drops all waiting values, as the node has left.
  func end() {
    let dropped = contents.withLock { contents in
      defer {
        contents.isOver = true
        contents.waiting = []
      }
      return contents.waiting.count
    }
    if dropped > 0 { report(.dropped(dropped)) }
  }

  private func tell(ofLost count: Int) {
    guard count > 0 else { return }
    let (node, failure, isNews) = contents.withLock { contents in
      // A loss at a node that has left is not logged.
      defer { contents.isLossTold = true }
      return (contents.node, contents.failure, !contents.isLossTold && !contents.isOver)
    }
    report(.dropped(count))
    if isNews { report(.isLosing(node, reason: failure ?? "it takes them too slowly")) }
  }

  // MARK: Sending

  /// Sends the next values, unless some are on their way or the last request failed.
  private func proceed() {
    let next: (Node, [TopicMessage])? = contents.withLock { contents in
      guard contents.sending.isEmpty, contents.failure == nil, !contents.waiting.isEmpty else {
        return nil
      }
      var size = 0
      contents.sending = Array(
        contents.waiting.prefix { item in
          size += item.size
          return size <= TopicBatch.limit
        }
      )
      contents.waiting.removeFirst(contents.sending.count)
      return (contents.node, contents.sending.map(\.message))
    }
    guard let (node, messages) = next else { return }
    transport.forward(
      TopicBatch.request(messages),
      to: node,
      within: Self.deadline,
      over: .own
    ) { [self] result in
      if let failure = failure(of: result) { fail(failure) } else { succeed() }
    }
  }

  private func succeed() {
    let (node, count, isNews) = contents.withLock { contents in
      let count = contents.sending.count
      contents.bytes -= contents.sending.reduce(0) { $0 + $1.size }
      contents.sending = []
      defer { contents.isLossTold = false }
      return (contents.node, count, contents.isLossTold)
    }
    report(.sent(count))
    if isNews { report(.isDelivering(node)) }
    proceed()
  }

  private func fail(_ failure: String) {
    let dropped = contents.withLock { contents in
      contents.failure = failure
      defer { contents.sending = [] }
      if contents.isOver { return contents.sending.count }
      contents.waiting = contents.sending[...] + contents.waiting
      return 0
    }
    if dropped > 0 { report(.dropped(dropped)) }
  }
}

/// Returns the reason why a node has not taken a batch; nil where it has.
private func failure(of result: Result<HTTPResponse, ForwardingError>) -> String? {
  switch result {
  case .success(let response): response.status == 204 ? nil : "it answers \(response.status)"
  case .failure(.notOwner): "it is known by another number by now"
  case .failure(.full): "too many requests wait for it"
  case .failure(.notSent(let text)), .failure(.noAnswer(let text)): text
  }
}
