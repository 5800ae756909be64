import FusionHTTPMessages
import Testing

struct `An IP address` {
  @Test(arguments: [
    ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:DB8:0::7", "2001:db8::7"),
    ("::1", "::1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"),
  ])
  func `has one canonical form, the same if mapped to IPv6`(text: String, canonical: String) throws
  {
    let address = try #require(IPAddress(text))
    #expect(address.description == canonical)
    #expect(IPAddress(canonical) == address)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "[::1]", "::1%eth0", "1.2.3.4:80", "localhost",
    "01.2.3.4",
  ])
  func `is refused in any other form`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `is a loopback address in 127.0.0.0/8 and as ::1`() {
    for (text, isLoopback) in [
      ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("128.0.0.1", false), ("::2", false), ("::", false),
    ] { #expect(IPAddress(text)?.isLoopback == isLoopback, "\(text)") }
  }

  @Test func `identifies a client, in IPv6 by its first 64 bits`() {
    let network = { IPAddress($0)?.clientNetwork }
    #expect(network("2001:db8:1:2::7") == network("2001:db8:1:2:ffff::1"))
    #expect(network("2001:db8:1:2::7") != network("2001:db8:1:3::7"))
    #expect(network("192.0.2.7") != network("192.0.2.8"))
  }
}

struct `A network` {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
    ("0.0.0.0/0", "8.8.8.8", "::1"), ("::/0", "8.8.8.8", nil),
    ("10.1.2.3/8", "10.9.9.9", "9.9.9.9"),
    ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"), ("127.0.0.1", "::ffff:127.0.0.1", "::1"),
    ("fd00::/8", "fdff::1", "10.0.0.1"), ("::1/128", "::1", "::"),
  ])
  func `contains the addresses with its prefix`(text: String, inside: String, outside: String?)
    throws
  {
    let network = try #require(IPNetwork(text))
    #expect(network.contains(try #require(IPAddress(inside))))
    if let outside { #expect(!network.contains(try #require(IPAddress(outside)))) }
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8",
    "example.org/8", "10.0.0.0/8 ",
  ])
  func `is refused in any other form`(text: String) {
    #expect(IPNetwork(text) == nil)
  }
}
