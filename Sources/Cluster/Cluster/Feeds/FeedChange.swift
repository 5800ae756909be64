import FusionHTTPMessages
import FusionSessions

/// A change of what a feed shows, asked for by the node that reads the feed.
///
/// Written as a line: `follow 17 SESSION`, after which frames with the number 17 come, or `drop 17`. A number is used
/// once in a feed, so that nothing late is taken for something else.
enum FeedChange: Equatable {
  case follow(Int, SessionID)
  case drop(Int)

  /// The largest number of changes in a request.
  static let limit = 4_096
  /// The largest number of bytes in which a change is written.
  static let longest = 64

  static func bytes(of changes: some Sequence<FeedChange>) -> [UInt8] {
    var bytes: [UInt8] = []
    for change in changes {
      switch change {
      case .follow(let number, let id): bytes += "follow \(number) \(id)\n".utf8
      case .drop(let number): bytes += "drop \(number)\n".utf8
      }
    }
    return bytes
  }

  /// Reads a request's body; returns nil for anything that ``bytes(of:)`` does not write.
  static func changes(in body: [UInt8]) -> [FeedChange]? {
    var changes: [FeedChange] = []
    for line in body.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      guard words.count > 1, let number = Int(words[1]) else { return nil }
      switch (words[0], words.count) {
      case ("drop", 2): changes.append(.drop(number))
      case ("follow", 3):
        guard let id = SessionID(words[2]) else { return nil }
        changes.append(.follow(number, id))
      default: return nil
      }
    }
    return changes
  }
}

/// The requests by which a node opens a feed, under a name of its own choice, and changes what the feed shows.
enum FeedRequest {
  static func open(_ name: String) -> HTTPRequest { HTTPRequest(.get, target(name)) }

  static func change(_ name: String, _ changes: some Sequence<FeedChange>) -> HTTPRequest {
    HTTPRequest(.post, target(name), body: FeedChange.bytes(of: changes))
  }

  /// Returns the name of the feed that a target is for; nil for any other target.
  static func name(in target: RequestTarget) -> String? {
    target.segments.count == 2 && target.segments[0] == "feeds" ? target.segments[1] : nil
  }

  private static func target(_ name: String) -> RequestTarget {
    RequestTarget(segments: ["feeds", name])
  }
}
