import FusionHTTPMessages
import Testing

struct `A request ID` {
  private static let longest = String(repeating: "x", count: 128)

  @Test(arguments: ["a", "7", "A-b_c.D", "0f8fad5b-d9cb-469f-a165-70867728950e", longest])
  func `is taken from a well-formed X-Request-Id`(_ text: String) {
    #expect(HTTPRequest(.get, .asterisk, headers: ["x-request-id": text]).id.description == text)
  }

  @Test(arguments: ["", " a", "a b", "a\"", "a,b", "a/b", "a\n", "é", longest + "x"])
  func `is generated if X-Request-Id is malformed`(_ text: String) {
    let id = HTTPRequest(.get, .asterisk, headers: ["X-Request-Id": text]).id
    #expect(id.description != text && RequestID(id.description) == id)
  }

  @Test func `is generated for each request without X-Request-Id`() {
    let ids = (0..<1000).map { _ in HTTPRequest(.get, .asterisk, headers: ["Host": "a"]).id }
    #expect(Set(ids).count == ids.count)
    // A String stores 15 bytes without an allocation.
    #expect(ids.allSatisfy { $0.description.utf8.count == 15 && RequestID($0.description) == $0 })
    #expect(Set(ids.map { $0.description.prefix(7) }).count == 1)
  }
}
