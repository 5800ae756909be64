import FoundationEssentials
import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The format of a command's output.
enum OutputFormat: String, Sendable, CaseIterable {
  case text, json
}

/// Writes a command's output, in which no stored text gives commands to a terminal.
func show(_ text: String) throws(CommandError) {
  try Files.write(Array(text.escapingTextControls(except: ["\n"]).utf8))
}

/// A table for people; each column is as wide as its widest cell.
struct TextTable {
  let titles: [String]
  let rows: [[String]]

  /// The lines of the table, without blanks at their ends.
  var text: String {
    let lines = [titles] + rows
    let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    .joined()
  }
}

extension Node {
  /// The number and name for people.
  var text: String { name.isEmpty ? "\(number)" : "\(number) (\(name))" }
}

extension Node? {
  /// The node as JSON; null if there is none.
  var json: JSONTree {
    guard let node = self else { return nil }
    return ["number": .number("\(node.number)"), "name": .string(node.name)]
  }
}

extension WallTime {
  /// The time as RFC 3339 in UTC, to the millisecond; a dash beyond the year 9999.
  var text: String { Timestamp(milliseconds: Int(milliseconds))?.text ?? "–" }

  /// Reads the form that ``text`` has; fails for any other.
  init?(text: String) {
    guard let time = Timestamp(text), time.text == text else { return nil }
    self.init(milliseconds: Int64(time.milliseconds))
  }

  /// The current time.
  static var now: WallTime {
    WallTime(milliseconds: Date.now.milliseconds)
  }
}

extension JSONTree {
  /// Parses a JSON text.
  init(parsing text: [UInt8]) throws {
    try self.init(JSONDocument(text).root)
  }
}

extension JSONValue {
  /// The value as JSON without spaces.
  var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }
}
