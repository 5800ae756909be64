import FusionGzip
import FusionHTTPMessages

/// A file in its served form: its bytes, and a compressed form if it is worthwhile.
package struct StaticFile: Sendable {
  /// The maximum size of a file that is held in memory.
  static let heldSize = 65_536
  /// The maximum size of a file that is compressed: it is read for that, and its compressed form is held in
  /// memory.
  private static let compressedSize = 16 << 20

  /// A representation of the file, with its own tag (RFC 9110 §8.8.3.3).
  struct Form: Sendable {
    let content: Content
    /// A tag that changes with the bytes.
    let tag: String
    /// The value of `Content-Encoding`; nil if the bytes are the file's own.
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

  package let contentType: ContentType
  private let plain: Form
  private let gzip: Form?
  /// The page's head for inserting an element; nil if the file is not such a page, or is not in memory.
  package let head: PageHead?

  /// Whether the file may be a script that imports others.
  let mayImport: Bool

  /// Reads a file, as far as it is held in memory, which may take `room` bytes.
  init(name: String, _ file: FileOnDisk, room: Int) throws(FileOnDisk.Unreadable) {
    let contentType = ContentType(of: name)
    let size = file.mark.size
    let isHeld = size <= min(Self.heldSize, room)
    guard isHeld || contentType.isText && size <= min(Self.compressedSize, room) else {
      try file.expectReadable()
      self.init(contentType: contentType, file)
      return
    }
    let bytes = try file.bytes()
    self.init(
      contentType,
      bytes,
      isHeld ? .held(SharedBytes(bytes)) : .onDisk(file),
      // A page is compressed after it is completed.
      room: contentType == .html && isHeld ? 0 : isHeld ? room - bytes.count : room
    )
  }

  /// Creates a file from bytes, which are held in memory whatever their size.
  ///
  /// The digest identifies them in an address; by default it is computed from them.
  package init(contentType: ContentType, _ bytes: [UInt8], digest: String? = nil) {
    self.init(contentType, bytes, .held(SharedBytes(bytes)), room: .max, digest: digest)
  }

  /// Creates a page, completed by its markup; its compressed form may take `room` bytes.
  init(page html: [UInt8], _ markup: PageMarkup?, room: Int) {
    var html = html
    let head = markup.flatMap { PageHead(of: &html, $0) }
    self.init(.html, html, .held(SharedBytes(html)), room: room, head)
  }

  private init(
    _ contentType: ContentType,
    _ bytes: [UInt8],
    _ content: Content,
    room: Int,
    _ head: PageHead? = nil,
    digest: String? = nil
  ) {
    self.contentType = contentType
    let mark = digest ?? Self.mark(of: bytes)
    plain = Form(content: content, tag: "\"\(mark)\"", coding: nil)
    gzip = Self.gzip(bytes, of: contentType, mark, room: room)
    self.head = head
    mayImport =
      contentType == .javaScript
      && ["import", "export"].contains { word in
        bytes[...].places(of: word).contains { place in
          place + 6 == bytes.count || !ByteSet.unreserved.contains(bytes[place + 6])
        }
      }
  }

  /// Creates a file that is read as it is sent, without a compressed form.
  private init(contentType: ContentType, _ file: FileOnDisk) {
    self.contentType = contentType
    plain = Form(content: .onDisk(file), tag: "\"\(Self.mark(of: file))\"", coding: nil)
    gzip = nil
    head = nil
    mayImport = true
  }

  /// Creates a file that changes while it is read: each request gets its current bytes.
  init(changing file: FileOnDisk, name: String) {
    self.init(contentType: ContentType(of: name), file)
  }

  /// The current file on disk; nil if it cannot be read, or if this one is held in memory.
  var renewed: StaticFile? {
    guard case .onDisk(let old) = plain.content, let file = try? FileOnDisk(regular: old.path),
      (try? file.expectReadable()) != nil
    else { return nil }
    return StaticFile(contentType: contentType, file)
  }

  /// The number of bytes that the file takes in memory.
  var heldBytes: Int {
    [plain, gzip].reduce(0) { count, form in
      if case .held(let bytes) = form?.content { count + bytes.count } else { count }
    }
  }

  /// Whether the file is in memory, or has not changed on disk since it was listed.
  var isCurrent: Bool {
    if case .onDisk(let file) = plain.content { file.isCurrent } else { true }
  }

  /// The entity tag of the uncompressed form.
  package var tag: String { plain.tag }

  /// The text that identifies these bytes in an address.
  var digest: Substring { tag.dropFirst().dropLast() }

  /// The bytes of a page in memory; nil for any other file.
  var html: [UInt8]? {
    guard contentType == .html, case .held(let bytes) = plain.content else { return nil }
    return bytes.array
  }

  /// Returns the page with an element at the end of its head; nil if the file has no such head.
  package func page(inserting element: [UInt8]) -> [UInt8]? {
    guard let head, case .held(let page) = plain.content else { return nil }
    return page[0..<head.end].array + element + page[head.end..<page.count].array
  }

  /// Whether the response depends on `Accept-Encoding`.
  var hasForms: Bool { gzip != nil }

  func form(for codings: AcceptedCodings) -> Form {
    guard let gzip, codings.preferGzip else { return plain }
    return gzip
  }

  /// Compresses a file once, when it is read: requests do not pay for it, and the compressed data contains no
  /// secrets of requests (BREACH).
  ///
  /// Returns nil if the type is already compressed, the result is hardly smaller, or there is no room.
  private static func gzip(
    _ bytes: [UInt8],
    of contentType: ContentType,
    _ mark: String,
    room: Int
  ) -> Form? {
    // The headers that name the coding take about 64 bytes.
    guard contentType.isText, room > 0, let compressed = gzipped(bytes),
      compressed.count + 64 < bytes.count, compressed.count <= room
    else { return nil }
    return Form(
      content: .held(SharedBytes(compressed)),
      tag: "\"\(mark)-gzip\"",
      coding: "gzip"
    )
  }

  private static func mark(of bytes: [UInt8]) -> String {
    "\(String(fingerprint(bytes), radix: 36))-\(bytes.count)"
  }

  /// Returns a mark made from the attributes of a file whose bytes were not read.
  private static func mark(of file: FileOnDisk) -> String {
    "\(String(fingerprint(file.mark.words), radix: 36))-\(file.mark.size)"
  }

  /// Returns the 64-bit FNV-1a hash, which distinguishes versions of one file, but does not resist an
  /// adversary.
  private static func fingerprint(_ words: [some UnsignedInteger]) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in words { sum = (sum ^ UInt64(word)) &* 0x100_0000_01b3 }
    return sum
  }
}
