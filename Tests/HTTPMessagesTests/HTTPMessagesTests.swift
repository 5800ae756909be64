import FusionHTTPMessages
import Synchronization
import Testing

struct `A request target` {
  @Test(arguments: [
    ("/", []),
    ("/sessions", ["sessions"]),
    ("/sessions/7/events", ["sessions", "7", "events"]),
    ("/a/", ["a", ""]),
    ("//a", ["", "a"]),
    ("/a%2Fb/c", ["a/b", "c"]),
    ("/%EA%B0%80", ["가"]),
    ("/a+b", ["a+b"]),
    ("/..%2f..", ["../.."]),
  ])
  func `is split first and decoded once`(target: String, segments: [String]) {
    #expect(RequestTarget(target)?.segments == segments)
  }

  @Test(arguments: ["", "a", "*", "/%", "/%4", "/%zz", "/%00", "/a?b=%00", "/%ff", "/a?%f"])
  func `is refused if malformed`(target: String) {
    #expect(RequestTarget(target) == nil)
  }

  @Test func `has a query of decoded names and values`() throws {
    let target = try #require(RequestTarget("/e?after=7&after=8&flag&x=a%26b=c&&"))
    #expect(target.first("after") == "7")
    #expect(target.first("flag") == "")
    #expect(target.first("x") == "a&b=c")
    #expect(target.first("none") == nil)
    #expect(target.query.count == 4)
  }

  /// As browsers write the fields of a form (URL Standard §5.1).
  @Test(arguments: [
    ("/s?q=two+words", "q", "two words"), ("/s?q=1%2B1+%3D+2", "q", "1+1 = 2"),
    ("/s?first+name=a", "first name", "a"), ("/s?q=+", "q", " "), ("/s?q=%20%2b%20", "q", " + "),
    ("/a+b?q=+%C3%A9+", "q", " é "),
  ])
  func `has a space for each plus sign in its query`(text: String, name: String, value: String)
    throws
  {
    let target = try #require(RequestTarget(text))
    #expect(target.first(name) == value)
    #expect(RequestTarget(target.text) == target)
  }
}

struct `Header fields` {
  @Test func `are found regardless of case`() {
    var headers: HTTPHeaders = ["Content-Type": "text/plain"]
    #expect(headers["content-type"] == "text/plain")
    #expect(headers["content_type"] == nil)
    headers["CONTENT-TYPE"] = "text/html"
    #expect(headers.fields == [.init(name: "CONTENT-TYPE", value: "text/html")])
  }

  @Test func `of one name are joined into a list`() {
    let headers: HTTPHeaders = ["If-Match": "\"1\"", "Host": "a", "if-match": "\"2\""]
    #expect(headers.list("If-Match") == "\"1\", \"2\"")
    #expect(headers.list("Accept") == nil)
  }
}

struct `Shared bytes` {
  @Test func `are shared by every slice`() {
    let bytes = SharedBytes(Array(0..<10))
    #expect(bytes.count == 10 && bytes.array == Array(0..<10))
    let part = bytes[2..<8][1..<3]
    #expect(part.array == [3, 4])
    // The same memory, not a copy.
    #expect(part.start == bytes.start + 3)
    #expect(bytes[10..<10].array == [] && SharedBytes([]).array == [])
  }

  @Test func `are freed with their last slice`() {
    let bytes = Mutex<SharedBytes?>(SharedBytes([1, 2, 3]))
    weak let owner = bytes.withLock { $0?.owner }
    bytes.withLock { $0 = $0?[1..<2] }
    #expect(owner != nil)
    #expect(bytes.withLock { $0?.array } == [2])
    bytes.withLock { $0 = nil }
    #expect(owner == nil)
  }
}

struct `A problem` {
  @Test func `is written as in RFC 9457, with additional members`() throws {
    let template = Problem(
      422,
      "unknown-x",
      "Unknown \"x\"",
      detail: "Try\n{}",
      meaning: "",
      advice: ""
    )
    let problem = template.filled(with: "again")
      .adding("known", ["a", "b\u{1}"])
      .adding("index", json: Array("3".utf8))
      .with("Retry-After", "1")
    let response = problem.response
    #expect(response.status == 422)
    #expect(response.headers["Content-Type"] == "application/problem+json")
    #expect(response.headers["Retry-After"] == "1")
    guard case .problem(let answered) = response.body else { return #expect(Bool(false)) }
    #expect(answered == problem)
    let standard =
      #"{"type":"/problems/unknown-x","title":"Unknown \"x\"","status":422,"#
      + #""detail":"Try\u000aagain""#
    let own = #","known":["a","b\u0001"],"index":3}"#
    #expect(String(decoding: problem.document(), as: UTF8.self) == standard + own)
    #expect(response.body.count == (standard + own).utf8.count)
    let id = try #require(RequestID("a-1"))
    #expect(
      String(decoding: problem.document(requestID: id), as: UTF8.self)
        == standard + #","requestId":"a-1""# + own
    )
  }
}
