package import FusionHTTPMessages

/// The lines of a request's body, as they arrive.
///
/// Lines end with a line feed, the last one with the body; lines of blanks are left out.
package struct BodyLines: Sendable {
  /// A line that has more bytes than the limit.
  package struct TooLong: Error {
    package let limit: Int
  }

  private let body: IncomingBody?
  private let limit: Int
  /// The beginning of the line that is not complete yet; at first, a body that came as a whole.
  private var rest: [UInt8]
  /// The number of its bytes in which there is no line feed.
  private var searched = 0
  private var isAtEnd: Bool

  /// Creates the lines of a body, each of at most `limit` bytes.
  package init(of request: HTTPRequest, limit: Int) {
    body = request.incoming
    self.limit = limit
    rest = request.body
    isAtEnd = request.incoming == nil
  }

  /// Returns the lines that have arrived since the last call, one at least; waits for them, and returns nil at the end.
  ///
  /// - Throws: ``TooLong`` once the lines before it are returned; ``IncomingBody/Failure`` if the body is not complete.
  package mutating func next() async throws -> [ArraySlice<UInt8>]? {
    while true {
      let lines = complete()
      if !lines.isEmpty { return lines }
      guard rest.count <= limit else { throw TooLong(limit: limit) }
      guard !isAtEnd else { return nil }
      guard let part = try await body?.next() else {
        isAtEnd = true
        continue
      }
      rest += part
    }
  }

  /// Takes the complete lines, up to one that is too long.
  private mutating func complete() -> [ArraySlice<UInt8>] {
    let bytes = rest
    var (lines, start) = ([ArraySlice<UInt8>](), 0)
    func add(_ line: ArraySlice<UInt8>) -> Bool {
      guard line.count <= limit else { return false }
      if !line.allSatisfy(isBlank) { lines.append(line) }
      return true
    }
    while let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      guard add(bytes[start..<end]) else { break }
      start = end + 1
    }
    if isAtEnd, add(bytes[start...]) { start = bytes.count }
    if start > 0 { rest = Array(bytes[start...]) }
    // A line that is too long ends the search.
    searched = rest.count
    return lines
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}
