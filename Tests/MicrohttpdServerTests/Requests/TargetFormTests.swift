import FusionHTTPMessages
import Testing

@testable import FusionMicrohttpdServer

struct `A request target` {
  private func form(_ text: String) -> TargetForm? {
    Array(text.utf8).withUnsafeBufferPointer { TargetForm($0) }
  }

  @Test(arguments: [
    "/", "/a", "/a/b", "/a/", "//", "/a//b", "/a?b=c", "/a%20b", "/a%2fb", "/ü", "/a?", "/a#b",
    "/sessions/0123456789abcdef0123456789abcdef/inputs",
  ])
  func `in origin form is decoded as a RequestTarget is`(_ text: String) {
    #expect(form(text)?.target == RequestTarget(text))
    #expect(form(text)?.authority == nil)
  }

  @Test(arguments: ["", "a", "**", "/a b", "/a%0", "/a%zz", "/a%00", "/\u{1}", "a:80", "ftp://a/b"])
  func `is refused in any other form`(_ text: String) {
    #expect(form(text) == nil)
  }

  @Test func `in asterisk form is the service as a whole`() {
    #expect(form("*")?.target == .asterisk)
    #expect(form("*")?.target != form("/")?.target)
    #expect(form("/*")?.target.isAsterisk == false)
  }

  @Test func `in absolute form names the host`() {
    #expect(form("http://h:80/a?b=c")?.target == RequestTarget("/a?b=c"))
    #expect(form("http://h:80/a?b=c")?.authority == "h:80")
    #expect(form("HTTPS://h")?.target == RequestTarget("/"))
    #expect(form("http://h?b=c")?.target == RequestTarget("/?b=c"))
    #expect(form("http:///a") == nil)
    #expect(form("http://u@h/a") == nil)
  }

  @Test func `is refused if it is not UTF-8`() {
    let bytes: [UInt8] = [0x2f, 0xff]
    #expect(bytes.withUnsafeBufferPointer { TargetForm($0) } == nil)
  }
}
