import FusionHTTPMessages
package import FusionMicrohttpdServer
import Synchronization

/// The port at which other nodes ask this one, and the connections over which this one asks them.
package final class NodePort: Sendable {
  package struct Options: Sendable {
    /// The server of the port; nil if other nodes cannot ask this one.
    package var server: MicrohttpdServer.Configuration?
    package var link = NodeLink.Options()
    /// The secret that all nodes have; empty if the store's own is enough.
    package var secret: [UInt8] = []

    package init() {}
  }

  /// The number of the port; nil if other nodes cannot ask this one.
  package var number: Int? { server?.port }

  let link: NodeLink
  let secret: [UInt8]
  private let server: MicrohttpdServer?
  private let handler: DeferredHandler

  /// Listens from here on, and responds from ``open(_:)`` on.
  package init(_ options: Options) throws(NodePortError) {
    let handler = DeferredHandler()
    do throws(StartError) {
      server = try options.server.map { configuration throws(StartError) in
        try MicrohttpdServer(configuration, handler: handler.handle)
      }
    } catch {
      throw NodePortError(description: "--node-address: \(error)")
    }
    guard let link = NodeLink(options.link) else {
      throw NodePortError(
        description: "the way to other nodes cannot be opened: too few files or threads are allowed"
      )
    }
    (self.link, self.handler, secret) = (link, handler, options.secret)
  }

  func open(_ handler: @escaping HTTPHandler) {
    self.handler.open(handler)
  }

  /// Responds to the requests that were received, and ends everything else.
  package func stop() async {
    await server?.stop(within: .seconds(1))
    link.stop()
  }
}

/// The reason why a ``NodePort`` could not be opened.
package struct NodePortError: Error {
  package let description: String
}

/// The handler of a port until ``NodePort/open(_:)`` sets the real one.
private final class DeferredHandler: Sendable {
  private let handler = Mutex<HTTPHandler?>(nil)

  func open(_ handler: @escaping HTTPHandler) {
    self.handler.withLock { $0 = handler }
  }

  func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    guard let handler = handler.withLock(\.self) else {
      return responder(Problem.draining.response)
    }
    handler(request, responder)
  }
}
