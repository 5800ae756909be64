/// An entry of the log with which a session's State got another format.
package struct FormatChange: Sendable, Equatable {
  package let sequence: Int
  /// The format before; nil if the note cannot be read.
  package let from: Int?

  package init(_ sequence: Int, trace: [UInt8]) {
    self.sequence = sequence
    let digits = trace.dropFirst(Self.prefix.count).prefix { $0 != UInt8(ascii: ",") }
    from = Int(String(decoding: digits, as: UTF8.self))
  }

  /// The beginning of the trace of such an entry.
  package static let prefix = Array(#"{"restored":true,"migrated":{"from":"#.utf8)

  /// Returns the line of a trace that tells of a restart.
  package static func note(from old: Int, to new: Int) -> [UInt8] {
    old == new
      ? Array("{\"restored\":true}\n".utf8) : prefix + Array("\(old),\"to\":\(new)}}\n".utf8)
  }
}
