import FusionHTTPMessages
import FusionSessions
import UIFusionKit

/// A change of the sessions that a feed shows, or of their visitors, sent by the node that reads the feed.
///
/// Written as a line: `follow 17 SESSION`, after which frames with the number 17 come, or `drop 17`. A number is used
/// once in a feed, so that a late frame is not taken for another session's. `enter 17 owner identity=ada name=Ada%20L.`
/// says that a visitor follows the session, until `leave 17 …` with the same words.
enum FeedChange: Equatable {
  case follow(Int, SessionID)
  case drop(Int)
  case enter(Int, Visitor)
  case leave(Int, Visitor)

  /// The largest number of bytes in a request.
  static let largestBody = 256 << 10

  private var text: String {
    switch self {
    case .follow(let number, let id): "follow \(number) \(id)\n"
    case .drop(let number): "drop \(number)\n"
    case .enter(let number, let visitor): "enter \(number) \(visitor.words)\n"
    case .leave(let number, let visitor): "leave \(number) \(visitor.words)\n"
    }
  }

  static func bytes(of changes: some Sequence<FeedChange>) -> [UInt8] {
    changes.reduce(into: []) { $0 += $1.text.utf8 }
  }

  /// Returns as many of the first changes as fit into a request.
  static func firstRequest(of changes: [FeedChange]) -> ArraySlice<FeedChange> {
    var size = 0
    return changes.prefix { change in
      size += change.text.utf8.count
      return size <= largestBody
    }
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
      case ("enter", 4...):
        guard let visitor = Visitor(words: words[2...]) else { return nil }
        changes.append(.enter(number, visitor))
      case ("leave", 4...):
        guard let visitor = Visitor(words: words[2...]) else { return nil }
        changes.append(.leave(number, visitor))
      default: return nil
      }
    }
    return changes
  }
}

extension Visitor {
  fileprivate var words: String {
    let id = PercentEncoding.encoded(id)
    let name = name.map { " name=" + PercentEncoding.encoded($0) } ?? ""
    return "\(role.rawValue) \(identity == nil ? "anonymous" : "identity")=\(id)\(name)"
  }

  fileprivate init?(words: ArraySlice<String>) {
    func value(_ name: String) -> String? {
      words.first { $0.hasPrefix(name + "=") }
        .flatMap { PercentEncoding.decoded($0.utf8.dropFirst(name.utf8.count + 1)) }
    }
    let identity = value("identity")
    guard let role = words.first.flatMap(Role.init), let id = identity ?? value("anonymous") else {
      return nil
    }
    self.init(id: id, identity: identity, name: value("name"), role: role)
  }
}

/// The requests by which a node opens a feed, under a name of its own choice, and changes what it shows.
enum FeedRequest {
  /// Returns the request to open a feed, from a reader at an address, nil or empty where it has none.
  static func open(_ name: String, by reader: String?) -> HTTPRequest {
    HTTPRequest(
      .get,
      RequestTarget(
        segments: target(name).segments,
        query: [RequestTarget.QueryItem(name: "reader", value: reader ?? "")]
      )
    )
  }

  static func change(_ name: String, _ changes: some Sequence<FeedChange>) -> HTTPRequest {
    HTTPRequest(.post, target(name), body: FeedChange.bytes(of: changes))
  }

  /// Returns the name of the feed that a target is for; nil for any other target.
  static func name(in target: RequestTarget) -> String? {
    target.segments.count == 2 && target.segments[0] == "feeds" ? target.segments[1] : nil
  }

  /// Returns the address of the node that asks for a feed; nil if its build does not know of visitors.
  static func reader(in target: RequestTarget) -> String? { target.first("reader") }

  private static func target(_ name: String) -> RequestTarget {
    RequestTarget(segments: ["feeds", name])
  }
}
