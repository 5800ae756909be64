import FoundationEssentials
import FusionStrictJSON
import UIFusionKit

extension LogFormat {
  typealias Field = (name: String, value: String)

  /// Returns an event as one line, its end included, with the current time.
  func line(_ level: LogLevel, _ message: String, _ fields: [Field]) -> [UInt8] {
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return switch self {
    case .text: text(time, level, message, fields)
    case .json: json(time, level, message, fields)
    }
  }

  private func text(
    _ time: String,
    _ level: LogLevel,
    _ message: String,
    _ fields: [Field]
  ) -> [UInt8] {
    var line = Array("\(time) \(level.rawValue) \(message)".utf8)
    for field in fields {
      line += " \(field.name)=".utf8
      // Quoted if it contains spaces, quotation marks or text controls.
      if field.value.unicodeScalars.allSatisfy({
        !$0.isTextControl && $0 != "\"" && !$0.properties.isWhitespace
      }) {
        line += field.value.utf8
      } else {
        line.appendLiteral(field.value)
      }
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private func json(
    _ time: String,
    _ level: LogLevel,
    _ message: String,
    _ fields: [Field]
  ) -> [UInt8] {
    var line = Array(#"{"time":"\#(time)","level":"\#(level.rawValue)","message":"#.utf8)
    line.appendLiteral(message)
    for field in fields {
      line.append(UInt8(ascii: ","))
      line.appendLiteral(field.name)
      line.append(UInt8(ascii: ":"))
      line.appendLiteral(field.value)
    }
    line += "}\n".utf8
    return line
  }
}
