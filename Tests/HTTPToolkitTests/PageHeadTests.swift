import Testing

@testable import FusionHTTPToolkit

private let markup = PageMarkup(
  module: "uifusion.js",
  attributes: ["data-view-model", "data-parameters"],
  more: ("uifusion-more.js", ["data-": ["open"], "| ": ["list"]])
)

private func link(_ client: String = "/uifusion.js") -> String {
  "<link rel=\"modulepreload\" href=\"\(client)\">\n"
}

struct `A page that uses the client` {
  private func text(_ page: String) -> String? {
    var bytes = Array(page.utf8)
    let head = PageHead(of: &bytes, markup)
    let text = String(decoding: bytes, as: UTF8.self)
    if head == nil { #expect(text == page) }
    return head.map { _ in text }
  }

  @Test(arguments: [
    ("<script type=\"module\" src=\"/uifusion.js\"></script>", "/uifusion.js"),
    ("<script src='uifusion.js'></script>", "uifusion.js"),
    ("<script src=uifusion.js></script>", "uifusion.js"),
    ("<script src=\"../uifusion.js\"></script>", "../uifusion.js"),
    ("<script src=\"../uifusion.js?v=1-2\"></script>", "../uifusion.js?v=1-2"),
    ("<script src=uifusion.js?v=1></script>", "uifusion.js?v=1"),
    ("<script src=\"/app/UIFusion.js\"></script>", "/app/UIFusion.js"),
    ("<i title='my-uifusion.js'></i><script src=./uifusion.js></script>", "./uifusion.js"),
  ])
  func `preloads the client at the end of its head, by its script's address`(
    script: String,
    name: String
  ) {
    #expect(text(script + "</head><body>") == script + link(name) + "</head><body>")
    #expect(text("</head>" + script) == link(name) + "</head>" + script)
  }

  @Test(arguments: ["<dialog data-open=\"isOpen\">", "{names | list}", "<p DATA-OPEN>"])
  func `preloads the client's second module if its markup needs it`(body: String) {
    let script = "<script src=../uifusion.js></script>"
    let links = link("../uifusion.js") + link("../uifusion-more.js")
    #expect(text(script + "</head>" + body) == script + links + "</head>" + body)
    let version = "<script src=../uifusion.js?v=1></script>"
    let both = link("../uifusion.js?v=1") + link("../uifusion-more.js")
    #expect(text(version + "</head>" + body) == version + both + "</head>" + body)
  }

  @Test(arguments: ["</head>", "</HEAD>", "</head >", "</Head\n>"])
  func `ends its head where a browser does`(tag: String) throws {
    let page = "<p title=\"/uifusion.js\"></header></headline>é" + tag + "<p></head>"
    var bytes = Array(page.utf8)
    let head = try #require(PageHead(of: &bytes, markup))
    let marked = String(decoding: bytes[..<head.end], as: UTF8.self)
    #expect(marked == "<p title=\"/uifusion.js\"></header></headline>é" + link())
  }

  @Test(arguments: [
    "<script src=\"/counter.js\"></script></head>", "<script src=\"/my-uifusion.js\"></head>",
    "<script src=\"/uifusion.js\"></script>", "<script src=\"/uifusion.js\"></script></header>",
    "</head", "/uifusion.js</head", "uifusion.js</head>", "", "<p>uifusion-js</p></head>",
    // Only shown.
    "</head><code>/uifusion.js</code>", "</head><p>Load /uifusion.js first.</p>",
    "</head><code>from &#39;/uifusion.js&#39;</code>",
    "</head><code>src=&quot;../uifusion.js&quot;</code>",
    "</head><code>src=<b>&quot;/uifusion.js&quot;</b></code>",
  ])
  func `is not recognized without the client's name or the end of its head`(page: String) {
    #expect(text(page) == nil)
  }

  @Test(arguments: [
    ("<body data-view-model=\"counter\">", "counter"), ("<p DATA-VIEW-MODEL='a-b.c'>", "a-b.c"),
    ("<p data-view-model=todos><p data-view-model=counter>", "todos"),
    ("<p data-view-model=todos class=a>", "todos"), ("<p data-view-model=\"\">", ""),
    ("<p data-view-model>", ""), ("<p>", nil), ("<p data-view-model=", ""),
  ])
  func `tells which view model it shows first`(element: String, name: String?) throws {
    var bytes = Array(("<script src=/uifusion.js></head>" + element).utf8)
    let head = try #require(PageHead(of: &bytes, markup))
    #expect(head.attributes["data-view-model"] == name)
    #expect(head.attributes["data-parameters"] == nil)
  }
}
