/// The head of a page that uses the client, which takes in what a browser is to have at once.
struct PageHead: Sendable {
  /// Where something may be put in: before `</head>`.
  let end: Int
  /// What the page's first element with `data-view-model` shows.
  let viewModel: String?
  /// Whether the page says what a session of it is made with: then a session made without is none of it.
  let givesParameters: Bool

  /// Puts in a link by which a browser asks for the client before it comes to its script.
  ///
  /// Nil where a text names no client, or has no end of a head: it is no such page, and stays what it is.
  init?(of html: inout [UInt8]) {
    guard let client = Self.client(in: html), let end = Self.end(in: html) else { return nil }
    viewModel = Self.viewModel(in: html)
    givesParameters = html.places(of: "data-parameters").contains { _ in true }
    let link = Array("<link rel=\"modulepreload\" href=\"".utf8) + client + Array("\">\n".utf8)
    html.insert(contentsOf: link, at: end)
    self.end = end + link.count
  }

  /// The client as the page names it, such as `uifusion.js` or `/uifusion.js`: no other name that ends so.
  private static func client(in html: [UInt8]) -> [UInt8]? {
    let name: StaticString = "uifusion.js"
    for place in html.places(of: name) {
      let path = html[..<place].reversed().prefix { !" \n\r\t\u{c}\"'=<>".utf8.contains($0) }
      if place > 0, path.isEmpty ? "\"'=".utf8.contains(html[place - 1]) : path.first == 0x2F {
        return path.reversed() + html[place..<(place + name.utf8CodeUnitCount)]
      }
    }
    return nil
  }

  /// The first end tag (HTML §13.1.2.2) of that name.
  private static func end(in html: [UInt8]) -> Int? {
    let after = Array("> \n\r\t\u{c}".utf8)
    return html.places(of: "</head").first {
      $0 + 6 < html.count && after.contains(html[$0 + 6])
    }
  }

  /// A name, as view models have them, in quotes or without.
  private static func viewModel(in html: [UInt8]) -> String? {
    let attribute: StaticString = "data-view-model="
    guard let place = html.places(of: attribute).first(where: { _ in true }) else { return nil }
    let name = html[(place + attribute.utf8CodeUnitCount)...].drop { $0 == 0x22 || $0 == 0x27 }
      .prefix { !" \n\r\t\u{c}\"'>".utf8.contains($0) }
    return String(validating: name, as: UTF8.self)
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
