import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc

/// A response that is sent while the request's body still arrives, past the library.
///
/// Defect of 0.9.75: MHD_queue_response fails until the body has ended, which a body that goes on for hours never does
/// (RFC 9112 §9.3: a server may respond early). Nothing but 100 (Continue) was sent in answer to the request, so the
/// socket is free.
enum EarlyResponse {
  /// Sends a response whose body is bytes, and ends sending; returns false if the socket does not take all of it.
  ///
  /// Called while the library cannot close the socket, which it still reads.
  static func send(_ response: HTTPResponse, on descriptor: Int32) -> Bool {
    guard descriptor >= 0, case .bytes(let body) = response.body else { return false }
    // The reason may be empty (RFC 9112 §4).
    var head = "HTTP/1.1 \(response.status) \r\n"
    for field in response.headers.fields where isAllowed(field) {
      head += "\(field.name): \(field.value)\r\n"
    }
    head += "Date: \(now())\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array(head.utf8) + body
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    let count = unsafe Glibc.send(descriptor, bytes, bytes.count, flags)
    return count == bytes.count && shutdown(descriptor, Int32(SHUT_WR)) == 0
  }

  /// Returns the time as HTTP writes it (RFC 9110 §5.6.7).
  private static func now() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 40)
    let room = text.count
    let count = unsafe strftime(&text, room, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a field is allowed in HTTP, and is not one that this function adds.
  private static func isAllowed(_ field: HTTPHeaders.Field) -> Bool {
    !["Connection", "Content-Length", "Transfer-Encoding"].contains(where: field.isNamed)
      && !(field.name + field.value).utf8.contains { $0 < 0x20 && $0 != 0x09 }
  }
}
