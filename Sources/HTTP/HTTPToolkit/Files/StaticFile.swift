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

  let contentType: ContentType
  private let plain: Form
  private let gzip: Form?
  /// What a page that uses the client takes in more with; nil where this is none, or is not held.
  let head: PageHead?

  /// Reads what is to be held, of which `room` bytes may be.
  ///
  /// - Throws: ``FileOnDisk/Unreadable``.
  init(name: String, _ file: FileOnDisk, room: Int) throws(FileOnDisk.Unreadable) {
    contentType = ContentType(of: name)
    let size = file.mark.size
    let isHeld = size <= min(Self.heldSize, room)
    let isRead = isHeld || contentType.isText && size <= min(Self.compressedSize, room)
    var bytes = try isRead ? file.bytes() : []
    if !isRead { try file.expectReadable() }
    head = isHeld && contentType == .html ? PageHead(of: &bytes) : nil
    let mark = isRead ? Self.mark(of: bytes) : Self.mark(of: file)
    plain = Form(
      content: isHeld ? .held(SharedBytes(bytes)) : .onDisk(file),
      tag: "\"\(mark)\"",
      coding: nil
    )
    gzip =
      isRead
      ? Self.gzip(bytes, of: contentType, mark, room: isHeld ? room - bytes.count : room) : nil
  }

  /// One that is no file of the folder: it is held, however large it is.
  init(contentType: ContentType, _ bytes: [UInt8]) {
    self.contentType = contentType
    let mark = Self.mark(of: bytes)
    plain = Form(content: .held(SharedBytes(bytes)), tag: "\"\(mark)\"", coding: nil)
    gzip = Self.gzip(bytes, of: contentType, mark, room: .max)
    head = nil
  }

  /// One that is read as it is sent, and has no smaller form.
  private init(contentType: ContentType, _ file: FileOnDisk) {
    self.contentType = contentType
    plain = Form(content: .onDisk(file), tag: "\"\(Self.mark(of: file))\"", coding: nil)
    gzip = nil
    head = nil
  }

  /// One that changes while it is to be read: whoever asks for it gets what it is by then.
  init(changing file: FileOnDisk, name: String) {
    self.init(contentType: ContentType(of: name), file)
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

  /// Of its plain form.
  var tag: String { plain.tag }

  /// The page with a State in its head; nil where it is none.
  func page(with snapshot: EmbeddedSnapshot) -> [UInt8]? {
    guard let head, case .held(let page) = plain.content else { return nil }
    return page[0..<head.end].array + snapshot.element + page[head.end..<page.count].array
  }

  /// Whether what is served depends on Accept-Encoding.
  var hasForms: Bool { gzip != nil }

  func form(for codings: AcceptedCodings) -> Form {
    guard let gzip, codings.preferGzip else { return plain }
    return gzip
  }

  /// Nil where it is compressed by its nature, would hardly become smaller, or has no room.
  ///
  /// Compressed once, when the file is read: no request pays for it, and no secret of a request is in it
  /// (BREACH).
  private static func gzip(
    _ bytes: [UInt8],
    of contentType: ContentType,
    _ mark: String,
    room: Int
  ) -> Form? {
    // Less than 64 bytes are eaten up by the headers that name the coding.
    guard contentType.isText, let compressed = gzipped(bytes),
      compressed.count + 64 < bytes.count, compressed.count <= room
    else { return nil }
    return Form(
      content: .held(SharedBytes(compressed)),
      tag: "\"\(mark)-gzip\"",
      coding: "gzip"
    )
  }

  private static func mark(of bytes: [UInt8]) -> String {
    "\(String(fingerprint(bytes.lazy.map { UInt64($0) }), radix: 36))-\(bytes.count)"
  }

  /// Where its bytes were not read, of what the system says of it.
  private static func mark(of file: FileOnDisk) -> String {
    "\(String(fingerprint(file.mark.words), radix: 36))-\(file.mark.size)"
  }

  /// FNV-1a, 64 bits: told apart are versions of one file, not adversaries.
  private static func fingerprint(_ words: some Sequence<UInt64>) -> UInt64 {
    words.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01b3 }
  }
}
