import FusionHTTPMessages

/// A reader of requests as RFC 9112 has them, up to the first malformed one: the server's reference.
///
/// Written from the standard and not from the server. It is lenient only where the standard lets a
/// server be (empty lines before a request, spaces before a target, LF for a line's end within
/// chunks), and where libmicrohttpd leaves no trace: NUL and LF, a colon and LF, a line that begins
/// with NUL. A request in chunks is the last one.
struct PlainReader {
  private var rest: ArraySlice<UInt8>

  /// Returns the text with which `echo` answers each of the requests.
  static func answers(to bytes: [UInt8]) -> [String] {
    var reader = PlainReader(rest: bytes[...])
    var answers: [String] = []
    while let answer = reader.request() { answers.append(answer) }
    return answers
  }

  private mutating func request() -> String? {
    // §2.2.
    while rest.first == lf || rest.first == 0 || rest.starts(with: [cr, lf]) {
      rest = rest.first == 0 ? rest.drop { $0 != lf }.dropFirst() : rest.dropFirst()
    }
    // §3.
    guard let line = line(), !line.contains(cr), !line.contains(lf) else { return nil }
    let parts = line.split(separator: space, omittingEmptySubsequences: true)
    guard parts.count == 3, let method = token(parts[0]), line.first == parts[0].first,
      line.last == parts[2].last, line.count(where: { $0 == space }) >= 2,
      line.dropLast(parts[2].count + 1).last == parts[1].last,
      [Array("HTTP/1.1".utf8), Array("HTTP/1.0".utf8)].contains(Array(parts[2]))
    else { return nil }
    let isOld = parts[2].last == UInt8(ascii: "0")
    guard let fields = fields() else { return nil }
    func values(_ name: String) -> [String] {
      fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
    // §3.2.
    guard values("host").count == 1 || (isOld && values("host").isEmpty) else { return nil }
    let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
    // §6.
    guard lengths.count + codings.count <= 1, !isOld || codings.isEmpty,
      let body = lengths.isEmpty ? codings.isEmpty ? [] : chunks(codings[0]) : body(lengths[0])
    else { return nil }
    // The tests have no targets in absolute form.
    guard let target = RequestTarget(String(decoding: parts[1], as: UTF8.self)) else { return nil }
    let query = target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return "\(method) \(target.path) \(query) " + String(decoding: body, as: UTF8.self)
  }

  /// Reads a line up to CR and LF, or NUL and LF.
  private mutating func line() -> ArraySlice<UInt8>? {
    for index in rest.indices.dropLast()
    where (rest[index] == cr || rest[index] == 0) && rest[index + 1] == lf {
      defer { rest = rest[(index + 2)...] }
      return rest[..<index]
    }
    return nil
  }

  private func token(_ bytes: ArraySlice<UInt8>) -> String? {
    let isToken = bytes.allSatisfy { byte in
      byte > space && byte < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
    }
    return isToken && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// §5.
  private mutating func fields() -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    while true {
      if !fields.isEmpty, rest.starts(with: [UInt8(ascii: ":"), lf]) {
        rest.removeFirst(2)
        return fields
      }
      guard let line = line() else { return nil }
      if line.isEmpty { return fields }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = token(line[..<colon]),
        line.allSatisfy({ $0 >= space && $0 != 0x7f || $0 == tab })
      else { return nil }
      let value = line[(colon + 1)...].trimmed
      fields.append((name, String(decoding: value, as: UTF8.self)))
    }
  }

  private mutating func body(_ length: String) -> ArraySlice<UInt8>? {
    guard !length.isEmpty, length.utf8.allSatisfy({ 48...57 ~= $0 }), let count = Int(length),
      count <= rest.count
    else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// §7.1.
  private mutating func chunks(_ coding: String) -> ArraySlice<UInt8>? {
    guard coding.lowercased() == "chunked" else { return nil }
    var body: ArraySlice<UInt8> = []
    while let line = chunkLine() {
      let size = line.prefix { $0 != UInt8(ascii: ";") && $0 != space && $0 != tab }
      let extensions = line[size.endIndex...].trimmed
      guard size.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
        let count = Int(String(decoding: size, as: UTF8.self), radix: 16), count <= rest.count,
        extensions.isEmpty || extensions.first == UInt8(ascii: ";")
      else { return nil }
      if count == 0 {
        while let line = chunkLine() {
          // libmicrohttpd takes these lines for the trailer's end; the server reads no further.
          if line.isEmpty || line.first == 0 || line.first == UInt8(ascii: ":") {
            rest = []
            return body
          }
        }
        return nil
      }
      body += rest.prefix(count)
      rest = rest.dropFirst(count)
      guard chunkLine()?.isEmpty == true else { return nil }
    }
    return nil
  }

  private mutating func chunkLine() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: lf) else { return nil }
    defer { rest = rest[(end + 1)...] }
    let line = rest[..<end]
    return line.last == cr ? line.dropLast() : line
  }
}

private let (tab, lf, cr, space) = (UInt8(9), UInt8(10), UInt8(13), UInt8(32))

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == space || $0 == tab }
    let end = lastIndex { !isSpace($0) }.map { $0 + 1 } ?? startIndex
    return self[..<end].drop(while: isSpace)
  }
}
