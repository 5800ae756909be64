import FusionHTTPToolkit
import Testing

struct `A host or an origin` {
  @Test func `is normalized, or refused if malformed`() {
    #expect(AllowedHosts.normalized("Example.ORG:80") == "example.org:80")
    #expect(AllowedHosts.normalized("::1") == "[::1]")
    #expect(AllowedHosts.normalized("[::1]:8080") == "[::1]:8080")
    for text in ["", "*", "a b", "a/b", "http://a", "a:b", ":80"] {
      #expect(AllowedHosts.normalized(text) == nil, "\(text)")
    }
    #expect(AllowedOrigins.normalized("HTTPS://Example.org:443") == "https://example.org")
    for text in ["", "*", "null", "example.org", "https://a/", "https://", "ftp://a", "http://a b"]
    {
      #expect(AllowedOrigins.normalized(text) == nil, "\(text)")
    }
  }
}
