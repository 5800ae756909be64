/// Makes one line of each event that matters enough.
///
/// An event is a fixed message and fields: what differs from time to time is in the fields, so that
/// a machine can group by message. No field ever holds a whole session id.
struct Log: Sendable {
  let format: LogFormat
  let level: LogLevel
  /// Takes a line; must not wait for who reads it.
  let write: @Sendable ([UInt8]) -> Void

  typealias Field = LogFormat.Field

  func debug(_ message: String, _ fields: Field...) { emit(.debug, message, fields) }
  func info(_ message: String, _ fields: Field...) { emit(.info, message, fields) }
  func warning(_ message: String, _ fields: Field...) { emit(.warning, message, fields) }
  func error(_ message: String, _ fields: Field...) { emit(.error, message, fields) }

  func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

  func emit(_ level: LogLevel, _ message: String, _ fields: [Field]) {
    if isEnabled(level) { write(format.line(level, message, fields)) }
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
