import FoundationEssentials
import StrictJSON

/// Writes one line for each event to standard error.
///
/// An event is a fixed message and fields: what differs from time to time is in the fields, so that
/// a machine can group by message. No field ever holds a whole session id.
struct Log: Sendable {
  let format: LogFormat
  let level: LogLevel
  var write: @Sendable ([UInt8]) -> Void = { writeToStandardError($0) }

  typealias Field = (name: String, value: String)

  func debug(_ message: String, _ fields: Field...) { emit(.debug, message, fields) }
  func info(_ message: String, _ fields: Field...) { emit(.info, message, fields) }
  func warning(_ message: String, _ fields: Field...) { emit(.warning, message, fields) }
  func error(_ message: String, _ fields: Field...) { emit(.error, message, fields) }

  func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

  private func emit(_ level: LogLevel, _ message: String, _ fields: [Field]) {
    guard isEnabled(level) else { return }
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    switch format {
    case .text: write(text(time, level, message, fields))
    case .json: write(json(time, level, message, fields))
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
      // Quoted where a reader could not tell where it ends; and no line breaks into two.
      if field.value.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") }) {
        line += field.value.utf8
      } else {
        StrictJSON.append(field.value, to: &line)
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
    StrictJSON.append(message, to: &line)
    for field in fields {
      line.append(UInt8(ascii: ","))
      StrictJSON.append(field.name, to: &line)
      line.append(UInt8(ascii: ":"))
      StrictJSON.append(field.value, to: &line)
    }
    line += "}\n".utf8
    return line
  }
}

/// A text of which no part can be used as a session's id: what is as long as one is cut.
func withoutSessionIDs(_ text: String) -> String {
  var result = ""
  var run = ""
  for character in text {
    if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
      run.append(character)
    } else {
      result += run.count < 22 ? run : run.prefix(6) + "…"
      result.append(character)
      run = ""
    }
  }
  return result + (run.count < 22 ? run : run.prefix(6) + "…")
}
