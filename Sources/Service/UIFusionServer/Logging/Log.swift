/// The log of a service: a line for each event of at least one level.
///
/// An event is a fixed message with fields. Everything that varies is in the fields, so that a program can
/// group lines by message. No field contains a whole session id.
struct Log: Sendable {
  let format: LogFormat
  let level: LogLevel
  /// Takes a line; must not wait for the log's reader.
  let write: @Sendable ([UInt8]) -> Void

  typealias Field = LogFormat.Field

  func debug(_ message: String, _ fields: Field...) { emit(.debug, message, fields) }
  func info(_ message: String, _ fields: Field...) { emit(.info, message, fields) }
  func warning(_ message: String, _ fields: Field...) { emit(.warning, message, fields) }
  func error(_ message: String, _ fields: Field...) { emit(.error, message, fields) }

  /// Whether events of a level are logged.
  func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

  /// Logs an event.
  func emit(_ level: LogLevel, _ message: String, _ fields: [Field]) {
    if isEnabled(level) { write(format.line(level, message, fields)) }
  }
}

/// Returns a text in which each run of characters that is long enough for a session id is cut.
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
