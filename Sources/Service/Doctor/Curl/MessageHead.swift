/// The head of an answer, as `curl -i` prints it.
struct MessageHead: Sendable, Equatable {
  /// The HTTP version: `HTTP/1.1`.
  let version: String
  let status: Int
  private let fields: [String]

  /// Removes the head, with interim ones before it (RFC 9110 §15.2), from the beginning of an answer.
  ///
  /// Fails, and leaves the bytes, while the head is incomplete.
  init?(takenFrom bytes: inout [UInt8]) {
    var rest = bytes[...]
    while true {
      guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
      rest = rest[end.upperBound...]
      let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
      guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
        return nil
      }
      if status < 200 { continue }
      version = String(words[0])
      self.status = status
      fields = lines.dropFirst().map(String.init)
      bytes = Array(rest)
      return
    }
  }

  /// The values of a header, joined by commas; nil if there is none.
  subscript(name: String) -> String? {
    let start = name.lowercased() + ":"
    let values = fields.filter { $0.lowercased().hasPrefix(start) }.map { field in
      String(field.dropFirst(start.count).drop { $0 == " " || $0 == "\t" })
    }
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
