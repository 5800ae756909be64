import CFusionCurl
import FusionHTTPMessages
import Glibc
import UIFusionKit

/// A request and its answer, while libcurl works on them.
@safe final class Transfer: @unchecked Sendable {
  // Guard: the link's thread, which gets the transfer at once and alone uses it from then on.
  let number: Int
  let request: NodeRequest
  /// The deadline by the clock of the transfer's thread; nil for a stream.
  var deadline: Duration?
  private let receiver: Receiver
  /// The largest head, and the largest body, that is kept.
  private let limit: Int
  private var answer = NodeAnswer()
  private var headSize = 0
  private var sent = 0
  private var isTooLarge = false
  /// The number of times that libcurl was about to send the request.
  private var attempts = 0
  private var fields: UnsafeMutablePointer<curl_slist>?

  /// The receiver of the answer, called on the transfer's thread, which must not be blocked.
  enum Receiver {
    case whole(@Sendable (Result<NodeAnswer, NodeLinkError>) -> Void)
    case pieces(@Sendable ([UInt8]?) -> Void)
  }

  init(_ number: Int, _ request: NodeRequest, limit: Int, _ receiver: Receiver) {
    self.number = number
    self.request = request
    self.limit = limit
    self.receiver = receiver
  }

  deinit {
    unsafe curl_slist_free_all(fields)
  }

  // MARK: Before it is sent

  /// Prepares a handle of libcurl's; the transfer has to live until ``end(_:)``.
  func prepare(_ handle: UnsafeMutableRawPointer, connectTimeout: Duration) {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_set_text(handle, CURLOPT_URL, request.address + request.target)
    unsafe ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    // The process's environment must not lead the request to a proxy.
    unsafe ccurl_set_text(handle, CURLOPT_PROXY, "")
    unsafe ccurl_set_number(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    unsafe ccurl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
    unsafe ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    unsafe ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.wholeMilliseconds)
    // The other side closes idle connections after 30 seconds: a request at that moment would be in doubt.
    unsafe ccurl_set_number(handle, CURLOPT_MAXAGE_CONN, 20)
    unsafe ccurl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
    unsafe ccurl_set_number(handle, CURLOPT_TCP_KEEPIDLE, 1)
    unsafe ccurl_set_number(handle, CURLOPT_TCP_KEEPINTVL, 1)
    unsafe ccurl_set_new_socket(handle, limitSilence)
    unsafe ccurl_set_before_request(handle, beforeRequest)
    unsafe ccurl_set_pointer(handle, CURLOPT_PREREQDATA, own)
    unsafe ccurl_set_transfer(handle, CURLOPT_HEADERFUNCTION, takeHeader)
    unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, own)
    unsafe ccurl_set_transfer(handle, CURLOPT_WRITEFUNCTION, takeBody)
    unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, own)
    unsafe ccurl_set_pointer(handle, CURLOPT_PRIVATE, own)
    unsafe prepareMethod(handle, own)
    unsafe prepareFields(handle)
  }

  private func prepareMethod(_ handle: UnsafeMutableRawPointer, _ own: UnsafeMutableRawPointer) {
    switch request.method {
    case .get: break
    case .head: unsafe ccurl_set_number(handle, CURLOPT_NOBODY, 1)
    default:
      if !request.body.isEmpty || request.method == .post {
        unsafe ccurl_set_number(handle, CURLOPT_POST, 1)
        unsafe ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, request.body.count)
        unsafe ccurl_set_transfer(handle, CURLOPT_READFUNCTION, giveBody)
        unsafe ccurl_set_pointer(handle, CURLOPT_READDATA, own)
      }
      unsafe ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  /// Adds the header fields; a name with only a colon removes a field that libcurl would add.
  private func prepareFields(_ handle: UnsafeMutableRawPointer) {
    for field in request.headers.fields {
      append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    for name in ["Accept", "Content-Type", "Expect"] where request.headers[name] == nil {
      append("\(name):")
    }
    unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
  }

  private func append(_ line: String) {
    if let longer = unsafe curl_slist_append(fields, line) { unsafe fields = longer }
  }

  // MARK: On the way

  /// Returns false if libcurl would send the request a second time after the first connection broke off.
  ///
  /// The other node may have read all of the first one.
  fileprivate func beginAttempt() -> Bool {
    attempts += 1
    return attempts == 1
  }

  fileprivate func give(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = request.body[sent...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    sent += part.count
    return part.count
  }

  /// Takes a line of the head, or of an interim head (1xx); returns false to give up.
  fileprivate func take(header line: UnsafeRawBufferPointer) -> Bool {
    headSize += line.count
    guard headSize <= limit else {
      isTooLarge = true
      return false
    }
    let text = unsafe String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      answer = NodeAnswer()
      answer.status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      answer.headers.append(
        String(text[..<colon]),
        String(value.prefix { !["\r\n", "\r", "\n"].contains($0) })
      )
    }
    return true
  }

  fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    switch receiver {
    case .pieces(let take): if answer.status == 200 { unsafe take(Array(bytes)) }
    case .whole:
      isTooLarge = answer.body.count + bytes.count > limit
      if isTooLarge { return false }
      unsafe answer.body.append(contentsOf: bytes)
    }
    return true
  }

  // MARK: Afterwards

  /// Ends the transfer with libcurl's result; called once.
  func end(_ code: CURLcode) {
    end(code == CURLE_OK ? nil : error(of: code))
  }

  func end(_ error: NodeLinkError?) {
    switch receiver {
    case .pieces(let take): take(nil)
    case .whole(let done): done(error.map { .failure($0) } ?? .success(answer))
    }
  }

  /// Ends the transfer for a reason on this node.
  func abandon(_ reason: String) {
    end(attempts == 0 ? .notSent(reason) : .noAnswer(reason))
  }

  private func error(of code: CURLcode) -> NodeLinkError {
    if attempts == 0 { return .notSent(text(of: code)) }
    if isTooLarge { return .noAnswer("its answer has more than \(limit) bytes") }
    if attempts > 1 { return .noAnswer("the connection was closed before an answer came") }
    return .noAnswer(text(of: code))
  }

  private func text(of code: CURLcode) -> String {
    unsafe String(cString: curl_easy_strerror(code))
  }
}

extension Duration {
  /// The duration in whole milliseconds, at least one.
  fileprivate var wholeMilliseconds: Int { Int(max(1, min(milliseconds, 1_000_000_000))) }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLOPT_PREREQFUNCTION.
private func beforeRequest(
  _ context: UnsafeMutableRawPointer?,
  _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32,
  _ localPort: Int32
) -> Int32 {
  unsafe transfer(context)?.beginAttempt() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// CURLOPT_SOCKOPTFUNCTION: bytes that the other machine does not acknowledge break the connection after three seconds.
private func limitSilence(
  _ context: UnsafeMutableRawPointer?,
  _ socket: curl_socket_t,
  _ purpose: curlsocktype
) -> Int32 {
  var milliseconds: UInt32 = 3_000
  unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
  return CURL_SOCKOPT_OK
}

/// CURLOPT_HEADERFUNCTION.
private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  return unsafe transfer(context)?.take(header: line) == true ? count : 0
}

/// CURLOPT_WRITEFUNCTION.
private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  return unsafe transfer(context)?.take(body: part) == true ? count : 0
}

/// CURLOPT_READFUNCTION.
private func giveBody(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return unsafe transfer(context)?.give(into: buffer) ?? 0
}
