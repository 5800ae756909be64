import FusionSessions

/// Reads what a ``NodeFormat`` has written, however it is cut into pieces.
struct FeedReader {
  enum Item: Equatable {
    case state(version: Int, pulses: UInt64, [UInt8])
    case end(SessionEnd)
  }

  /// It is not what a node says.
  struct Malformed: Error {}

  private enum Phase {
    case line
    case state(version: Int, pulses: UInt64, size: Int)
  }

  /// A line is short.
  private static var lineLimit: Int { 128 }
  /// The most that `--max-state` may say.
  private static var stateLimit: Int { 1 << 30 }

  private var phase = Phase.line
  private var buffer: [UInt8] = []

  /// Takes the next piece, and gives what is complete with it.
  mutating func read(_ piece: [UInt8]) throws(Malformed) -> [Item] {
    buffer += piece
    var items: [Item] = []
    var rest = buffer[...]
    reading: while true {
      switch phase {
      case .line:
        guard let end = rest.firstIndex(of: newline) else {
          if rest.count > Self.lineLimit { throw Malformed() }
          break reading
        }
        if let item = try read(line: rest[..<end]) { items.append(item) }
        rest = rest[(end + 1)...]
      case .state(let version, let pulses, let size):
        guard rest.count > size else { break reading }
        let end = rest.startIndex + size
        guard rest[end] == newline else { throw Malformed() }
        items.append(.state(version: version, pulses: pulses, Array(rest[..<end])))
        rest = rest[(end + 1)...]
        phase = .line
      }
    }
    if rest.startIndex > 0 { buffer = Array(rest) }
    return items
  }

  private mutating func read(line: ArraySlice<UInt8>) throws(Malformed) -> Item? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    switch (words.first, words.count) {
    case (nil, _): return nil
    case ("end", 2):
      guard let end = SessionEnd(rawValue: String(words[1])) else { throw Malformed() }
      return .end(end)
    case ("state", 4):
      guard let version = Int(words[1]), let pulses = UInt64(words[2], radix: 16),
        let size = Int(words[3]), 0...Self.stateLimit ~= size
      else { throw Malformed() }
      phase = .state(version: version, pulses: pulses, size: size)
      return nil
    default: throw Malformed()
    }
  }
}

private let newline = UInt8(ascii: "\n")
