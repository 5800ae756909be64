import FusionStrictJSON

/// An incremental parser of an answer with events (HTML §9.2.6).
struct EventParser {
  enum Item: Sendable, Equatable {
    case head(MessageHead)
    /// An event with data, and the version in it.
    case event(name: String, version: Int?)
    /// A comment line: the heartbeat.
    case comment
  }

  private var rest: [UInt8] = []
  private var hasHead = false
  private var name = ""
  private var data = ""

  /// Parses the next bytes and returns the complete items.
  mutating func parse(_ piece: [UInt8]) -> [Item] {
    rest += piece
    var items: [Item] = []
    if !hasHead {
      guard let head = MessageHead(takenFrom: &rest) else { return [] }
      hasHead = true
      items.append(.head(head))
    }
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      var line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      if line.hasSuffix("\r") { line.removeLast() }
      if let item = take(line) { items.append(item) }
    }
    return items
  }

  private mutating func take(_ line: String) -> Item? {
    if line.hasPrefix(":") { return .comment }
    guard line.isEmpty else {
      if line.hasPrefix("event:") { name = value(of: line) }
      if line.hasPrefix("data:") { data += value(of: line) }
      return nil
    }
    defer { (name, data) = ("", "") }
    guard !data.isEmpty else { return nil }
    let document = try? JSONDocument(Array(data.utf8))
    let version = document.flatMap { JSONTree($0.root)["version"]?.number }
    return .event(name: name, version: version.map { Int($0) })
  }

  private func value(of line: String) -> String {
    String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
  }
}
