/// A file as it is served.
struct StaticFile: Sendable {
  let bytes: [UInt8]
  let contentType: String
  /// Changes when the bytes do.
  let tag: String

  init(name: String, bytes: [UInt8]) {
    self.bytes = bytes
    contentType = Self.contentType(of: name)
    tag = "\"\(String(Self.fingerprint(bytes), radix: 36))-\(bytes.count)\""
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json", "map": "application/json"
    case "webmanifest": "application/manifest+json"
    case "txt": "text/plain; charset=utf-8"
    case "md": "text/markdown; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "avif": "image/avif"
    case "ico": "image/vnd.microsoft.icon"
    case "woff2": "font/woff2"
    case "wasm": "application/wasm"
    case "pdf": "application/pdf"
    default: "application/octet-stream"
    }
  }

  /// FNV-1a, 64 bits: told apart are versions of one file, not adversaries.
  private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
