import Testing

@testable import FusionDoctor

struct `The URL of a deployment` {
  @Test(arguments: [
    ("https://example.org", "https://example.org", ""),
    ("https://Example.org:443/", "https://example.org", ""),
    ("http://example.org:80/app/", "http://example.org", "/app"),
    ("http://127.0.0.1:8080/a/b//", "http://127.0.0.1:8080", "/a/b"),
    ("https://[::1]:8443/a%20b", "https://[::1]:8443", "/a%20b"),
  ])
  func `has an origin and a base path`(text: String, origin: String, basePath: String) throws {
    let url = try url(text)
    #expect(url.origin == origin)
    #expect(url.basePath == basePath)
    #expect(url.address("/healthz") == origin + basePath + "/healthz")
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org", "https://", "https://example.org:0",
    "https://example.org:65536", "https://example.org/?a", "https://example.org/#a",
    "https://user:secret@example.org", "https://example.org/a b", "https://example.org/%zz",
    "https://exa mple.org", "-K/etc/passwd", "https://example.org/\n", "https://[::1",
  ])
  func `is refused in any other form`(text: String) {
    #expect(ServiceURL(text) == nil)
  }

  @Test(arguments: [
    ("/app/sessions/a", "/sessions/a"), ("https://example.org/app/a", "/a"),
    ("uifusion.js", "/uifusion.js"),
    ("./a/../b?c#d", "/b"), ("/sessions/a", nil), ("https://example.com/app/a", nil),
    ("http://example.org/app/a", nil), ("//example.com/app/a", nil), ("../a", nil), ("/app", nil),
    ("/app/../../a", nil), ("/app/../../app/a", "/a"), ("/application/a", nil), ("", "/"),
  ])
  func `has a path for each link below it, and for no other`(link: String, path: String?) throws {
    #expect(try url().path(of: link) == path)
  }
}
