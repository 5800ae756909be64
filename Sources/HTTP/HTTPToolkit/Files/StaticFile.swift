import FusionGzip
package import FusionHTTPMessages

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

extension StaticFile {
  /// Returns the response to a request for the file: in the form that the client accepts, in part, or as 304.
  package func response(to request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let form = form(for: AcceptedCodings(request.headers.list("Accept-Encoding")))
    var response = response(with: form)
    // The address has the digest of these bytes. Other digests come from pages of an earlier or later
    // deployment.
    if request.target.first("v").map({ $0 == digest }) == true {
      response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    }
    if let known = request.headers.list("If-None-Match"), EntityTags(known).contain(form.tag) {
      return response.notModified
    }
    // RFC 9110 §14.2: only GET has ranges.
    guard request.method == .get, let range = request.headers["Range"],
      isCurrent(form, by: request.headers["If-Range"])
    else { return response }
    switch ByteRange(range, of: form.content.count) {
    case .whole: return response
    case .part(let part): return response.part(part, of: form.content)
    case .unsatisfiable:
      throw .unsatisfiableRange.filled(with: "\(form.content.count)")
        .with("Content-Range", "bytes */\(form.content.count)")
    }
  }

  /// RFC 9110 §13.1.5: requires a strong tag; a date does not identify a version here.
  private func isCurrent(_ form: Form, by condition: String?) -> Bool {
    condition == nil || condition == form.tag
  }

  private func response(with form: Form) -> HTTPResponse {
    // `no-cache` lets a browser keep the file, but makes it ask for changes.
    var headers: HTTPHeaders = [
      "ETag": form.tag, "Cache-Control": "no-cache", "Accept-Ranges": "bytes",
      "Content-Type": contentType.text,
    ]
    if let coding = form.coding { headers.append("Content-Encoding", coding) }
    if hasForms { headers.append("Vary", "Accept-Encoding") }
    return HTTPResponse(200, headers: headers, body: form.content.body(0..<form.content.count))
  }
}

extension HTTPResponse {
  /// RFC 9110 §15.3.7.
  fileprivate func part(_ part: Range<Int>, of content: StaticFile.Content) -> HTTPResponse {
    var response = self
    response.status = 206
    let place = "\(part.lowerBound)-\(part.upperBound - 1)"
    response.headers.append("Content-Range", "bytes \(place)/\(content.count)")
    response.body = content.body(part)
    return response
  }
}

extension StaticFile.Content {
  fileprivate func body(_ part: Range<Int>) -> HTTPResponse.Body {
    switch self {
    case .held(let bytes): .shared(bytes[part])
    case .onDisk(let file): .source(file, part)
    }
  }
}

/// The part of a body of known length that a `Range` header requests (RFC 9110 §14.1.2).
enum ByteRange: Equatable {
  /// No supported range: other units, another form, or several ranges; the whole body is a valid answer.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ text: String, of length: Int) {
    guard let ranges = text.wholeMatch(of: /(?i:bytes)=[ \t]*([0-9]*)-([0-9]*)[ \t]*/) else {
      self = .whole
      return
    }
    // Only digits match, so a number that `Int` cannot hold is larger than any body.
    let (first, last) = (ranges.1, ranges.2)
    switch (first.isEmpty, last.isEmpty) {
    case (true, true):
      self = .whole
    case (true, false):
      let count = Int(last) ?? .max
      self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
    case (false, _):
      let start = Int(first) ?? .max
      let end = last.isEmpty ? .max : Int(last) ?? .max
      guard end >= start else {
        self = .whole
        return
      }
      self = start < length ? .part(start..<min(end, length - 1) + 1) : .unsatisfiable
    }
  }
}
