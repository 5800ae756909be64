import FusionHTTPMessages

/// The marks of pages that the service completes as it sends them.
package struct PageMarkup: Sendable {
  /// The file name of the script module that such a page uses.
  let module: String
  /// Files that are served if the folder has none at their paths.
  let included: [String: StaticFile]
  /// The attributes whose first value in a page is recorded.
  let attributes: [String]
  /// The file name of a second module, and the marks of a page that needs both modules at once: the beginning
  /// of a text, with its possible continuations.
  let more: (module: String, marks: [String: [String]])

  package init(
    module: String,
    included: [String: StaticFile] = [:],
    attributes: [String],
    more: (module: String, marks: [String: [String]])
  ) {
    self.module = module
    self.included = included
    self.attributes = attributes
    self.more = more
  }
}

/// The head of a page that uses a ``PageMarkup``'s module, into which an element can be inserted.
package struct PageHead: Sendable {
  /// The position of `</head>`, before which an element is inserted.
  let end: Int
  /// The first value of each attribute in the page; "" for an attribute without a value.
  package let attributes: [String: String]

  /// Inserts links by which a browser requests the modules before it reaches the page's script.
  ///
  /// Returns nil if the page does not name the module, or has no end of a head; then the page is unchanged.
  init?(of html: inout [UInt8], _ markup: PageMarkup) {
    guard let (folder, name) = Self.module(markup.module, in: html), let end = Self.end(in: html)
    else { return nil }
    var attributes: [String: String] = [:]
    for name in markup.attributes {
      attributes[name] = html[...].value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }
    self.attributes = attributes
    var links = Self.link(folder + name)
    if markup.more.marks.contains(where: { html[...].contains($0.key, before: $0.value) }) {
      links += Self.link(folder + markup.more.module.utf8)
    }
    html.insert(contentsOf: links, at: end)
    self.end = end + links.count
  }

  private static func link(_ module: [UInt8]) -> [UInt8] {
    "<link rel=\"modulepreload\" href=\"".utf8 + module + "\">\n".utf8
  }

  /// Returns the address by which the page names the module, such as `uifusion.js`, `/uifusion.js` or
  /// `../uifusion.js?v=1`, in two parts; ignores longer names with the same ending, and code that is shown.
  private static func module(_ name: String, in html: [UInt8]) -> (
    folder: [UInt8], name: ArraySlice<UInt8>
  )? {
    let ends = " \n\r\t\u{c}\"'=<>".utf8
    for place in html[...].places(of: name) {
      let folder = html[..<place].reversed().prefix { !ends.contains($0) }
      // In a text, no quote and no equals sign stands before the address, or an escaped one.
      guard let mark = html[..<(place - folder.count)].last, "\"'=".utf8.contains(mark),
        !folder.contains(UInt8(ascii: "&"))
      else { continue }
      if folder.isEmpty || folder.first == UInt8(ascii: "/") {
        let end = place + name.utf8.count
        let query =
          html[end...].first == UInt8(ascii: "?")
          ? html[end...].prefix { !" \"'>".utf8.contains($0) } : []
        return (folder.reversed(), html[place..<(end + query.count)])
      }
    }
    return nil
  }

  /// Returns the position of the first end tag of the head (HTML §13.1.2.2).
  private static func end(in html: [UInt8]) -> Int? {
    let after = Array("> \n\r\t\u{c}".utf8)
    return html[...].places(of: "</head").first {
      $0 + 6 < html.count && after.contains(html[$0 + 6])
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the positions of a lower-case text in these bytes, whatever their case.
  func places(of text: String) -> [Int] {
    let text = Array(text.utf8)
    var places: [Int] = []
    let bytes = span
    for start in bytes.indices.dropLast(Swift.max(0, text.count - 1)) {
      var length = 0
      while length < text.count, bytes[start + length].asciiLowercased == text[length] {
        length += 1
      }
      if length == text.count { places.append(startIndex + start) }
    }
    return places
  }

  /// Returns whether the bytes contain a text with one of the continuations, all in lower case.
  fileprivate func contains(_ text: String, before ways: [String]) -> Bool {
    places(of: text).contains { place in
      let rest = self[(place + text.utf8.count)...].lazy.map(\.asciiLowercased)
      return ways.contains { rest.starts(with: $0.utf8) }
    }
  }

  /// Returns the first value of an attribute, with or without quotes; empty if it has no value, nil if it is
  /// absent.
  func value(of attribute: String) -> ArraySlice<UInt8>? {
    var isPresent = false
    for place in places(of: attribute)
    where place > startIndex && " \n\r\t\u{c}".utf8.contains(self[place - 1]) {
      isPresent = true
      let rest = self[(place + attribute.utf8.count)...]
      guard rest.first == UInt8(ascii: "=") else { continue }
      return rest.dropFirst().drop { $0 == 0x22 || $0 == 0x27 }
        .prefix { !" \n\r\t\u{c}\"'>".utf8.contains($0) }
    }
    return isPresent ? [] : nil
  }
}
