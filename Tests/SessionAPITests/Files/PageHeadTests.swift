import FusionHTTPMessages
import Testing

@testable import FusionSessionAPI

private func link(_ client: String = "/uifusion.js") -> String {
  "<link rel=\"modulepreload\" href=\"\(client)\">\n"
}

struct `A page that uses the client` {
  private func text(_ page: String) -> String? {
    var bytes = Array(page.utf8)
    let head = PageHead(of: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if head == nil { #expect(text == page) }
    return head.map { _ in text }
  }

  @Test(arguments: [
    ("<script type=\"module\" src=\"/uifusion.js\"></script>", "/uifusion.js"),
    ("<script src='uifusion.js'></script>", "uifusion.js"),
    ("<script src=uifusion.js></script>", "uifusion.js"),
    ("<script src=\"../uifusion.js\"></script>", "../uifusion.js"),
    ("<script src=\"/app/UIFusion.js\"></script>", "/app/UIFusion.js"),
    ("<i title='my-uifusion.js'></i><script src=./uifusion.js></script>", "./uifusion.js"),
  ])
  func `names it at the end of its head, as it does itself`(script: String, name: String) {
    #expect(text(script + "</head><body>") == script + link(name) + "</head><body>")
    #expect(text("</head>" + script) == link(name) + "</head>" + script)
  }

  @Test(arguments: ["</head>", "</HEAD>", "</head >", "</Head\n>"])
  func `ends its head as a browser sees it`(tag: String) throws {
    let page = "<p title=\"/uifusion.js\"></header></headline>é" + tag + "<p></head>"
    var bytes = Array(page.utf8)
    let head = try #require(PageHead(of: &bytes))
    let marked = String(decoding: bytes[..<head.end], as: UTF8.self)
    #expect(marked == "<p title=\"/uifusion.js\"></header></headline>é" + link())
  }

  @Test(arguments: [
    "<script src=\"/counter.js\"></script></head>", "<script src=\"/my-uifusion.js\"></head>",
    "<script src=\"/uifusion.js\"></script>", "<script src=\"/uifusion.js\"></script></header>",
    "</head", "/uifusion.js</head", "uifusion.js</head>", "", "<p>uifusion-js</p></head>",
  ])
  func `is none without its name, or without the end of a head`(page: String) {
    #expect(text(page) == nil)
  }

  @Test(arguments: [
    ("<body data-view-model=\"counter\">", "counter"), ("<p DATA-VIEW-MODEL='a-b.c'>", "a-b.c"),
    ("<p data-view-model=todos><p data-view-model=counter>", "todos"),
    ("<p data-view-model=todos class=a>", "todos"), ("<p data-view-model=\"\">", ""),
    ("<p data-view-model>", nil), ("<p>", nil), ("<p data-view-model=", ""),
  ])
  func `knows what it shows first`(element: String, name: String?) throws {
    var bytes = Array(("/uifusion.js</head>" + element).utf8)
    let head = try #require(PageHead(of: &bytes))
    #expect(head.viewModel == name && !head.givesParameters)
  }

  @Test func `is served so, with a tag for what is sent`() async throws {
    let page = "<script type=module src=/uifusion.js></script></head>"
    let folder = try FilesFolder(["a.html": page, "a.txt": page, "plain.html": "<p></head>"])
    let client = Client(files: try folder.index())
    let answer = try await client.send(.get, "/a.html")
    #expect(answer.text.contains(link()) && answer["Cache-Control"] == "no-cache")
    let tag = try #require(answer["ETag"])
    #expect(try await client.send(.get, "/a.txt")["ETag"] != tag)
    let again = try await client.send(.get, "/a.html", headers: ["If-None-Match": tag])
    #expect(again.status == 304)
    let part = try await client.send(.get, "/a.html", headers: ["Range": "bytes=46-51"])
    #expect(part.text == "<link " && part.status == 206)
    #expect(try await client.send(.get, "/a.txt").text == page)
    #expect(try await client.send(.get, "/plain.html").text == "<p></head>")
  }

  @Test func `is served as it is where it is not held in memory`() async throws {
    let page = "/uifusion.js</head>" + String(repeating: "x", count: 65_536)
    let folder = try FilesFolder(["counter.html": page])
    defer { withExtendedLifetime(folder) {} }
    let client = Client(files: try folder.index())
    let session = try await client.session("counter")
    for target in ["/counter.html", "/counter.html?session=" + session.dropFirst(10)] {
      #expect(try await client.send(.get, target).text == page)
    }
  }
}
