import FusionStrictJSON
import UIFusionKit

/// A line of a stored trace, as `TraceEvent.text` or the restoring of a session wrote it.
struct TraceLine: Sendable {
  enum Content: Sendable {
    case input([UInt8])
    case action([UInt8])
    /// An action that is not Codable, as Swift prints it.
    case printedAction(String)
    case error(String)
    /// The view model was restored; the format is that of a State that was migrated.
    case restored(from: Int?)
    /// State was taken back to that of a version.
    case recovered(version: Int, by: String?)
    /// Lines before were left out as too long.
    case cut
    /// A line that this version does not know, or an event that could not be written.
    case unknown
  }

  let content: Content
  /// Whether an effect sent the action.
  let isSent: Bool
  /// The identity that sent the Input, with the roles of that moment; nil if none did, and for other lines.
  let sender: Identity?
  /// The beginning of the id of the session that sent the Input; nil if none did, and for other lines.
  let from: String?
  /// The reason why the message was refused whose action this is; nil if none is known, and for other lines.
  let refusal: String?
  /// The followed session whose State the action is for; nil for other lines.
  let followed: String?
  /// The line itself, a JSON object.
  let text: [UInt8]

  /// Splits a trace into lines.
  static func lines(of trace: [UInt8]) -> [TraceLine] {
    trace.split(separator: UInt8(ascii: "\n")).map { TraceLine(Array($0)) }
  }

  /// Returns the format from which State was migrated, by the first line; nil if there was no migration.
  static func migratedFrom(_ trace: [UInt8]) -> Int? {
    guard trace.starts(with: #"{"restored""#.utf8),
      case .restored(let format?)? = lines(of: trace).first?.content
    else { return nil }
    return format
  }

  private init(_ text: [UInt8]) {
    self.text = text
    let root = try? JSONDocument(text, wrapping: 1).root
    isSent = root?["sent"]?.bool == true
    let roles = root?["roles"]?.elements.compactMap(\.string) ?? []
    sender = root?["sender"]?.string.map { Identity(id: $0, roles: Set(roles)) }
    from = root?["from"]?.string
    refusal = root?["refusal"]?.string
    followed = root?["followed"]?.string
    content = root.map(Self.content) ?? .unknown
  }

  private static func content(of line: JSONValue) -> Content {
    if let input = line["input"] { return .input(input.text) }
    if let action = line["action"] { return .action(action.text) }
    if let text = line["text"]?.string { return .printedAction(text) }
    if let text = line["error"]?.string { return .error(text) }
    if line["restored"] != nil {
      return .restored(from: try? line["migrated"]?["from"]?.decode(Int.self))
    }
    if let version = try? line["recovered"]?["version"]?.decode(Int.self) {
      return .recovered(version: version, by: line["recovered"]?["by"]?.string)
    }
    return line["cut"] != nil ? .cut : .unknown
  }
}
