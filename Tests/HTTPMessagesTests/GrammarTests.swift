import FusionHTTPMessages
import Testing

struct `A set of bytes` {
  private static let digits = "0123456789"
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  @Test(arguments: [
    (ByteSet.token, digits + letters + "!#$%&'*+-.^_`|~"),
    (.unreserved, digits + letters + "-._~"), (.requestID, digits + letters + "-._"),
    (.ipLiteral, digits + "ABCDEFabcdef:."), (.digits, digits), (.blanks, " \t"),
  ])
  func `contains exactly the characters of its grammar`(set: ByteSet, characters: String) {
    for byte in UInt8.min...UInt8.max {
      #expect(set.contains(byte) == characters.utf8.contains(byte), "byte \(byte)")
    }
    #expect(set.containsAll(of: characters) && !set.containsAll(of: characters + "é"))
  }
}

/// Returns whether a text is a valid host; `#expect` takes no spans.
private func isValidHost(_ text: String) -> Bool { HostAndPort.isValid(text.utf8Span.span) }

private func isSame(_ text: String, _ name: StaticString) -> Bool {
  isNamed(text.utf8Span.span, name)
}

struct `A host and a port` {
  @Test(
    arguments: [
      ("a", "a", nil), ("Example.ORG:80", "example.org", 80), ("my_host-1.~", "my_host-1.~", nil),
      ("127.0.0.1:65535", "127.0.0.1", 65_535), ("[::1]", "[::1]", nil),
      ("[2001:DB8::7]:8080", "[2001:db8::7]", 8080), ("a:", "a", nil), ("a:0", "a", 0),
    ] as [(String, String, UInt16?)]
  )
  func `are read in any case`(text: String, host: String, port: UInt16?) throws {
    let read = try #require(HostAndPort(text))
    #expect(read.host == host && read.port == port)
    #expect(isValidHost(text))
    #expect(HostAndPort(read.description) == read)
  }

  @Test(arguments: [
    "", ":80", "a:b", "a:8o", "a:65536", "a:123456", "a:-1", "a:+1", "a:1:2", "::1", "[]", "[::1",
    "[::1]x", "[a.example]", "u@a", "a/b", "a b", "a, b", "a,b", "*", "*.a", "a;b", "a'", "a%41",
    "é", "http://a",
    "a\0",
  ])
  func `are refused in any other form`(text: String) {
    #expect(HostAndPort(text) == nil)
    #expect(!isValidHost(text))
  }

  @Test(arguments: [
    ("a.example", "A.Example:9", true), ("a.example", "a.example:", true),
    ("a.example:81", "a.example:81", true), ("a.example:81", "a.example", false),
    ("a.example:81", "a.example:811", false), ("a.example", "a.example.evil", false),
    ("a.example", "a.exampl", false), ("a.example", "a.example/", false),
    ("[::1]", "[::1]:8", true),
  ])
  func `cover a Host of the same name, on the given port or else on any`(
    name: String,
    host: String,
    isCovered: Bool
  ) {
    #expect(HostAndPort(name)?.covers(host) == isCovered)
  }

  @Test(
    arguments: [
      ("10.0.0.7:80", "10.0.0.7"), ("[FD00::7]", "fd00::7"), ("10.0.0.7.example", nil), ("a", nil),
      ("1.2.3", nil),
    ] as [(String, String?)]
  )
  func `have an address if the host is an IP address`(text: String, address: String?) {
    #expect(HostAndPort(text)?.address?.description == address)
  }
}

struct `A header's list` {
  @Test(arguments: [
    ("", []), (" , ,", []), ("a", ["a"]), ("a,b , c", ["a", "b", "c"]), (",a,,b,", ["a", "b"]),
    (#"a="x,y";b, c"#, [#"a="x,y";b"#, "c"]), (#""a,"#, [#""a,"#]), ("\ta\t,\tb\t", ["a", "b"]),
  ])
  func `is read forwards and backwards`(list: String, elements: [String]) {
    #expect(ListElements(list).map(String.init) == elements)
    var rest = ListElements(list)
    var reversed: [String] = []
    while let element = rest.popLast() { reversed.append(String(element)) }
    // Read backwards, an unclosed quote opens a string.
    if list != #""a,"# { #expect(reversed.reversed() == elements) }
  }

  @Test func `with an escaped quote is read forwards`() {
    #expect(ListElements(#""a\",b", c"#).map(String.init) == [#""a\",b""#, "c"])
  }
}

struct `A field scanner` {
  @Test func `scans tokens, quoted strings and blanks`() {
    var scanner = FieldScanner("  name=\"a\\\"b\" ; rest,next")
    scanner.skipBlanks()
    #expect(scanner.token() == "name" && scanner.token() == "")
    #expect(scanner.scan("=") && !scanner.scan("="))
    #expect(scanner.quotedString() == "a\"b" && scanner.quotedString() == nil)
    #expect(scanner.skipElement() && !scanner.isAtEnd)
    #expect(scanner.token() == "next" && scanner.isAtEnd && !scanner.skipElement())
  }

  @Test func `refuses an unclosed quoted string`() {
    var scanner = FieldScanner("\"a\\")
    #expect(scanner.quotedString() == nil)
  }
}

struct `Hexadecimal digits` {
  @Test func `are written in lower case, two for each byte`() {
    #expect(Hexadecimal.text(of: [0x00, 0x0f, 0xa0, 0xff]) == "000fa0ff")
    #expect(Hexadecimal.text(of: []) == "")
  }

  @Test func `are read in either case`() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      let value = byte < 128 ? character.hexDigitValue.map(UInt8.init) : nil
      #expect(Hexadecimal.value(of: byte) == value, "byte \(byte)")
    }
  }
}

struct `Percent-encoding` {
  @Test(arguments: [("a-._~Z9", "a-._~Z9"), ("a b/c", "a%20b%2Fc"), ("가", "%EA%B0%80"), ("", "")])
  func `escapes all but unreserved characters, and is decoded to the same text`(
    text: String,
    escaped: String
  ) {
    #expect(PercentEncoding.encoded(text) == escaped)
    #expect(PercentEncoding.decoded(escaped[...].utf8) == text)
  }
}

struct `A case-insensitive comparison` {
  @Test func `folds only ASCII letters`() {
    #expect(equalWithoutCase("Content-TYPE", "content-type"))
    #expect(!equalWithoutCase("a", "ab") && !equalWithoutCase("É", "é"))
    // Like cases of a letter, @ and ` differ in one bit, and so do [ and {.
    #expect(!equalWithoutCase("@[", "`{"))
    #expect(isSame("HoSt", "host") && !isSame("hosts", "host"))
    #expect(!isSame("host@", "host`"))
  }
}
