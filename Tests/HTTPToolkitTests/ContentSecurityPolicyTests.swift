import FusionHTTPToolkit
import Testing

struct `The content security policy` {
  private let start =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  private func policy(_ additions: String...) throws -> String {
    var policy = ContentSecurityPolicy()
    for text in additions { policy.add(try #require(ContentSecurityPolicy.Addition(text))) }
    return policy.text
  }

  @Test func `allows the service's own origin by default`() throws {
    #expect(try policy() == start)
  }

  @Test func `adds sources to those that a directive has`() throws {
    #expect(
      try policy(
        "img-src https://a.example data:",
        "IMG-SRC  b.example:8443/icons/",
        "img-src data:"
      )
        == start + "; img-src 'self' https://a.example data: b.example:8443/icons/"
    )
    #expect(
      try policy("form-action https://a.example", "frame-ancestors https://b.example")
        == "default-src 'self'; base-uri 'none'; form-action 'self' https://a.example; "
        + "frame-ancestors https://b.example"
    )
  }

  @Test func `gives a new directive the sources of its fallback`() throws {
    #expect(
      try policy("script-src-elem c.example", "script-src b.example", "default-src *.a.example")
        .hasSuffix(
          "; script-src 'self' *.a.example b.example; "
            + "script-src-elem 'self' *.a.example b.example c.example"
        )
    )
    #expect(
      try policy("script-src a.example", "worker-src blob:")
        .hasSuffix("; worker-src 'self' a.example blob:")
    )
    #expect(
      try policy("script-src a.example", "child-src b.example", "worker-src blob:")
        .hasSuffix("; worker-src 'self' b.example blob:")
    )
  }

  @Test(arguments: [
    "connect-src wss://a.example:*", "img-src https:", "img-src *",
    "font-src https://a-b.example/x",
    "script-src 'sha256-B2yPHKaXnvFWtRChIbabYmUBFZdVfKKXHbWtWidDVF8='", "base-uri 'self'",
  ])
  func `accepts hosts, schemes, digests and 'self'`(text: String) {
    #expect(ContentSecurityPolicy.Addition(text) != nil)
  }

  @Test(arguments: [
    "", "img-src", "images https://a.example", "sandbox allow-scripts", "report-uri /x",
    "script-src 'unsafe-inline'", "script-src 'UNSAFE-EVAL'", "script-src 'wasm-unsafe-eval'",
    "script-src 'nonce-abc'", "img-src 'none'", "img-src self", "img-src https://a.example;",
    "img-src a.example; script-src *", "img-src https://", "img-src a.example\u{e9}",
    "img-src https://a.example\r\nX-Evil: 1,", "img-src http://*x.example",
  ])
  func `refuses any other source or directive`(text: String) {
    #expect(ContentSecurityPolicy.Addition(text) == nil)
  }
}
