import FusionHTTPMessages
import FusionSessions
import Synchronization

/// The sessions of one other node that are followed here, over one stream from that node.
///
/// A feed ends when nothing is followed any more, or when its stream breaks off or a change may be lost. Its sessions
/// are lost then, and their proxies look for them.
final class NodeFeed: Sendable {
  typealias Receiver = @Sendable (FeedFrame) -> Void

  private struct Contents {
    var upstream: (any Upstream)?
    /// Whether the node has sent anything: from then on the node takes changes.
    var isOpen = false
    var isOver = false
    var reader = FeedReader()
    var lastNumber = 0
    var receivers: [Int: Receiver] = [:]
    /// The changes that are still to be sent.
    var changes: [FeedChange] = []
    var isTelling = false
  }

  let node: Node
  private let name: String
  /// The address of this node; nil where it has none.
  private let reader: String?
  private let transport: any NodeTransport
  private let metrics: ClusterMetrics
  private let atEnd: @Sendable (NodeFeed) -> Void
  private let contents = Mutex(Contents())

  /// The time in which the node has to accept changes; it carries them out later.
  private static let timeout = Duration.seconds(5)

  init(
    of node: Node,
    name: String,
    readBy reader: String?,
    _ transport: any NodeTransport,
    _ metrics: ClusterMetrics,
    atEnd: @escaping @Sendable (NodeFeed) -> Void
  ) {
    self.node = node
    self.name = name
    self.reader = reader
    self.transport = transport
    self.metrics = metrics
    self.atEnd = atEnd
  }

  /// Opens the stream; called once, without locks, as it may fail at once.
  func open() {
    let request = FeedRequest.open(name, by: reader)
    let upstream = transport.open(request, on: node, over: .own) { [weak self] event in
      switch event {
      case .bytes(let bytes): self?.read(bytes)
      case .end: self?.end()
      }
    }
    let isOver = contents.withLock { contents in
      contents.upstream = upstream
      return contents.isOver
    }
    if isOver { upstream.cancel() }
  }

  /// Adds a session, and returns its number; nil if the feed has ended.
  ///
  /// ``sendChanges()`` tells the node. `take` is called with each frame, in order, and with
  /// ``FeedFrame/lost(_:)`` when the feed ends.
  func follow(_ id: SessionID, _ take: @escaping Receiver) -> Int? {
    contents.withLock { contents in
      if contents.isOver { return nil }
      contents.lastNumber += 1
      contents.receivers[contents.lastNumber] = take
      contents.changes.append(.follow(contents.lastNumber, id))
      metrics.followed.add(1, ordering: .relaxed)
      return contents.lastNumber
    }
  }

  func drop(_ number: Int) {
    let isDropped = contents.withLock { contents in
      guard contents.receivers.removeValue(forKey: number) != nil else { return false }
      contents.changes.append(.drop(number))
      return true
    }
    guard isDropped else { return }
    metrics.followed.subtract(1, ordering: .relaxed)
    sendChanges()
  }

  /// Adds a change of who follows a session; ``sendChanges()`` tells the node.
  func add(_ change: FeedChange) {
    contents.withLock { if !$0.isOver { $0.changes.append(change) } }
  }

  /// Sends the changes to the node, one request after another; ends the feed if nothing is followed.
  func sendChanges() {
    let (isUsed, changes) = contents.withLock { contents in
      guard !contents.receivers.isEmpty else { return (false, ArraySlice<FeedChange>()) }
      guard contents.isOpen, !contents.isTelling else { return (true, []) }
      let changes = FeedChange.firstRequest(of: contents.changes)
      contents.changes.removeFirst(changes.count)
      contents.isTelling = !changes.isEmpty
      return (true, changes)
    }
    guard isUsed else { return end() }
    guard !changes.isEmpty else { return }
    let request = FeedRequest.change(name, changes)
    transport.forward(request, to: node, within: Self.timeout, over: .own) { [weak self] in
      self?.handleAnswer($0, of: changes)
    }
  }

  private func handleAnswer(
    _ result: Result<HTTPResponse, ForwardingError>,
    of changes: ArraySlice<FeedChange>
  ) {
    switch result {
    case .success(let response) where response.status == 204:
      contents.withLock { $0.isTelling = false }
      sendChanges()
    // The node has not seen the changes: they are sent again when the feed brings something, at least a heartbeat.
    case .failure(.notSent), .failure(.full):
      contents.withLock { contents in
        contents.changes = changes + contents.changes
        contents.isTelling = false
      }
    case .success, .failure: end()
    }
  }

  private func read(_ bytes: [UInt8]) {
    let frames: [(take: Receiver, frame: FeedFrame)]? = contents.withLock { contents in
      if contents.isOver { return [] }
      contents.isOpen = true
      return try? contents.reader.read(bytes).compactMap { frame in
        let take = contents.receivers[frame.number]
        if frame.isLast, contents.receivers.removeValue(forKey: frame.number) != nil {
          metrics.followed.subtract(1, ordering: .relaxed)
        }
        return take.map { ($0, frame) }
      }
    }
    guard let frames else { return end() }
    for (take, frame) in frames { take(frame) }
    sendChanges()
  }

  private func end() {
    let (upstream, receivers) = contents.withLock { contents in
      defer {
        contents.isOver = true
        contents.upstream = nil
        contents.receivers = [:]
      }
      return (contents.upstream, contents.receivers)
    }
    metrics.followed.subtract(receivers.count, ordering: .relaxed)
    upstream?.cancel()
    atEnd(self)
    for (number, take) in receivers.sorted(by: { $0.key < $1.key }) { take(.lost(number)) }
  }
}
