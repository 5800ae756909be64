/// The head of a page that uses the client, which takes in what a browser is to have at once.
struct PageHead: Sendable {
  /// The page, with a link by which a browser asks for the client before it comes to its script.
  let page: [UInt8]
  /// Where more may be put in: before `</head>`.
  let end: Int

  private static let link = Array("<link rel=\"modulepreload\" href=\"/uifusion.js\">\n".utf8)

  /// Nil where a text names no client, or no end of its head.
  init?(of html: [UInt8]) {
    guard Self.namesClient(html), let end = Self.end(in: html) else { return nil }
    page = html[..<end] + Self.link + html[end...]
    self.end = end + Self.link.count
  }

  /// Whether it has `/uifusion.js`, or `uifusion.js` as an attribute's value: no other name that ends so.
  private static func namesClient(_ html: [UInt8]) -> Bool {
    let before = Array("/\"'=".utf8)
    return html.places(of: "uifusion.js").contains { $0 > 0 && before.contains(html[$0 - 1]) }
  }

  /// The first end tag (HTML §13.1.2.2) of that name.
  private static func end(in html: [UInt8]) -> Int? {
    let after = Array("> \n\r\t\u{c}".utf8)
    return html.places(of: "</head").first {
      $0 + 6 < html.count && after.contains(html[$0 + 6])
    }
  }
}

extension [UInt8] {
  /// Where a text begins, of which letters may be capital.
  fileprivate func places(of text: StaticString) -> some Sequence<Int> {
    let text = Array(text.description.utf8)
    return indices.dropLast(Swift.max(0, text.count - 1)).lazy.filter { start in
      text.indices.allSatisfy { self[start + $0].asLowercase == text[$0] }
    }
  }
}

extension UInt8 {
  fileprivate var asLowercase: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
