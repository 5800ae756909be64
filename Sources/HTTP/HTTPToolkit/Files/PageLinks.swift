import FusionHTTPMessages

extension FileListing {
  /// Returns a page that names its style sheets, images and scripts by addresses with their digests,
  /// `style.css?v=DIGEST`.
  ///
  /// Caches keep files with such an address forever (``StaticFile/response(to:)``). A browser runs a module
  /// once for each address, and scripts import others by their plain addresses. If one of the page's scripts
  /// may import others, all scripts therefore keep their plain addresses. The markup's module imports none of
  /// them.
  func page(_ html: [UInt8], at path: String) -> [UInt8] {
    var links: [(end: Int, file: StaticFile)] = []
    var mayImport = false
    for start in html.indices where html[start] == UInt8(ascii: "<") {
      let tag = html[start...].prefix { $0 != UInt8(ascii: ">") }
      let isScript = tag.begins(with: "<script")
      // With a base, relative addresses have another meaning.
      if tag.begins(with: "<base") { return html }
      let isLink = tag.begins(with: "<link")
      guard isScript || isLink || tag.begins(with: "<img") else { continue }
      guard let address = tag.value(of: isLink ? "href" : "src") else {
        // An inline script.
        if isScript { mayImport = true }
        continue
      }
      let name = String(decoding: address, as: UTF8.self)
      let file = self.file(named: name, from: path)
      let isModule = name.split(separator: "/").last.map(String.init) == markup?.module
      if isScript, !isModule, file?.mayImport ?? true { mayImport = true }
      if let file { links.append((address.endIndex, file)) }
    }
    var page: [UInt8] = []
    var copied = 0
    for (end, file) in links
    where file.contentType.isOfStyle || file.contentType == .javaScript && !mayImport {
      page += html[copied..<end]
      page += "?v=\(file.digest)".utf8
      copied = end
    }
    return page + html[copied...]
  }

  /// Returns the file that a page names by an address relative to the page's own; nil for any other address.
  private func file(named address: String, from page: String) -> StaticFile? {
    guard !address.hasPrefix("//") else { return nil }
    var steps = address.hasPrefix("/") ? [] : page.split(separator: "/").dropLast()
    for step in address.split(separator: "/") where step != "." {
      if step == ".." { _ = steps.popLast() } else { steps.append(step) }
    }
    let path = "/" + steps.joined(separator: "/")
    return files[Array(path.utf8)] ?? markup?.included[path]
  }
}

extension ArraySlice<UInt8> {
  fileprivate func begins(with text: String) -> Bool {
    prefix(text.utf8.count).elementsEqual(text.utf8) { $0.asciiLowercased == $1 }
  }
}
