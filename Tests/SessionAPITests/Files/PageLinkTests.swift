import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Testing

struct `A page of the front end` {
  private static let forever = "public, max-age=31536000, immutable"
  private let folder: FilesFolder

  init() throws {
    folder = try FilesFolder([
      "style.css": "p {}", "plain.js": "important();", "importing.js": "import './other.js'",
      "commented.js": "import/* it */'./other.js'", "exporting.js": "export * from './other.js'",
      "sub/own.css": "a {}", "icon.svg": "<svg/>",
    ])
  }

  /// Returns a page with elements in its head as it is served.
  private func served(_ elements: String, at path: String = "page.html") async throws -> String {
    try folder.write(elements + "</head>", to: path)
    return try await Client(files: try folder.index()).send(.get, "/" + path).text
  }

  /// Returns the addresses by which a page names a file.
  private func addresses(of name: String, in page: String) -> [String] {
    page.matches(of: /(?:href|src)=["']?([^"'> ]+)/).map { String($0.1) }
      .filter { $0.split(separator: "?")[0].hasSuffix(name) }
  }

  @Test(arguments: [
    ("<link rel=stylesheet href=style.css>", "page.html"),
    ("<LINK href='/style.css' rel=stylesheet>", "page.html"),
    ("<link\nrel=stylesheet href=\"./style.css\">", "page.html"),
    ("<link rel=stylesheet href=\"../style.css\">", "sub/page.html"),
    ("<link rel=icon href=icon.svg><IMG alt='' src=./icon.svg>", "page.html"),
    ("<script src=\"plain.js\"></script>", "page.html"),
    ("<script src=plain.js></script><link href=style.css>", "page.html"),
  ])
  func `names its files by addresses that caches may keep for ever`(elements: String, path: String)
    async throws
  {
    let page = try await served(elements, at: path)
    for address in addresses(of: "", in: page) {
      #expect(address.contains("?v="))
      let target = "/" + address.split(separator: "/").last { $0 != ".." }!
      let file = try await Client(files: folder.index()).send(.get, target)
      #expect(file.status == 200 && file["Cache-Control"] == Self.forever && file["ETag"] != nil)
    }
    #expect(page.replacing(/\?v=[0-9a-z-]+/, with: "").hasPrefix(elements))
  }

  @Test(arguments: [
    "<link rel=stylesheet href=//elsewhere/style.css>", "<a href=style.css>", "<link href>",
    "<link rel=next href=page.html>", "<link rel=stylesheet href=none.css>",
    "<link rel=stylesheet href=style.css?mine>", "<link rel=stylesheet data-href=style.css>",
    "<base href=/sub/><link rel=stylesheet href=style.css>",
    "<link rel=stylesheet href=https://elsewhere/style.css>",
  ])
  func `leaves all other addresses as they are`(elements: String) async throws {
    #expect(try await served(elements) == elements + "</head>")
  }

  @Test(arguments: [
    "<script src=importing.js></script>", "<script src=commented.js></script>",
    "<script src=exporting.js></script>", "<script>1</script>", "<script src=none.js></script>",
  ])
  func `leaves the addresses of all scripts as they are if one may import another`(script: String)
    async throws
  {
    let others = "<link rel=stylesheet href=style.css><script src=plain.js></script>"
    let page = try await served(others + "<script src=uifusion.js></script>" + script)
    #expect(addresses(of: "plain.js", in: page) == ["plain.js"])
    #expect(addresses(of: "uifusion.js", in: page) == ["uifusion.js", "uifusion.js"])
    #expect(addresses(of: "style.css", in: page) != ["style.css"])
  }

  @Test(arguments: [
    ("<script src=uifusion.js></script><script src=plain.js></script>", "page.html"),
    ("<script src=/uifusion.js></script>", "sub/page.html"),
    ("<script src=\"../uifusion.js\"></script>", "sub/page.html"),
    ("<script src=uifusion.js></script><script src=uifusion-gestures.js></script>", "page.html"),
  ])
  func `names the client's two modules by cacheable addresses if no script imports them`(
    elements: String,
    path: String
  ) async throws {
    let page = try await served(elements + "<p data-open>", at: path)
    let client = Set(addresses(of: "uifusion.js", in: page))
    #expect(client.count == 1 && addresses(of: "uifusion.js", in: page).count == 2)
    for address in client.union(addresses(of: "uifusion-more.js", in: page)) {
      let target = "/" + address.split(separator: "/").last { $0 != ".." }!
      let file = try await Client(files: folder.index()).send(.get, target)
      #expect(file["Cache-Control"] == Self.forever && file.text.contains("export"))
    }
  }

  @Test func `leaves an address of the client that leads to no file as it is`() async throws {
    let page = try await served("<script src=uifusion.js></script>", at: "sub/page.html")
    #expect(addresses(of: "uifusion.js", in: page) == ["uifusion.js", "uifusion.js"])
  }

  @Test func `is sent as it is if its completed form does not fit into memory`() async throws {
    let page = "<link rel=stylesheet href=style.css></head>"
    let folder = try FilesFolder(["style.css": "p {}", "page.html": page])
    for (limit, isCompleted) in [(page.utf8.count + 20, false), (1_000, true)] {
      let index = try folder.index(limit: limit)
      let text = try await Client(files: index).send(.get, "/page.html").text
      #expect((text != page) == isCompleted)
    }
  }

  @Test func `has a new address for a changed file, and caches do not keep the old one`()
    async throws
  {
    try folder.write("<link rel=stylesheet href=style.css></head>", to: "page.html")
    let index = try folder.index()
    let client = Client(files: index)
    let first = try await client.send(.get, "/page.html")
    try folder.write("p { margin: 0 }", to: "style.css")
    try index.reread()
    let second = try await client.send(.get, "/page.html")
    #expect(first.text != second.text && first["ETag"] != second["ETag"])
    let old = try #require(addresses(of: "style.css", in: first.text).first)
    let file = try await client.send(.get, "/" + old)
    #expect(file.text == "p { margin: 0 }" && file["Cache-Control"] == "no-cache")
    let unchanged = try await client.send(.get, "/style.css", headers: [:])
    #expect(unchanged["Cache-Control"] == "no-cache")
  }
}
