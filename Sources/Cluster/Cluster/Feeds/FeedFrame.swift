import FusionSessions

/// A message of a feed about one session, which bears the number that its follower has chosen.
///
/// Each frame begins with a line. `state 17 7 9a1f 42` is a State: its version, its Pulses' fingerprint in hexadecimal
/// digits and its size in bytes, which follow, with a newline behind them. `end 17 deleted` says that the session
/// has ended, `lost 17` that it is not at work on the node, `visitors 17` that its view model is told of visitors. An
/// empty line is a heartbeat.
enum FeedFrame: Equatable {
  case state(Int, version: Int, pulses: UInt64, [UInt8])
  case end(Int, SessionEnd)
  case lost(Int)
  /// For readers that send their address: see ``FeedRequest/open(_:by:)``.
  case visitors(Int)

  static let mediaType = "application/x-uifusion-feed"
  static let heartbeat = UInt8(ascii: "\n")

  var number: Int {
    switch self {
    case .state(let number, _, _, _), .end(let number, _), .lost(let number), .visitors(let number):
      number
    }
  }

  /// Whether this is the last frame about the session.
  var isLast: Bool {
    switch self {
    case .state, .visitors: false
    case .end, .lost: true
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .state(let number, let version, let pulses, let state):
      bytes.reserveCapacity(bytes.count + state.count + 64)
      bytes += "state \(number) \(version) \(String(pulses, radix: 16)) \(state.count)\n".utf8
      bytes += state
      bytes.append(UInt8(ascii: "\n"))
    case .end(let number, let end): bytes += "end \(number) \(end.rawValue)\n".utf8
    case .lost(let number): bytes += "lost \(number)\n".utf8
    case .visitors(let number): bytes += "visitors \(number)\n".utf8
    }
  }
}

/// Reads the frames of a feed, however they are cut into pieces.
struct FeedReader {
  /// The error of bytes that no node writes.
  struct Malformed: Error {}

  private enum Phase {
    case line
    case state(Int, version: Int, pulses: UInt64, size: Int)
  }

  private static var longestLine: Int { 128 }
  /// The largest value of `--max-state`.
  private static var largestState: Int { 1 << 30 }

  private var phase = Phase.line
  private var buffer: [UInt8] = []

  /// Takes the next piece; returns the frames that it completes.
  mutating func read(_ piece: [UInt8]) throws(Malformed) -> [FeedFrame] {
    buffer += piece
    var frames: [FeedFrame] = []
    var rest = buffer[...]
    reading: while true {
      switch phase {
      case .line:
        guard let end = rest.firstIndex(of: newline) else {
          if rest.count > Self.longestLine { throw Malformed() }
          break reading
        }
        if let frame = try read(line: rest[..<end]) { frames.append(frame) }
        rest = rest[(end + 1)...]
      case .state(let number, let version, let pulses, let size):
        guard rest.count > size else { break reading }
        let end = rest.startIndex + size
        guard rest[end] == newline else { throw Malformed() }
        frames.append(.state(number, version: version, pulses: pulses, Array(rest[..<end])))
        rest = rest[(end + 1)...]
        phase = .line
      }
    }
    if rest.startIndex > 0 { buffer = Array(rest) }
    return frames
  }

  private mutating func read(line: ArraySlice<UInt8>) throws(Malformed) -> FeedFrame? {
    if line.isEmpty { return nil }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count > 1, let number = Int(words[1]) else { throw Malformed() }
    switch (words[0], words.count) {
    case ("lost", 2): return .lost(number)
    case ("visitors", 2): return .visitors(number)
    case ("end", 3):
      guard let end = SessionEnd(rawValue: words[2]) else { throw Malformed() }
      return .end(number, end)
    case ("state", 5):
      guard let version = Int(words[2]), let pulses = UInt64(words[3], radix: 16),
        let size = Int(words[4]), 0...Self.largestState ~= size
      else { throw Malformed() }
      phase = .state(number, version: version, pulses: pulses, size: size)
      return nil
    default: throw Malformed()
    }
  }
}

private let newline = UInt8(ascii: "\n")
