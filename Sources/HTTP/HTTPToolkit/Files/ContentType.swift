/// The media type of a file, by the extension of its name.
package struct ContentType: Sendable, Equatable {
  /// The value of `Content-Type`.
  package let text: String

  package static let html = ContentType("text/html; charset=utf-8")
  package static let css = ContentType("text/css; charset=utf-8")
  package static let javaScript = ContentType("text/javascript; charset=utf-8")
  static let svg = ContentType("image/svg+xml")

  /// The type of TypeScript declarations: tools go by the file's name, and browsers show plain text.
  ///
  /// (`.ts` alone is registered as video: video/MP2T.)
  package static let declarations = ContentType("text/plain; charset=utf-8")

  init(of name: String) {
    if name.lowercased().hasSuffix(".d.ts") {
      self = .declarations
    } else {
      self = Self.named(name.split(separator: ".").last?.lowercased())
    }
  }

  private init(_ text: String) {
    self.text = text
  }

  /// Whether to compress files of this type: they are not already compressed.
  var isText: Bool {
    text.hasPrefix("text/") || text.hasSuffix("json") || text.hasSuffix("+xml")
      || text == "application/wasm"
  }

  /// Whether the type belongs to a page's appearance: a style sheet or an image.
  var isOfStyle: Bool { self == .css || text.hasPrefix("image/") }

  private static func named(_ ending: String?) -> ContentType {
    switch ending {
    case "html": .html
    case "js", "mjs": .javaScript
    case "css": .css
    case "json", "map": ContentType("application/json")
    case "webmanifest": ContentType("application/manifest+json")
    case "txt": ContentType("text/plain; charset=utf-8")
    case "md": ContentType("text/markdown; charset=utf-8")
    case "svg": .svg
    case "png": ContentType("image/png")
    case "jpg", "jpeg": ContentType("image/jpeg")
    case "gif": ContentType("image/gif")
    case "webp": ContentType("image/webp")
    case "avif": ContentType("image/avif")
    case "ico": ContentType("image/vnd.microsoft.icon")
    case "woff2": ContentType("font/woff2")
    case "wasm": ContentType("application/wasm")
    case "pdf": ContentType("application/pdf")
    default: ContentType("application/octet-stream")
    }
  }
}
