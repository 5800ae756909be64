import Testing

/// A malformed or unusual request, byte by byte, and its outcome.
struct HostileRequest: Sendable, CustomTestStringConvertible {
  enum Outcome: Equatable, Sendable {
    /// Refused by the guard, with this status and problem.
    case refused(Int, String)
    /// Answered by libmicrohttpd before the server sees the request: well formed, without our headers.
    case library(Int)
    /// Answered by libmicrohttpd 0.9.75 with a head that is sent twice (mended in 1.0.0).
    case libraryTwice(Int)
    /// Closed without a response: by libmicrohttpd at once, or by the server at a deadline.
    case cut
    /// Answered once: harmless, or made so by libmicrohttpd before the server sees it.
    case answered
    /// Answered once, and the connection is closed, so that no later bytes are read as a request.
    case answeredLast
  }

  let name: String
  let bytes: [UInt8]
  let outcome: Outcome
  var testDescription: String { name }

  /// Creates a request from a text in which each scalar stands for a byte.
  init(_ name: String, _ outcome: Outcome, _ text: String) {
    self.name = name
    self.outcome = outcome
    bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// Returns a GET request with a Host and further fields.
  static func get(_ name: String, _ outcome: Outcome, _ fields: String) -> HostileRequest {
    HostileRequest(name, outcome, "GET / HTTP/1.1\r\n\(host)\(fields)\r\n")
  }

  static func post(
    _ name: String,
    _ outcome: Outcome,
    _ fields: String,
    _ body: String
  ) -> HostileRequest {
    HostileRequest(name, outcome, "POST / HTTP/1.1\r\n\(host)\(fields)\r\n\(body)")
  }

  static func line(_ name: String, _ outcome: Outcome, _ line: String) -> HostileRequest {
    HostileRequest(name, outcome, "\(line)\r\n\(host)\r\n")
  }

  static func chunks(_ name: String, _ outcome: Outcome, _ body: String) -> HostileRequest {
    post(name, outcome, chunked, body)
  }
}

private let host = "Host: localhost\r\n"
private let chunked = "Transfer-Encoding: chunked\r\n"
/// Bytes that must never be taken for a request of their own.
private let smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
/// An empty chunked body, and the smuggled request after it.
private let noChunks = "0\r\n\r\n" + smuggled

private typealias Row = HostileRequest
private let malformed = HostileRequest.Outcome.refused(400, "malformed-request")
private let badHost = HostileRequest.Outcome.refused(400, "bad-host")
private let badTarget = HostileRequest.Outcome.refused(400, "bad-target")
private let badFraming = HostileRequest.Outcome.refused(400, "bad-framing")
private let unknownMethod = HostileRequest.Outcome.refused(501, "unknown-method")

let hostileRequests: [HostileRequest] =
  requestLines + targets + hosts + fields + lengths + codings + bodies

private let requestLines: [Row] = [
  Row("no version", .library(400), "GET /\r\n\r\n"),
  .line("HTTP/0.9 with fields", .library(400), "GET /"),
  .line("version 2.0", .library(505), "GET / HTTP/2.0"),
  .line("version 1.2", .refused(505, "unknown-http-version"), "GET / HTTP/1.2"),
  .line("version 1.10", .library(400), "GET / HTTP/1.10"),
  .line("half a version", .library(400), "GET / HTTP/1."),
  .line("version in lower case", .library(400), "GET / http/1.1"),
  .line("version with a space after it", .library(400), "GET / HTTP/1.1 "),
  .line("another protocol", .library(400), "GET / ICAP/1.1"),
  Row("preface of HTTP/2", .library(505), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Row("start of TLS", .cut, "\u{16}\u{3}\u{1}\0\u{5}hello\r\n\r\n"),
  Row("only a method", .cut, "GET\r\n\r\n"),
  Row("no request at all", .cut, String(repeating: "\r\n", count: 20)),
  Row("bytes above ASCII", .cut, "\u{ff}\u{fe}\u{fd}\r\n\r\n"),
  Row("zeros", .cut, String(repeating: "\0", count: 100) + "\r\n\r\n"),
  Row("lines that end in CR", .cut, "GET / HTTP/1.1\rHost: localhost\r\r"),
  .line("tabs for spaces", .cut, "GET\t/\tHTTP/1.1"),
  .line("space before the method", .cut, " GET / HTTP/1.1"),
  .line("no method", .cut, " / HTTP/1.1"),
  .line("CR in the line", .library(400), "GET /\rHTTP/1.1"),
  .line("method that is no token", malformed, "G[T / HTTP/1.1"),
  .line("method with NUL", malformed, "G\0T / HTTP/1.1"),
  .line("method that NUL cuts to a known one", malformed, "GET\0X / HTTP/1.1"),
  .line("method that ends in NUL", malformed, "GET\0 / HTTP/1.1"),
  .line("method in lower case", unknownMethod, "get / HTTP/1.1"),
  .line("unknown method", unknownMethod, "BREW / HTTP/1.1"),
  .line(
    "method of 3,000 letters",
    unknownMethod,
    String(repeating: "A", count: 3000) + " / HTTP/1.1"
  ),
  .line("two spaces before the version", badTarget, "GET /  HTTP/1.1"),
  // RFC 9112 §3 lets a server split a request line at white space of any length.
  .line("two spaces after the method", .answered, "GET  / HTTP/1.1"),
  // RFC 9112 §2.2: empty lines before a request are to be ignored.
  Row("empty lines before the request", .answered, "\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n"),
  Row("lines that end in LF", malformed, "GET / HTTP/1.1\nHost: localhost\n\n"),
]

private let targets: [Row] = [
  .line("no slash", badTarget, "GET a HTTP/1.1"),
  .line("asterisk", badTarget, "GET * HTTP/1.1"),
  .line("authority", badTarget, "CONNECT localhost:80 HTTP/1.1"),
  .line("space within", badTarget, "GET /a b HTTP/1.1"),
  .line("NUL", badTarget, "GET /a\0b HTTP/1.1"),
  .line("escaped NUL", badTarget, "GET /%00 HTTP/1.1"),
  .line("half an escape", badTarget, "GET /%2 HTTP/1.1"),
  .line("escape of no digits", badTarget, "GET /%zz HTTP/1.1"),
  .line("broken escape in the query", badTarget, "GET /?a=%0g HTTP/1.1"),
  .line("escape that is no UTF-8", badTarget, "GET /%ff HTTP/1.1"),
  .line("overlong UTF-8", badTarget, "GET /%c0%af HTTP/1.1"),
  .line("control", badTarget, "GET /a\u{1} HTTP/1.1"),
  .line("bytes that are no UTF-8", badTarget, "GET /\u{ff} HTTP/1.1"),
  .line("another scheme", badTarget, "GET ftp://localhost/ HTTP/1.1"),
  .line("a user in the authority", badTarget, "GET http://u@localhost/ HTTP/1.1"),
  .line("20,000 letters", .library(414), "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1"),
]

private let hosts: [Row] = [
  Row("no Host", badHost, "GET / HTTP/1.1\r\n\r\n"),
  .get("two Hosts", badHost, host),
  .get("two Hosts that differ", badHost, "Host: evil.example\r\n"),
  Row("empty Host", badHost, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
  Row("Host with a path", badHost, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
  Row("Hosts in a list", badHost, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
  Row("Host with a user", badHost, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
  Row("Host with letters for a port", badHost, "GET / HTTP/1.1\r\nHost: a:8o\r\n\r\n"),
  Row("space before Host's colon", malformed, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"),
]

private let fields: [Row] = [
  .get("space before the colon", malformed, "X : 1\r\n"),
  .get("no colon", .library(400), "nonsense\r\n"),
  .get("name with a space", malformed, "X Y: 1\r\n"),
  .get("name with NUL", .library(400), "X\0Y: 1\r\n"),
  .get("name above ASCII", malformed, "\u{e9}: 1\r\n"),
  .get("control in a value", malformed, "X: a\u{1}\r\n"),
  .get("CR in a value", malformed, "X: a\rb\r\n"),
  Row("fold before any field", malformed, "GET / HTTP/1.1\r\n X: a\r\n\(host)\r\n"),
  .get("20,000 bytes in a value", .library(431), "X: \(String(repeating: "a", count: 20_000))\r\n"),
  .get("3,000 fields", .library(431), String(repeating: "X: 1\r\n", count: 3000)),
  .get("NUL in a value", malformed, "X: a\0b\r\n"),
  .get("folded value", malformed, "X: a\r\n b\r\n"),
  .get("value folded at once", malformed, "X:\r\n\tb\r\n"),
  .get("one line that ends in LF", malformed, "X: a\nY: b\r\n"),
  .get("no name", malformed, ": 1\r\n"),
  .get("neither name nor value", malformed, ":\r\n"),
  .get("no name, before a request", malformed, ": 1\r\n\(smuggled)"),
  .get("neither name nor value, before a request", malformed, ":\r\n\(smuggled)"),
  .get("LF for an empty line, before a request", malformed, "X: a\r\n\n\(smuggled)"),
  // The library overwrites all line ends before the server sees them, so it takes these for CR and LF.
  Row(
    "line that begins with NUL before the request",
    .answered,
    "\0X\r\nGET / HTTP/1.1\r\n\(host)\r\n"
  ),
  .get("NUL and LF for a line's end", .answered, "X: a\0\nY: b\r\n"),
  Row("colon and LF for the empty line", .answered, "GET / HTTP/1.1\r\n\(host):\n"),
  .get("cookies", .answered, "Cookie: a=b; c=\"d\"\r\nCookie: e\r\n"),
  .get("5,000 bytes in a value", .answered, "X: \(String(repeating: "a", count: 5000))\r\n"),
  .get("plain values, empty ones and white space", .answered, "A:\r\nB: \t b \t\r\nC:c\r\n"),
  .get("unsupported upgrade", .answered, "Connection: Upgrade\r\nUpgrade: h2c\r\n"),
]

private let lengths: [Row] = [
  .post(
    "two lengths",
    badFraming,
    "Content-Length: 0\r\nContent-Length: \(smuggled.utf8.count)\r\n",
    smuggled
  ),
  .post("the same length twice", badFraming, "Content-Length: 1\r\nContent-Length: 1\r\n", "a"),
  .post("lengths in a list", .libraryTwice(400), "Content-Length: 1, 1\r\n", "a" + smuggled),
  .post("length with a sign", .libraryTwice(400), "Content-Length: +1\r\n", "a" + smuggled),
  .post("length below zero", .libraryTwice(400), "Content-Length: -1\r\n", smuggled),
  .post("length in hexadecimal", .libraryTwice(400), "Content-Length: 0x1\r\n", "a" + smuggled),
  .post("empty length", .libraryTwice(400), "Content-Length:\r\n", smuggled),
  .post("length with a space within", .libraryTwice(400), "Content-Length: 1 1\r\n", smuggled),
  .post("length with a point", .libraryTwice(400), "Content-Length: 1.0\r\n", "a" + smuggled),
  .post("length of 2^64 + 1", .libraryTwice(413), "Content-Length: 18446744073709551617\r\n", "a"),
  .post(
    "length beyond the limit",
    .refused(413, "content-too-large"),
    "Content-Length: 99999999\r\n",
    ""
  ),
  .post("space before the length's colon", malformed, "Content-Length : 5\r\n", "abcde" + smuggled),
  .post("folded length", malformed, "Content-Length:\r\n \(smuggled.utf8.count)\r\n", smuggled),
  .post("length folded within", malformed, "Content-Length: 4\r\n 7\r\n", smuggled),
  .post(
    "length named by Connection",
    .answered,
    "Connection: Content-Length\r\nContent-Length: 1\r\n",
    "a"
  ),
  .post(
    "length of a body that is a request",
    .answered,
    "Content-Length: \(smuggled.utf8.count)\r\n",
    smuggled
  ),
  // RFC 9110 §10.1.1: an unknown expectation may be ignored.
  .post("unknown expectation", .answered, "Expect: 200-ok\r\nContent-Length: 1\r\n", "a"),
]

private let codings: [Row] = [
  .post("length and chunks", badFraming, "Content-Length: 5\r\n\(chunked)", noChunks),
  .post("chunks and length", badFraming, "\(chunked)Content-Length: 5\r\n", noChunks),
  Row("chunks over 1.0", badFraming, "POST / HTTP/1.0\r\n\(chunked)\r\n\(noChunks)"),
  .post("chunked, in two fields", badFraming, chunked + chunked, noChunks),
  .post("chunked twice", badFraming, "Transfer-Encoding: chunked, chunked\r\n", noChunks),
  .post("gzip, then chunked", badFraming, "Transfer-Encoding: gzip, chunked\r\n", noChunks),
  .post("a coding like chunked", badFraming, "Transfer-Encoding: xchunked\r\n", noChunks),
  .post("identity", badFraming, "Transfer-Encoding: identity\r\n", smuggled),
  .post("empty coding", badFraming, "Transfer-Encoding:\r\n", smuggled),
  .post("quoted coding", badFraming, "Transfer-Encoding: \"chunked\"\r\n", noChunks),
  .post("coding after a vertical tab", malformed, "Transfer-Encoding: \u{b}chunked\r\n", noChunks),
  .post("space before the coding's colon", malformed, "Transfer-Encoding : chunked\r\n", noChunks),
  .post("folded coding", malformed, "Transfer-Encoding:\r\n chunked\r\n", noChunks),
  .post("coding folded within", malformed, "Transfer-Encoding: chun\r\n ked\r\n", noChunks),
]

private let bodies: [Row] = [
  .chunks("size of no digits", .library(400), "xyz\r\n\r\n"),
  .chunks("size with 0x", .library(400), "0x1\r\na\r\n\(noChunks)"),
  .chunks("size below zero", .library(400), "-1\r\na\r\n\(noChunks)"),
  .chunks("no size", .library(400), "\r\na\r\n\(noChunks)"),
  .chunks("size of 2^64 + 1", .library(413), "10000000000000001\r\na\r\n\(noChunks)"),
  .chunks("chunk longer than its size", .library(400), "1\r\nabc\r\n\(noChunks)"),
  .chunks("no line end after a chunk", .library(400), "1\r\na\(noChunks)"),
  .chunks("LF in an extension", .cut, "1;a\nb\r\na\r\n0\r\n\r\n"),
  .chunks("request in place of a trailer", .library(400), "0\r\n\(smuggled)"),
  .chunks("request behind a nameless trailer", .library(400), "0\r\n: a\r\n\(smuggled)"),
  .chunks("request behind a later nameless trailer", .answeredLast, "0\r\nX: y\r\n:\n\(smuggled)"),
  .chunks("request behind chunks", .answeredLast, noChunks),
  .chunks("extension", .answeredLast, "1;a=b\r\na\r\n0\r\n\r\n"),
  // Only the head's own fields count (RFC 9110 §6.5.1).
  .chunks("framing in a trailer", .answeredLast, "0\r\nContent-Length: 99\r\nHost: evil\r\n\r\n"),
  .chunks("lines that end in LF", .answeredLast, "1\na\n0\n\n"),
]
