import FusionHTTPMessages
import Glibc
import Testing

@testable import FusionMicrohttpdServer

struct `Outgoing bytes` {
  private func outgoing(_ pieces: [String]) -> OutgoingBytes {
    var bytes = OutgoingBytes()
    for piece in pieces { bytes.append(Array(piece.utf8)[...]) }
    return bytes
  }

  /// Calls a function with the two ends of a socket pair.
  private func withSockets(_ body: (_ near: Int32, _ far: Int32) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try body(ends[0], ends[1])
  }

  private func received(_ socket: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  @Test(arguments: 0...9) func `go on after the bytes that a socket took`(sent: Int) throws {
    var bytes = outgoing(["one", "", "two", "345"])
    bytes.drop(sent)
    #expect(bytes.isEmpty == (sent == 9))
    try withSockets { near, far in
      if !bytes.isEmpty { #expect(bytes.send(to: near) == 9 - sent) }
      #expect(bytes.isEmpty)
      #expect(received(far) == String("onetwo345".dropFirst(sent)))
    }
  }

  @Test func `hold no more pieces than one system call takes`() throws {
    var bytes = OutgoingBytes()
    while !bytes.isFull { bytes.append([0x61]) }
    try withSockets { near, far in
      #expect(bytes.send(to: near) == received(far).utf8.count)
      #expect(bytes.isEmpty)
    }
    bytes.append([UInt8](repeating: 0, count: 1 << 20)[...])
    #expect(bytes.isFull)
  }
}

struct `A body's chunk` {
  @Test(arguments: ["a", "0123456789abcdef", "\r\n\n", String(repeating: "x", count: 70_000)])
  func `is framed once, and gives its content back`(text: String) {
    let chunk = BodyChunk(Array(text.utf8))
    let size = String(text.utf8.count, radix: 16)
    #expect(chunk.bytes == Array("\(size)\r\n\(text)\r\n".utf8))
    #expect(Array(chunk.content) == Array(text.utf8))
    #expect(BodyChunk(framed: chunk.bytes).content == chunk.content)
  }

  @Test func `without content is not the last chunk`() {
    #expect(BodyChunk([]).bytes.isEmpty && BodyChunk([]).content.isEmpty)
  }
}
