import FusionExampleViewModels
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer

private let page =
  "<script type=\"module\" src=\"/uifusion.js\"></script></head><body>"
  + String(repeating: "<p>A paragraph among many.</p>\n", count: 10)
private let opening = "<script type=\"application/json\" id=\"uifusion-snapshot\">"

private func client(
  store: MemorySessionStore? = nil,
  hosting more: (inout ViewModelCatalog) -> Void = { _ in }
) throws -> Client {
  let names = ["counter-sync", "notes", "strict", "made", "login", "index", "other"]
  let files = names.map { ($0 + ".html", page) } + [("plain.html", "<p></head>")]
  let folder = try FilesFolder(Dictionary(uniqueKeysWithValues: files))
  return Client(files: try folder.index(), store: store, hosting: more)
}

extension Answer {
  /// The embedded snapshot of a page; nil if it has none.
  fileprivate var snapshot: String? {
    guard let start = text.firstRange(of: opening),
      let end = text.firstRange(of: "</script>\n</head>")
    else {
      return nil
    }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

struct `A page whose address names a session` {
  private func id(_ path: String) -> String { String(path.dropFirst("/sessions/".count)) }

  @Test func `has the session's snapshot in its head`() async throws {
    let client = try client()
    let path = try await client.session("counter-sync")
    try await client.send(.post, path + "/inputs", #""increase""#)
    for target in ["/other.html", "/counter-sync.html", "/"] {
      let answer = try await client.send(.get, target + "?session=" + id(path))
      #expect(answer.status == 200 && answer["Content-Type"] == "text/html; charset=utf-8")
      #expect(answer.snapshot == (try await client.send(.get, path).text))
      #expect(answer.text.contains("</script>\n</head><body>"))
    }
  }

  @Test func `is neither cached, compressed nor sent in parts`() async throws {
    let client = try client()
    let target = try await "/other.html?session=" + id(client.session("counter-sync"))
    let headers: HTTPHeaders = [
      "Accept-Encoding": "gzip", "If-None-Match": "*", "Range": "bytes=0-9",
    ]
    for method in [HTTPMethod.get, .head] {
      let answer = try await client.send(method, target, headers: headers)
      #expect(answer.status == 200 && answer["Cache-Control"] == "no-store")
      for name in ["ETag", "Accept-Ranges", "Content-Encoding", "Vary", "Content-Range"] {
        #expect(answer[name] == nil, "\(name)")
      }
    }
  }

  @Test func `is the plain page if there is no such session`() async throws {
    let client = try client()
    let path = try await client.session("counter-sync")
    try await client.send(.delete, path)
    for name in ["/other.html", "/counter-sync.html"] {
      let plain = try await client.send(.get, name)
      let ids = [id(path), "AAAAAAAAAAAAAAAAAAAAAA", "no-id", "", "%3C/script%3E"]
      for id in ids {
        let answer = try await client.send(.get, "\(name)?session=\(id)")
        #expect(answer.text == plain.text && answer["ETag"] == plain["ETag"], "\(id)")
      }
    }
  }

  @Test func `wakes a sleeping session, unlike other files`() async throws {
    let store = MemorySessionStore()
    let path = try await client(store: store).session("counter-sync")
    let next = try client(store: store)
    for name in ["/plain.html", "/uifusion.js"] {
      try await next.send(.get, "\(name)?session=" + id(path))
    }
    #expect(next.host.directory.awake == 0)
    let answer = try await next.send(.get, "/other.html?session=" + id(path))
    #expect(next.host.directory.awake == 1 && answer.snapshot?.contains(#""version":1,"#) == true)
  }

  @Test func `is the plain page if the session cannot be woken`() async throws {
    let first = try client(store: MemorySessionStore())
    let path = try await first.session("counter-sync")
    let next = try await first.restarted(hosting: [])
    #expect(try await next.send(.get, path).status == 410)
    let answer = try await next.send(.get, "/other.html?session=" + id(path))
    #expect(answer.status == 200 && answer.snapshot == nil && answer["ETag"] != nil)
  }

  @Test func `escapes State, so that it neither ends nor begins a script`() async throws {
    let client = try client()
    let path = try await client.session("notes")
    let note = "</script><!--\u{2028}<script>&"
    try await client.send(.post, path + "/inputs", #"{"add":"\#(note)"}"#)
    let answer = try await client.send(.get, "/other.html?session=" + id(path))
    let snapshot = try #require(answer.snapshot)
    #expect(!snapshot.contains("<"))
    let state = try JSONDocument(Array(snapshot.utf8)).root["state"]
    #expect(state?["notes"]?.elements.map(\.string) == [note])
  }

  @Test func `masks secrets`() async throws {
    let client = try client { $0.host("login", summary: "") { LoginViewModel(time: $0.time) } }
    let path = try await client.session("login")
    try await client.send(.post, path + "/inputs", #"{"passwordChanged":"hunter22"}"#)
    let answer = try await client.send(.get, "/login.html?session=" + id(path))
    #expect(answer.snapshot?.contains(#""password":"••••""#) == true)
    #expect(!answer.text.contains("hunter22"))
  }

  @Test func `has no large snapshot`() async throws {
    let client = try client()
    let path = try await client.session("notes")
    let note = String(repeating: "x", count: 64_000)
    for count in 1...5 {
      try await client.send(.post, path + "/inputs", #"{"add":"\#(note)"}"#)
      let answer = try await client.send(.get, "/other.html?session=" + id(path))
      #expect((answer.snapshot != nil) == (count < 5))
    }
  }

  @Test func `has only a small snapshot while memory is full`() async throws {
    let client = try client()
    let path = try await client.session("notes")
    let note = String(repeating: "x", count: 3_000)
    try await client.send(.post, path + "/inputs", #"{"add":"\#(note)"}"#)
    client.host.memory.set(isFull: true)
    let answer = try await client.send(.get, "/other.html?session=" + id(path))
    #expect(answer.status == 200 && answer.snapshot == nil)
  }
}

struct `A page named after a view model` {
  @Test func `has the first State of a new session`() async throws {
    let client = try client()
    let answer = try await client.send(.get, "/notes.html")
    #expect(answer.snapshot == #"{"viewModel":"notes","state":{"notes":[],"owner":null}}"#)
    #expect(client.host.directory.count == 0)
  }

  @Test(arguments: ["/other.html", "/index.html", "/"])
  func `has no State under another name`(path: String) async throws {
    #expect(try await client().send(.get, path).snapshot == nil)
  }

  @Test func `has the State of the first view model in it if it has another name`()
    async throws
  {
    let page = page + "<p data-view-model=\"notes\"><p data-view-model=\"counter\">"
    let folder = try FilesFolder([
      "index.html": page, "counter-sync.html": page,
      "none.html": page.replacing("notes", with: "no"),
    ])
    let client = Client(files: try folder.index())
    for (path, start) in [
      ("/", "notes"), ("/index.html", "notes"), ("/counter-sync.html", "counter-sync"),
    ] {
      let snapshot = try #require(try await client.send(.get, path).snapshot)
      #expect(snapshot.hasPrefix("{\"viewModel\":\"\(start)\","), "\(path)")
    }
    #expect(try await client.send(.get, "/none.html").snapshot == nil)
  }

  @Test func `has no State if it gives parameters, on which the first State may depend`()
    async throws
  {
    let page = page + "<p data-view-model=notes data-parameters='{\"owner\":\"me\"}'>"
    let client = Client(files: try FilesFolder(["notes.html": page]).index())
    #expect(try await client.send(.get, "/notes.html").snapshot == nil)
    let session = try await client.session("notes").dropFirst(10)
    #expect(try await client.send(.get, "/notes.html?session=\(session)").snapshot != nil)
  }

  @Test func `is cached, compressed and sent in parts like any file`() async throws {
    let client = try client()
    let plain = try await client.send(.get, "/notes.html")
    let tag = try #require(plain["ETag"])
    #expect(plain["Cache-Control"] == "no-cache")
    #expect(
      try await client.send(.get, "/notes.html", headers: ["If-None-Match": tag]).status == 304
    )
    let gzip: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let small = try await client.send(.get, "/notes.html", headers: gzip)
    #expect(small["Content-Encoding"] == "gzip" && small["ETag"] != tag)
    let part = try await client.send(.get, "/notes.html", headers: ["Range": "bytes=-5"])
    #expect(part.status == 206 && part.text == "</p>\n")
  }

  @Test func `creates the view model once for all requests`() async throws {
    let count = Mutex(0)
    let client = try client {
      $0.host("made", summary: "", parameters: Notes.Parameters.self) { given, _ in
        count.withLock { $0 += 1 }
        return try Notes(given)
      }
    }
    let pages = try await [client.send(.get, "/made.html"), client.send(.get, "/made.html")]
    #expect(pages[0].snapshot != nil && pages[0].text == pages[1].text)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `has no State if the view model requires parameters, which is tried once`()
    async throws
  {
    struct Size: Decodable, Sendable { var size: Int }
    struct TooLarge: Error {}
    let count = Mutex(0)
    let client = try client {
      $0.host("strict", summary: "", parameters: Size.self) { given, _ in
        try Notes(Notes.Parameters(owner: nil, size: given.size))
      }
      $0.host("made", summary: "") { _ -> Notes in
        count.withLock { $0 += 1 }
        throw TooLarge()
      }
    }
    for _ in 0..<2 {
      for path in ["/strict.html", "/made.html"] {
        let answer = try await client.send(.get, path)
        #expect(answer.status == 200 && answer.snapshot == nil && answer["ETag"] != nil)
      }
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `changes with its file`() async throws {
    let folder = try FilesFolder(["notes.html": page])
    let index = try folder.index()
    let client = Client(files: index)
    let first = try await client.send(.get, "/notes.html")
    try folder.write(page + "<p>", to: "notes.html")
    try index.reread()
    let second = try await client.send(.get, "/notes.html")
    #expect(second.text == first.text + "<p>" && second["ETag"] != first["ETag"])
    try folder.write("<p>", to: "notes.html")
    try index.reread()
    #expect(try await client.send(.get, "/notes.html").text == "<p>")
  }
}
