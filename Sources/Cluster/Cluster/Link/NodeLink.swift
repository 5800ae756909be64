import Synchronization

/// The way to other nodes: HTTP/1.1 over connections that are kept, by libcurl.
///
/// Its functions do not wait, and may be called from any thread; what they call comes on threads of the
/// link's own, which must not be held up.
package final class NodeLink: Sendable {
  package struct Options: Sendable {
    /// To all nodes together, an eighth of them for requests that are answered as soon as can be.
    package var connections = 16_384
    /// The connections to each node for requests that are answered at once; further requests wait in line.
    package var connectionsPerNode = 64
    /// How many requests may wait there, each for a second at the most; what is more fails at once.
    package var waitingPerNode = 4_096
    /// The connections to each node for streams and for requests whose answers are held back.
    package var heldConnectionsPerNode = 16_384
    /// Bytes of an answer that is handed over in whole.
    package var answerBytes = 4 << 20
    package var connectTimeout = Duration.seconds(1)

    package init() {}
  }

  private let options: Options
  private let prompt: TransferThread
  private let held: TransferThread
  private let numbers = Atomic(0)

  /// Nil where the system has no descriptors or no threads for it.
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
    let ofPrompt = options.connections / 8
    guard let prompt = TransferThread(limits(ofPrompt, options.connectionsPerNode))
    else { return nil }
    let ofHeld = options.connections - ofPrompt
    guard let held = TransferThread(limits(ofHeld, options.heldConnectionsPerNode)) else {
      prompt.stop()
      return nil
    }
    (self.prompt, self.held) = (prompt, held)
  }

  deinit {
    stop()
  }

  /// Sends a request; `done` is given the answer, whatever its status, or why there is none.
  ///
  /// Never sends it twice: what breaks off once it has begun is ``NodeLinkError/noAnswer(_:)``.
  @discardableResult
  package func send(
    _ request: NodeRequest,
    _ done: @escaping @Sendable (Result<NodeAnswer, NodeLinkError>) -> Void
  ) -> OpenTransfer {
    begin(request, on: request.isHeld ? held : prompt, .whole(done))
  }

  /// Sends a request whose answer is handed over in pieces as they come, until its end.
  package func open(
    _ request: NodeRequest,
    _ take: @escaping @Sendable (NodeStreamEvent) -> Void
  ) -> OpenTransfer {
    begin(request, on: held, .pieces(take))
  }

  /// Ends all transfers; those to come fail.
  package func stop() {
    prompt.stop()
    held.stop()
  }

  private func begin(
    _ request: NodeRequest,
    on thread: TransferThread,
    _ taker: Transfer.Taker
  ) -> OpenTransfer {
    let number = numbers.add(1, ordering: .relaxed).newValue
    thread.begin(Transfer(number, request, limit: options.answerBytes, taker))
    return OpenTransfer(number: number, thread: thread)
  }
}

/// A request that was sent, to be given up by.
package struct OpenTransfer: Sendable {
  fileprivate let number: Int
  fileprivate let thread: TransferThread

  /// Gives it up, unless it has ended; who waits for it is told so.
  package func cancel() {
    thread.cancel(number)
  }
}
