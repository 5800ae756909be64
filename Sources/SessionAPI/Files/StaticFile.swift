import FusionGzip
import FusionHTTPMessages

/// A file as it is served: its bytes, and a smaller form of them where that pays.
struct StaticFile: Sendable {
  /// A file of more bytes is not held in memory.
  static let heldSize = 65_536
  /// A larger one is not compressed: it is read for that, and what it becomes is held.
  private static let compressedSize = 16 << 20

  /// One representation of the file, whose tag is its own (RFC 9110 §8.8.3.3).
  struct Form: Sendable {
    let content: Content
    /// Changes when the bytes do.
    let tag: String
    /// As Content-Encoding names it; nil where the bytes are the file's.
    let coding: String?
  }

  enum Content: Sendable {
    case held(SharedBytes)
    case onDisk(FileOnDisk)

    var count: Int {
      switch self {
      case .held(let bytes): bytes.count
      case .onDisk(let file): file.mark.size
      }
    }
  }

  let contentType: String
  private let plain: Form
  private let gzip: Form?

  /// Reads what is to be held, of which `room` bytes may be.
  ///
  /// - Throws: ``FileOnDisk/Unreadable``.
  init(name: String, _ file: FileOnDisk, room: Int) throws(FileOnDisk.Unreadable) {
    contentType = Self.contentType(of: name)
    let size = file.mark.size
    let isHeld = size <= min(Self.heldSize, room)
    let isRead = isHeld || Self.isText(contentType) && size <= min(Self.compressedSize, room)
    let bytes = try isRead ? file.bytes() : []
    if !isRead { try file.expectReadable() }
    let mark = Self.mark(of: file, isRead ? bytes : nil)
    plain = Form(
      content: isHeld ? .held(SharedBytes(bytes)) : .onDisk(file),
      tag: "\"\(mark)\"",
      coding: nil
    )
    let compressed = isRead && Self.isText(contentType) ? Self.compress(bytes) : nil
    let left = isHeld ? room - size : room
    gzip = compressed.flatMap { bytes in
      guard bytes.count <= left else { return nil }
      return Form(content: .held(SharedBytes(bytes)), tag: "\"\(mark)-gzip\"", coding: "gzip")
    }
  }

  /// One that is read as it is sent, and has no smaller form.
  private init(contentType: String, _ file: FileOnDisk) {
    self.contentType = contentType
    plain = Form(content: .onDisk(file), tag: "\"\(Self.mark(of: file, nil))\"", coding: nil)
    gzip = nil
  }

  /// One that changes while it is to be read: whoever asks for it gets what it is by then.
  init(changing file: FileOnDisk, name: String) {
    self.init(contentType: Self.contentType(of: name), file)
  }

  /// What stands on the disk now in place of what was listed; nil where that cannot be read, or where this
  /// is held in memory.
  var renewed: StaticFile? {
    guard case .onDisk(let old) = plain.content, let file = try? FileOnDisk(regular: old.path),
      (try? file.expectReadable()) != nil
    else { return nil }
    return StaticFile(contentType: contentType, file)
  }

  /// How much memory it takes.
  var heldBytes: Int {
    [plain, gzip].reduce(0) { count, form in
      if case .held(let bytes) = form?.content { count + bytes.count } else { count }
    }
  }

  /// Whether what is to be read from the disk is what it was when it was listed.
  var isCurrent: Bool {
    if case .onDisk(let file) = plain.content { file.isCurrent } else { true }
  }

  /// Whether what is served depends on Accept-Encoding.
  var hasForms: Bool { gzip != nil }

  func form(for codings: AcceptedCodings) -> Form {
    guard let gzip, codings.preferGzip else { return plain }
    return gzip
  }

  /// Nil where it would hardly become smaller.
  ///
  /// Compressed once, when the file is read: no request pays for it, and no secret of a request is in it
  /// (BREACH).
  private static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    guard let compressed = gzipped(bytes) else { return nil }
    // Less than that is eaten up by the headers that name the coding.
    return compressed.count + 64 < bytes.count ? compressed : nil
  }

  /// Whether it is not compressed by its nature.
  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("+xml")
      || type == "application/wasm"
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

  /// Of its bytes, or where these were not read, of what the system says of it.
  private static func mark(of file: FileOnDisk, _ bytes: [UInt8]?) -> String {
    let print =
      bytes.map { fingerprint($0.lazy.map { UInt64($0) }) } ?? fingerprint(file.mark.words)
    return "\(String(print, radix: 36))-\(file.mark.size)"
  }

  /// FNV-1a, 64 bits: told apart are versions of one file, not adversaries.
  private static func fingerprint(_ words: some Sequence<UInt64>) -> UInt64 {
    words.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01b3 }
  }
}
