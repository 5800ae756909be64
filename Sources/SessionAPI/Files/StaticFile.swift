import Gzip
import HTTPMessages

/// A file as it is served: its bytes, and a smaller form of them where that pays.
struct StaticFile: Sendable {
  /// One representation of the file, whose tag is its own (RFC 9110 §8.8.3.3).
  struct Form: Sendable {
    let bytes: SharedBytes
    /// Changes when the bytes do.
    let tag: String
    /// As Content-Encoding names it; nil where the bytes are the file's.
    let coding: String?
  }

  let contentType: String
  private let plain: Form
  private let gzip: Form?

  init(name: String, bytes: [UInt8]) {
    contentType = Self.contentType(of: name)
    let mark = "\(String(Self.fingerprint(bytes), radix: 36))-\(bytes.count)"
    plain = Form(bytes: SharedBytes(bytes), tag: "\"\(mark)\"", coding: nil)
    gzip = Self.compress(bytes, contentType).map {
      Form(bytes: SharedBytes($0), tag: "\"\(mark)-gzip\"", coding: "gzip")
    }
  }

  /// Whether what is served depends on Accept-Encoding.
  var hasForms: Bool { gzip != nil }

  func form(for codings: AcceptedCodings) -> Form {
    guard let gzip, codings.preferGzip else { return plain }
    return gzip
  }

  /// Nil where it is compressed already, or would hardly become smaller.
  ///
  /// Compressed once, when the file is read: no request pays for it, and no secret of a request is
  /// in it (BREACH).
  private static func compress(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
    let isText = type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("+xml")
    guard isText || type == "application/wasm", let compressed = gzipped(bytes) else { return nil }
    // Less than that is eaten up by the headers that name the coding.
    return compressed.count + 64 < bytes.count ? compressed : nil
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
