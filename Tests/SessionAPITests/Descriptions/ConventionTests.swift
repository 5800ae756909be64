import Foundation
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionStrictJSON
import Testing

struct `The API` {
  private let client = Client()

  @Test(arguments: [
    (HTTPMethod.get, "/sessions", "POST, OPTIONS"),
    (.put, "/sessions/AAAAAAAAAAAAAAAAAAAAAA", "GET, HEAD, DELETE, OPTIONS"),
    (.get, "/sessions/AAAAAAAAAAAAAAAAAAAAAA/inputs", "POST, OPTIONS"),
    (.post, "/sessions/AAAAAAAAAAAAAAAAAAAAAA/events", "GET, HEAD, OPTIONS"),
    (.post, "/view-models", "GET, HEAD, OPTIONS"),
    (.delete, "/view-models/counter", "GET, HEAD, OPTIONS"),
    (.post, "/openapi.json", "GET, HEAD, OPTIONS"),
    (.patch, "/healthz", "GET, HEAD, OPTIONS"),
    (.post, "/readyz", "GET, HEAD, OPTIONS"),
  ])
  func `refuses a method that a resource lacks, and names those it has`(
    method: HTTPMethod,
    path: String,
    allow: String
  ) async throws {
    let answer = try await client.send(method, path)
    #expect(answer.status == 405)
    #expect(answer["Allow"] == allow)
    #expect(try answer.member("type") == "/problems/method-not-allowed")
    let options = try await client.send(.options, path)
    #expect(options.status == 204 && options["Allow"] == allow)
  }

  @Test func `answers OPTIONS * with the methods of all resources`() {
    let pending = Pending()
    client.api.handle(HTTPRequest(.options, .asterisk), pending)
    #expect(pending.first?.status == 204)
    #expect(pending.first?.headers["Allow"] == "GET, HEAD, POST, DELETE, OPTIONS")
  }

  @Test(arguments: [
    "/nope", "/*", "/sessions/", "/sessions/x/events", "/sessions/x", "/sessions/a/b",
    "/sessions/AAAAAAAAAAAAAAAAAAAAAA/events/x",
    "/view-models/a/b", "/healthz/x", "/..%2fPackage.swift", "/../Package.swift",
  ])
  func `answers 404 for an unknown path`(path: String) async throws {
    let answer = try await client.send(.get, path)
    #expect(answer.status == 404)
    #expect(answer["Content-Type"] == "application/problem+json")
  }

  @Test func `lists its view models, and describes each`() async throws {
    let list = try await client.send(.get, "/view-models")
    #expect(list.status == 200)
    #expect(
      list.text.hasPrefix(
        #"{"viewModels":[{"name":"counter","summary":"Counts slowly","href":"/view-models/counter"}"#
      )
    )
    let pages = try FilesFolder(["counter.html": "", "slow/index.html": ""]).index()
    let models = try await Client(files: pages).send(.get, "/view-models").json()["viewModels"]
    #expect(models?.elements.map { $0["page"]?.string } == ["/counter.html", nil, nil, nil])
    let one = try await client.send(.get, "/view-models/counter")
    #expect(one.text.hasPrefix(#"{"name":"counter","summary":"Counts slowly","digest":""#))
    let none = try await client.send(.get, "/view-models/nope")
    #expect(none.status == 404)
    #expect(none.text.contains(#""known":["counter","#))
  }

  @Test func `shows a browser its view models as a page, each with its console and its own page`()
    async throws
  {
    let shown = { (name: String) in
      """
      <head><script type="module" src="/uifusion.js"></script></head><main data-view-model="\(name)"></main>
      """
    }
    let pages = try FilesFolder([
      "counter.html": "", "a/deep/and/longer/slow.html": shown("slow"),
      "b/a \"b#c.html": shown("slow"),
      "index.html": shown("counter"),
    ]).index()
    let client = Client(files: pages)
    let list = try await client.send(
      .get,
      "/view-models",
      headers: ["Accept": "text/html,*/*;q=0.8"]
    )
    #expect(list["Content-Type"] == "text/html; charset=utf-8" && list["Vary"] == "Accept")
    #expect(
      list.text.contains(
        #"aria-label="Open the console of counter">Open console</a> <a href="/counter.html""#
      )
    )
    #expect(
      list.text.contains(
        #"aria-label="Open the console of slow">Open console</a> <a href="/b/a%20%22b%23c.html""#
      )
    )
    #expect(list.text.contains("Counts slowly"))
    #expect(
      try await client.send(.get, "/view-models", headers: ["Accept": "*/*"]).text.first == "{"
    )
    let console = try await client.send(.get, "/view-models/slow", headers: ["Accept": "text/html"])
    #expect(console.text.contains(#"<a href="../b/a%20%22b%23c.html">Its page</a>"#))
  }

  @Test func `is ready in one phase of the service, and healthy in all`() async throws {
    let phases: [(Readiness.Phase, Int)] = [
      (.starting, 503), (.ready, 200), (.leaving, 503), (.draining, 503),
    ]
    for (phase, status) in phases {
      client.api.readiness.phase = phase
      let readiness = try await client.send(.get, "/readyz")
      #expect(readiness.status == status && readiness["Cache-Control"] == "no-store")
      #expect(try await client.send(.get, "/healthz").status == 200)
    }
  }

  @Test(arguments: ["/healthz", "/readyz", "/view-models", "/metrics"])
  func `lets no cache keep health, readiness, metrics or the list of view models`(path: String)
    async throws
  {
    #expect(try await client.send(.get, path)["Cache-Control"] == "no-store")
  }
}

struct `Files` {
  private let client: Client

  init() throws {
    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    for (name, text) in [
      ("index.html", "<h1>"), ("app.js", "1"), (".secret", "x"), ("inner/index.html", "<h2>"),
      ("가.css", "a{}"),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "out"),
      withDestinationURL: URL(filePath: "/etc/hosts")
    )
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "within.js"),
      withDestinationURL: folder.appending(path: "app.js")
    )
    try FileManager.default.createSymbolicLink(
      at: inner.appending(path: "loop"),
      withDestinationURL: inner
    )
    client = Client(files: try FileIndex(folder: folder.path))
  }

  @Test(arguments: [
    ("/", "<h1>", "text/html; charset=utf-8"),
    ("/index.html", "<h1>", "text/html; charset=utf-8"),
    ("/app.js?v=2", "1", "text/javascript; charset=utf-8"),
    ("/within.js", "1", "text/javascript; charset=utf-8"),
    ("/inner/", "<h2>", "text/html; charset=utf-8"),
    ("/%EA%B0%80.css", "a{}", "text/css; charset=utf-8"),
  ])
  func `are served with their types`(path: String, text: String, type: String) async throws {
    let answer = try await client.send(.get, path)
    #expect(answer.status == 200)
    #expect(answer.text == text)
    #expect(answer["Content-Type"] == type)
  }

  @Test(arguments: ["/.secret", "/out", "/inner/../app.js", "/inner/loop/index.html"])
  func `that are hidden, outside the folder or missing are not found`(path: String) async throws {
    #expect(try await client.send(.get, path).status == 404)
  }

  @Test func `can only be read`() async throws {
    let answer = try await client.send(.post, "/app.js")
    #expect(answer.status == 405 && answer["Allow"] == "GET, HEAD, OPTIONS")
    #expect(try await client.send(.post, "/none.js").status == 404)
  }

  @Test func `are not sent again to a client that has them`() async throws {
    let first = try await client.send(.get, "/app.js")
    let tag = try #require(first["ETag"])
    let again = try await client.send(.get, "/app.js", headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again.text == "" && again["ETag"] == tag)
    let other = try await client.send(.get, "/app.js", headers: ["If-None-Match": "\"x\""])
    #expect(other.status == 200)
  }
}
