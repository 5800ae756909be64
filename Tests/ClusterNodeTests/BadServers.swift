import Glibc

/// A server that answers its first request, and closes the connection of each further request unanswered.
final class BrokenServer: Sendable {
  let port: Int
  private let socket: Int32

  init() throws {
    (socket, port) = try listeningSocket()
  }

  deinit { close(socket) }

  /// Serves until no connection arrives for a moment; returns the number of requests.
  func answerOneAndBreakOff(_ body: String) throws -> Int {
    var count = 0
    while true {
      var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, count == 0 ? 10_000 : 500) > 0 else { return count }
      let connection = accept(socket, nil, nil)
      while true {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var text = ""
        while !text.hasSuffix("\r\n\r\n" + body) {
          let size = recv(connection, &bytes, bytes.count, 0)
          guard size > 0 else { break }
          text += String(decoding: bytes[..<size], as: UTF8.self)
        }
        if text.isEmpty { break }
        count += 1
        if count > 1 { break }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        _ = Glibc.send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      }
      close(connection)
    }
  }
}

/// A server like a stopped process: the kernel accepts connections and data, but nobody answers.
final class PausedServer: Sendable {
  let port: Int
  private let socket: Int32

  init() throws {
    (socket, port) = try listeningSocket()
  }

  deinit { close(socket) }
}

/// Returns a socket that listens on a free port, and the port.
private func listeningSocket() throws -> (socket: Int32, port: Int) {
  let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &name) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
      bind(socket, name, length) == 0 && listen(socket, 8) == 0
        && getsockname(socket, name, &length) == 0
    }
  }
  guard isBound else { throw Failure("cannot listen") }
  return (socket, Int(UInt16(bigEndian: name.sin_port)))
}
