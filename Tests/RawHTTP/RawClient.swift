import Glibc

/// A connection on which tests send exact bytes, and wait for the answer.
///
/// Waiting blocks the thread; after thirty seconds without a byte, the test fails.
package final class RawClient: Sendable {
  package let socket: Int32

  package struct Silence: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
      self.description = description
    }
  }

  package struct Response: Sendable {
    package var status = 0
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// Whether a chunked body ended with its last chunk.
    package var isComplete = true

    package var text: String { String(decoding: body, as: UTF8.self) }

    package subscript(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func count(_ name: String) -> Int {
      fields.count { $0.name.lowercased() == name.lowercased() }
    }
  }

  package convenience init(_ port: Int, silence: Int = 30) throws {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = UInt16(port).bigEndian
    name.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    try self.init(AF_INET, name, silence)
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
  }

  /// Connects to a Unix socket.
  package convenience init(path: String, silence: Int = 30) throws {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    try self.init(AF_UNIX, name, silence)
  }

  private init<Name>(_ family: Int32, _ name: Name, _ silence: Int) throws {
    socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: silence, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    guard result == 0 else { throw Silence(description: "cannot connect: errno \(errno)") }
  }

  deinit { close(socket) }

  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Returns whether all bytes were sent.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, noSignal) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends a request with a Host, for tests that do not depend on its details.
  package func request(_ line: String, _ fields: String = "", body: String = "") {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    send("\(line) HTTP/1.1\r\nHost: localhost\r\n\(length)\(fields)\r\n\(body)")
  }

  /// Ends sending; reading is still possible.
  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Whether the peer neither sends nor closes for the given time.
  package func isQuiet(milliseconds: Int32) -> Bool {
    var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, milliseconds) == 0
  }

  /// Sends a text repeatedly, with pauses, until the peer closes or answers; returns false if it does
  /// neither.
  package func drip(_ text: String, every milliseconds: Int32, times: Int) -> Bool {
    for _ in 0..<times {
      send(text)
      if !isQuiet(milliseconds: milliseconds) { return true }
    }
    return false
  }

  /// Reads a byte repeatedly, with pauses, until the peer resets the connection, or closes a Unix socket.
  ///
  /// Returns false if the peer does neither.
  package func sip(every milliseconds: Int32, times: Int) -> Bool {
    for _ in 0..<times {
      var byte: UInt8 = 0
      guard recv(socket, &byte, 1, 0) == 1 else { return errno == ECONNRESET }
      // Bytes from before the reset can still be read: only polling shows the reset.
      var event = pollfd(fd: socket, events: 0, revents: 0)
      if poll(&event, 1, milliseconds) > 0 { return event.revents & Int16(POLLERR | POLLHUP) != 0 }
    }
    return false
  }

  /// Returns the next byte; nil at the end or after a reset.
  package func byte() throws -> UInt8? {
    var byte: UInt8 = 0
    switch recv(socket, &byte, 1, 0) {
    case 1: return byte
    case 0: return nil
    default:
      if errno == ECONNRESET { return nil }
      // A signal interrupted the call.
      if errno == EINTR { return try self.byte() }
      throw Silence(description: "nothing came: errno \(errno)")
    }
  }

  package func line() throws -> String? {
    var bytes: [UInt8] = []
    while let byte = try byte() {
      if byte == 10 {
        return String(decoding: bytes.dropLast(bytes.last == 13 ? 1 : 0), as: UTF8.self)
      }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  package func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(count, 65_536))
    while bytes.count < count {
      let size = recv(socket, &part, min(part.count, count - bytes.count), 0)
      if size == 0 || (size < 0 && errno == ECONNRESET) { break }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { throw Silence(description: "nothing came: errno \(errno)") }
      bytes += part[..<size]
    }
    return bytes
  }

  package func readToEnd() throws -> [UInt8] { try read(.max) }

  /// Returns the next response's head; nil if the connection has ended.
  package func head() throws -> Response? {
    var response = Response()
    guard let first = try line() else { return nil }
    response.status = Int(first.split(separator: " ").dropFirst().first ?? "") ?? 0
    while let line = try line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      response.fields.append(
        (String(parts[0]), String(parts[1].drop { $0 == " " }))
      )
    }
    return response
  }

  /// Returns a chunk of a chunked body: empty for the last one, nil if the connection has ended.
  package func chunk() throws -> [UInt8]? {
    guard let line = try line(), let size = Int(line, radix: 16) else { return nil }
    let bytes = try read(size)
    _ = try self.line()
    return bytes
  }

  /// Returns bytes of a chunked body, from one or more chunks; fewer if the body ends.
  package func chunks(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let chunk = try chunk(), !chunk.isEmpty { bytes += chunk }
    return bytes
  }

  /// Returns the next response with its body.
  package func response(toHead: Bool = false) throws -> Response? {
    guard var response = try head() else { return nil }
    if toHead || response.status == 204 || response.status == 304 { return response }
    if response["Transfer-Encoding"] == "chunked" {
      response.isComplete = false
      while let chunk = try chunk() {
        if chunk.isEmpty {
          response.isComplete = true
          break
        }
        response.body += chunk
      }
    } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
      response.body = try read(length)
    } else {
      response.body = try readToEnd()
    }
    return response
  }
}

/// Keeps a write to a closed connection from ending the test process.
private let noSignal = Int32(MSG_NOSIGNAL)
