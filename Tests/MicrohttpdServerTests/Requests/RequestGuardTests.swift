import FusionHTTPMessages
import Testing

@testable import FusionMicrohttpdServer

/// A request's head, and the guard's verdict on it.
struct GuardCase: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [(String, String)]
  var method = "GET"
  var version = "HTTP/1.1"
  let verdict: Problem?
  var testDescription: String { name }

  init(
    _ name: String,
    _ verdict: Problem?,
    _ fields: [(String, String)],
    method: String = "GET",
    version: String = "HTTP/1.1"
  ) {
    self.name = name
    self.fields = fields
    self.method = method
    self.version = version
    self.verdict = verdict
  }
}

private let host = ("Host", "a")

let guardCases: [GuardCase] = [
  GuardCase("plain", nil, [host]),
  GuardCase("host with port", nil, [("Host", "example.org:8080")]),
  GuardCase("IPv6 host", nil, [("Host", "[::1]:80")]),
  GuardCase("host in other case", nil, [("hOST", "a")]),
  GuardCase("1.0 without host", nil, [], version: "HTTP/1.0"),
  GuardCase("length", nil, [host, ("Content-Length", "5")]),
  GuardCase("chunked", nil, [host, ("Transfer-Encoding", "chunked")]),
  GuardCase("Chunked in capitals", nil, [host, ("Transfer-Encoding", "CHUNKED")]),
  GuardCase("tab in value", nil, [host, ("X", "a\tb")]),
  GuardCase("bytes above ASCII in value", nil, [host, ("X", "é")]),
  GuardCase("every token character", nil, [host, ("!#$%&'*+-.^_`|~09azAZ", "1")]),
  GuardCase("another method", nil, [host], method: "BREW"),
  GuardCase("no host", .badHost, []),
  GuardCase("two hosts", .badHost, [host, host]),
  GuardCase("two hosts over 1.0", .badHost, [host, host], version: "HTTP/1.0"),
  GuardCase("empty host", .badHost, [("Host", "")]),
  GuardCase("host with path", .badHost, [("Host", "a/b")]),
  GuardCase("host with user", .badHost, [("Host", "u@a")]),
  GuardCase("host with space", .badHost, [("Host", "a b")]),
  GuardCase("hosts in a list", .badHost, [("Host", "a, b")]),
  GuardCase("host with bad port", .badHost, [("Host", "a:8o")]),
  GuardCase("host with long port", .badHost, [("Host", "a:123456")]),
  GuardCase("port alone", .badHost, [("Host", ":80")]),
  GuardCase("open bracket", .badHost, [("Host", "[::1")]),
  GuardCase("empty brackets", .badHost, [("Host", "[]")]),
  GuardCase("bad host over 1.0", .badHost, [("Host", "a\\b")], version: "HTTP/1.0"),
  GuardCase("two lengths", .badFraming, [host, ("Content-Length", "5"), ("Content-Length", "5")]),
  GuardCase("lengths in a list", .badFraming, [host, ("Content-Length", "5, 5")]),
  GuardCase("signed length", .badFraming, [host, ("Content-Length", "+5")]),
  GuardCase("empty length", .badFraming, [host, ("Content-Length", "")]),
  GuardCase(
    "length and chunks",
    .badFraming,
    [host, ("Content-Length", "5"), ("Transfer-Encoding", "chunked")]
  ),
  GuardCase(
    "chunks twice",
    .badFraming,
    [host, ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")]
  ),
  GuardCase("other coding", .badFraming, [host, ("Transfer-Encoding", "gzip, chunked")]),
  GuardCase("identity", .badFraming, [host, ("Transfer-Encoding", "identity")]),
  GuardCase(
    "chunks over 1.0",
    .badFraming,
    [host, ("Transfer-Encoding", "chunked")],
    version: "HTTP/1.0"
  ),
  GuardCase("space in name", .malformedRequest, [host, ("Content-Length ", "5")]),
  GuardCase("empty name", .malformedRequest, [host, ("", "5")]),
  GuardCase("colon in name", .malformedRequest, [host, ("a:b", "5")]),
  GuardCase("name above ASCII", .malformedRequest, [host, ("é", "5")]),
  GuardCase("control in value", .malformedRequest, [host, ("X", "a\u{1}b")]),
  GuardCase("carriage return in value", .malformedRequest, [host, ("X", "a\rb")]),
  GuardCase("delete in value", .malformedRequest, [host, ("X", "a\u{7f}")]),
  GuardCase("NUL in value", .malformedRequest, [host, ("X", "a\0b")]),
  GuardCase("method no token", .malformedRequest, [host], method: "G(T"),
  GuardCase("empty method", .malformedRequest, [host], method: ""),
  GuardCase("1.2", .unknownHTTPVersion, [host], version: "HTTP/1.2"),
  GuardCase("2.0", .unknownHTTPVersion, [host], version: "HTTP/2.0"),
  GuardCase("lower case version", .unknownHTTPVersion, [host], version: "http/1.1"),
]

struct `The request guard` {
  private func verdict(
    _ fields: [(String, String)],
    method: String = "GET",
    version: String = "HTTP/1.1"
  ) -> Problem? {
    var rules = RequestGuard()
    for (name, value) in fields {
      let name = Array(name.utf8)
      let value = Array(value.utf8)
      rules.read(name: name.span, value: value.span)
    }
    let method = Array(method.utf8)
    let version = Array(version.utf8)
    return rules.verdict(method: method.span, version: version.span)
  }

  private func verdict(of name: [UInt8], _ value: [UInt8], version: String) -> Problem? {
    var rules = RequestGuard()
    rules.read(name: name.span, value: value.span)
    let method = Array("GET".utf8)
    let version = Array(version.utf8)
    return rules.verdict(method: method.span, version: version.span)
  }

  private func known(_ name: String) -> HTTPMethod? {
    let name = Array(name.utf8)
    return HTTPMethod(name.span)
  }

  @Test(arguments: guardCases) func `judges each head as the table says`(_ row: GuardCase) {
    #expect(verdict(row.fields, method: row.method, version: row.version) == row.verdict)
  }

  @Test func `reads a length beyond the largest integer as that integer`() {
    let name = Array("content-length".utf8)
    let value = Array("99999999999999999999999999".utf8)
    var rules = RequestGuard()
    rules.read(name: name.span, value: value.span)
    let length = rules.contentLength
    #expect(length == .max)
  }

  @Test(arguments: HTTPMethod.allCases) func `knows every method, in upper case only`(
    _ method: HTTPMethod
  ) {
    #expect(known(method.rawValue) == method)
    #expect(known(method.rawValue.lowercased()) == nil)
    #expect(known(method.rawValue + "X") == nil)
    #expect(known(String(method.rawValue.dropLast())) == nil)
  }

  @Test func `accepts only the bytes of a token in a name`() {
    let marks = "!#$%&'*+-.^_`|~"
    for byte in UInt8.min...UInt8.max {
      let scalar = Unicode.Scalar(byte)
      let isToken =
        byte < 128
        && (marks.unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
          || scalar.properties.numericType != nil)
      #expect((verdict(of: [byte], [], version: "HTTP/1.0") == nil) == isToken, "byte \(byte)")
    }
  }
}
