import CFusionMicrohttpd
import Glibc
import Testing

/// libmicrohttpd without the server around it, to show which defects it has.
///
/// Runs on the calling thread, over socket pairs, and works only in ``run()``.
final class BareLibrary {
  struct Request {
    var method: String
    var target: String
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
  }

  enum Answer {
    case empty
    /// A body of unknown size, without a byte.
    case unknownSize
    /// A body that fails at its first byte.
    case failing
    /// An empty body, once ``resume()`` is called; needs MHD_ALLOW_SUSPEND_RESUME.
    case late
  }

  /// All requests whose heads were complete.
  private(set) var requests: [Request] = []
  /// The results of answering while a body arrives.
  private(set) var earlyAnswers: [MHD_Result] = []
  /// The answer to a target; empty for any other.
  var answers: [String: Answer] = [:]
  private var late: [OpaquePointer] = []
  private var daemon: OpaquePointer?
  private var peers: [Int32] = []

  /// Starts a daemon without a thread, with additional flags.
  init(flags: UInt32 = 0) throws {
    let cls = Unmanaged.passUnretained(self).toOpaque()
    var options = [
      MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: 8192, ptr_value: nil),
      MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 0, ptr_value: nil),
      MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
    ]
    let flags = flags | MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
    daemon = cmhd_start_daemon(flags, handle, cls, &options)
  }

  deinit {
    MHD_stop_daemon(daemon)
    for peer in peers { close(peer) }
  }

  /// Opens a connection; returns its peer.
  func connect() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    peers.append(ends[1])
    var address = sockaddr()
    let length = socklen_t(MemoryLayout<sockaddr>.size)
    try #require(MHD_add_connection(daemon, ends[0], &address, length) == .YES)
    return ends[1]
  }

  /// Lets the library do its pending work.
  func run() {
    for _ in 0..<50 { _ = MHD_run_wait(daemon, 0) }
  }

  /// Lets the requests with late answers go on.
  func resume() {
    for connection in late { MHD_resume_connection(connection) }
    run()
  }

  /// Sends a text on a new connection, a byte for each scalar; returns the answer, and whether the library closed.
  func exchange(_ text: String, endingAfter isEnding: Bool = false) throws -> (
    text: String, isClosed: Bool
  ) {
    let peer = try connect()
    send(text, on: peer)
    if isEnding { shutdown(peer, Int32(SHUT_WR)) }
    run()
    return receive(on: peer)
  }

  func send(_ text: String, on peer: Int32) {
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    _ = Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func receive(on peer: Int32) -> (text: String, isClosed: Bool) {
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(peer, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return (String(decoding: all, as: UTF8.self), count == 0) }
      all += bytes.prefix(count)
    }
  }

  /// Takes a call of the access handler; `context` is the number of the request, from 1.
  fileprivate func access(
    _ connection: OpaquePointer,
    _ request: Request,
    _ part: [UInt8],
    _ context: inout UnsafeMutableRawPointer?
  ) -> MHD_Result {
    guard let number = context.map({ Int(bitPattern: $0) }) else {
      requests.append(request)
      context = UnsafeMutableRawPointer(bitPattern: requests.count)
      MHD_get_connection_values(
        connection,
        .HEADER_KIND,
        addField,
        Unmanaged.passUnretained(self).toOpaque()
      )
      return .YES
    }
    if part.isEmpty, answers[request.target] == .late, !late.contains(connection) {
      late.append(connection)
      MHD_suspend_connection(connection)
      return .YES
    }
    if part.isEmpty { return queue(answers[request.target] ?? .empty, on: connection) }
    requests[number - 1].body += part
    if answers[request.target] != nil {
      earlyAnswers.append(queue(.empty, on: connection))
    }
    return .YES
  }

  fileprivate func add(_ name: String, _ value: String) {
    requests[requests.count - 1].fields.append((name, value))
  }

  private func queue(_ answer: Answer, on connection: OpaquePointer) -> MHD_Result {
    let response =
      switch answer {
      case .empty, .late: MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
      case .unknownSize:
        MHD_create_response_from_callback(
          cmhd_size_unknown,
          16,
          { _, _, _, _ in cmhd_end_of_stream },
          nil,
          nil
        )
      case .failing:
        MHD_create_response_from_callback(
          cmhd_size_unknown,
          16,
          { _, _, _, _ in cmhd_end_with_error },
          nil,
          nil
        )
      }
    defer { MHD_destroy_response(response) }
    return MHD_queue_response(connection, 200, response)
  }
}

/// MHD_AccessHandlerCallback.
private func handle(
  _ cls: UnsafeMutableRawPointer?,
  _ connection: OpaquePointer?,
  _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?,
  _ data: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let cls, let connection, let url, let method, let size, let request else { return .NO }
  let part = [UInt8](UnsafeRawBufferPointer(start: data, count: size.pointee))
  size.pointee = 0
  let head = BareLibrary.Request(method: String(cString: method), target: String(cString: url))
  return Unmanaged<BareLibrary>.fromOpaque(cls).takeUnretainedValue()
    .access(connection, head, part, &request.pointee)
}

/// MHD_KeyValueIterator.
private func addField(
  _ cls: UnsafeMutableRawPointer?,
  _ kind: MHD_ValueKind,
  _ name: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let cls, let name else { return .NO }
  Unmanaged<BareLibrary>.fromOpaque(cls).takeUnretainedValue()
    .add(String(cString: name), value.map { String(cString: $0) } ?? "")
  return .YES
}
