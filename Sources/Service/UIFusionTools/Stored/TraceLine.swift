import FusionStrictJSON

/// One line of a stored trace, as `TraceEvent.text` and a session that is restored have written it.
struct TraceLine: Sendable {
  enum Content: Sendable {
    case input([UInt8])
    case action([UInt8])
    /// An action that is not Codable, as Swift prints it.
    case printedAction(String)
    case error(String)
    /// The view model came back from the store; the format that its State had, where it was migrated.
    case restored(from: Int?)
    /// What came before was too long to be kept.
    case cut
    /// Something that this version does not know, or could not be written.
    case unknown
  }

  let content: Content
  /// Whether an effect has sent the action.
  let isSent: Bool
  /// The line as it stands: an object of JSON.
  let text: [UInt8]

  static func lines(of trace: [UInt8]) -> [TraceLine] {
    trace.split(separator: UInt8(ascii: "\n")).map { TraceLine(Array($0)) }
  }

  /// The format from which the first line says that State was migrated; nil where it does not.
  static func migratedFrom(_ trace: [UInt8]) -> Int? {
    guard trace.starts(with: #"{"restored""#.utf8),
      case .restored(let format?)? = lines(of: trace).first?.content
    else { return nil }
    return format
  }

  private init(_ text: [UInt8]) {
    self.text = text
    let root = try? JSONDocument(text).root
    isSent = root?["sent"]?.bool == true
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
    return line["cut"] != nil ? .cut : .unknown
  }
}

extension JSONValue {
  /// The value's text, without spaces.
  var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }
}
