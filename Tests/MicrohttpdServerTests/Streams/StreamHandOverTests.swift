import Glibc
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  /// The step from the loop that accepted a stream's connection to the loop that serves it.
  struct `handing a stream over` {
    private let loop: EventLoop
    private let stream = ScriptedStream([text("hello")])
    private let successor: StreamSocket
    /// The library's descriptor of the socket, and the socket's peer.
    private let own: Int32
    private let peer: Int32

    init() throws {
      let context = ServerContext(
        MicrohttpdServer.Configuration(port: 0),
        limit: ConnectionLimit(wanted: 16, loops: 1),
        isLocal: true,
        handler: echo
      )
      loop = try #require(EventLoop(context))
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (own, peer) = (ends[0], ends[1])
      successor = StreamSocket(stream, on: loop, isChunking: false)
      successor.open()
    }

    /// Closes the library's descriptor, and returns the bytes that the peer receives before the end; nil if
    /// another descriptor keeps the socket open.
    private func readToEnd() -> String? {
      close(own)
      defer { close(peer) }
      var all: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = recv(peer, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count == 0 ? String(decoding: all, as: UTF8.self) : nil }
        all += bytes.prefix(count)
      }
    }

    @Test func `fails if the serving loop has ended, and leaves the socket to the library`() {
      loop.closeInbox()
      #expect(!successor.begin(on: own))
      successor.discard()
      #expect(readToEnd() == "")
      #expect(stream.asked.times == 0 && stream.ended.times == 1)
    }

    @Test func `fails if the serving loop ends with a wake of the stream in its inbox`() {
      stream.say(text("more"))
      loop.closeInbox()
      #expect(!successor.begin(on: own))
      successor.discard()
      #expect(readToEnd() == "")
      #expect(stream.asked.times == 0 && stream.ended.times == 1)
    }

    @Test func `sends the stream's bytes even if the serving loop ends at once`() {
      #expect(successor.begin(on: own))
      loop.closeInbox()
      loop.endStreams()
      #expect(readToEnd() == "hello")
      #expect(stream.ended.times == 1 && loop.connections == 0)
    }

    @Test func `takes the socket once, however often the stream was woken`() {
      stream.say(text(", world"))
      #expect(successor.begin(on: own))
      stream.say(text("!"))
      loop.serveQueued()
      #expect(loop.connections == 1)
      loop.endStreams()
      #expect(readToEnd() == "hello, world!")
      #expect(stream.ended.times == 1 && loop.connections == 0)
    }
  }
}
