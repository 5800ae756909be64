/// A syntax error, or a mismatch between a JSON value and the type to decode.
package struct JSONError: Error, Equatable {
  package enum Kind: Sendable {
    /// The bytes are not one valid JSON text; all other kinds imply valid JSON.
    case syntax
    case typeMismatch
    case unknownMember
    /// An Input names a case that its type does not have.
    case unknownCase
    case missingMember
    case numberOutOfRange
  }

  package let kind: Kind

  /// The position, from 0, of the faulty byte or of the first byte of the faulty value or name.
  package let offset: Int

  /// The line of a syntax error, from 1; nil with other kinds.
  package let line: Int?

  /// The column of a syntax error in Unicode scalars, from 1; nil with other kinds.
  package let column: Int?

  /// The path of the faulty member within the decoded value, such as `title` or `todos.0.id`.
  ///
  /// Nil if the whole value is faulty, or its case does not exist. In an Input the path starts below the
  /// case, and the case's name stands for an unlabelled value.
  package let member: String?

  /// The steps of ``member``, not shortened; empty if ``member`` is nil.
  package let path: [String]

  /// The explanation for the sender: one sentence without a capital letter or a full stop.
  package let reason: String
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    if let line, let column { return "\(reason) (line \(line), column \(column))" }
    return member.map { "\($0): \(reason)" } ?? reason
  }
}

extension JSONError {
  init(syntax reason: String, at offset: Int, in source: ArraySlice<UInt8>) {
    kind = .syntax
    self.offset = offset
    var line = 1
    var column = 1
    for byte in source.prefix(offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
    member = nil
    path = []
    self.reason = reason
  }

  init(_ kind: Kind, at offset: Int, path: [String], reason: String) {
    self.kind = kind
    self.offset = offset
    line = nil
    column = nil
    self.path = path
    member = path.isEmpty ? nil : path.map(\.clipped).joined(separator: ".")
    self.reason = reason
  }
}

extension String {
  /// The maximum number of scalars of a client's text that a message repeats.
  static let clippedLength = 40

  /// The beginning of a client's text, short enough for logs and answers.
  var clipped: String {
    let kept = unicodeScalars.prefix(Self.clippedLength)
    return kept.endIndex == unicodeScalars.endIndex ? self : String(kept) + "…"
  }
}
