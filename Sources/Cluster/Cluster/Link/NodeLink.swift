import Synchronization

/// The connections to other nodes: HTTP/1.1 by libcurl, kept between requests.
///
/// Its functions do not wait, and may be called from any thread. Closures are called on threads of the link, and must
/// not block them.
package final class NodeLink: Sendable {
  package struct Options: Sendable {
    /// The connections to all nodes together, an eighth of them for requests that are answered at once, and a
    /// sixteenth for what nodes ask each other by themselves.
    package var connections = 16_384
    /// The connections to each node for requests that are answered at once; further requests wait.
    package var connectionsPerNode = 64
    /// The number of requests that may wait, each for a second; further ones fail at once.
    package var waitingPerNode = 4_096
    /// The connections to each node for requests whose answers are held back: libcurl looks at each of them whenever
    /// something comes over one, which takes 4 us (7.88).
    package var heldConnectionsPerNode = 4_096
    /// The largest answer, in bytes.
    package var answerBytes = 4 << 20
    package var connectTimeout = Duration.seconds(1)

    package init() {}
  }

  private let options: Options
  private let prompt: TransferThread
  private let held: TransferThread
  private let own: TransferThread
  private let numbers = Atomic(0)

  /// Returns nil if the system has no descriptors or no threads left.
  package init?(_ options: Options = Options()) {
    self.options = options
    let limits = { connections, connectionsPerNode in
      TransferThread.Limits(
        connections: max(1, connections),
        connectionsPerNode: connectionsPerNode,
        waitingPerNode: options.waitingPerNode,
        connectTimeout: options.connectTimeout
      )
    }
    let (ofPrompt, ofOwn) = (options.connections / 8, options.connections / 16)
    let ofHeld = options.connections - ofPrompt - ofOwn
    let prompt = TransferThread(limits(ofPrompt, options.connectionsPerNode))
    let held = TransferThread(limits(ofHeld, options.heldConnectionsPerNode))
    let own = TransferThread(limits(ofOwn, options.connectionsPerNode))
    guard let prompt, let held, let own else {
      for thread in [prompt, held, own] { thread?.stop() }
      return nil
    }
    (self.prompt, self.held, self.own) = (prompt, held, own)
  }

  deinit {
    stop()
  }

  /// Sends a request; calls `done` with the answer, whatever its status.
  ///
  /// The request is never sent twice: if the connection breaks off, the result is ``NodeLinkError/noAnswer(_:)``.
  @discardableResult
  package func send(
    _ request: NodeRequest,
    _ done: @escaping @Sendable (Result<NodeAnswer, NodeLinkError>) -> Void
  ) -> OpenTransfer {
    begin(request, .whole(done))
  }

  /// Sends a request, and hands over the answer's body in pieces as they come, then nil.
  ///
  /// An answer with another status than 200 yields nil alone.
  package func open(
    _ request: NodeRequest,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> OpenTransfer {
    begin(request, .pieces(take))
  }

  /// Ends all transfers; later ones fail.
  package func stop() {
    for thread in [prompt, held, own] { thread.stop() }
  }

  private func begin(
    _ request: NodeRequest,
    _ receiver: Transfer.Receiver
  ) -> OpenTransfer {
    let thread =
      switch request.lane {
      case .prompt: prompt
      case .held: held
      case .own: own
      }
    let number = numbers.add(1, ordering: .relaxed).newValue
    thread.begin(Transfer(number, request, limit: options.answerBytes, receiver))
    return OpenTransfer(number: number, thread: thread)
  }
}

/// A request on its way.
package struct OpenTransfer: Sendable {
  fileprivate let number: Int
  fileprivate let thread: TransferThread

  /// Gives up the request, unless it has ended; its closure is called.
  package func cancel() {
    thread.cancel(number)
  }
}
