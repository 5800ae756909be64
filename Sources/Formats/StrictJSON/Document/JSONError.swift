/// Why bytes are no JSON, or why JSON does not make up a value of the type asked for.
package struct JSONError: Error, Equatable {
  package enum Kind: Sendable {
    /// The bytes are not one JSON text; all other kinds mean that they are.
    case syntax
    case typeMismatch
    case unknownMember
    /// In an Input only: it names a case that the type does not have.
    case unknownCase
    case missingMember
    case numberOutOfRange
  }

  package let kind: Kind

  /// The position of the faulty byte, or of the first byte of the faulty value or name, from 0.
  package let offset: Int

  /// The line of a syntax error, from 1; nil with other kinds.
  package let line: Int?

  /// The column of a syntax error in Unicode scalars, from 1; nil with other kinds.
  package let column: Int?

  /// The faulty member from the decoded value downwards, such as `title` or `todos.0.id`.
  ///
  /// In an Input it starts below the case, and the case's name stands for an unlabelled value. Nil
  /// if the fault is the whole value's, and if there is no such case.
  package let member: String?

  /// The same steps one by one, whole; empty where ``member`` is nil.
  package let path: [String]

  /// One sentence without capital and full stop, for whoever sent the text.
  package let reason: String

  /// Tells `400 Bad Request` from `422 Unprocessable Content`.
  package var isSyntax: Bool { kind == .syntax }
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
  /// How much of the client's own text a message repeats, in scalars.
  static let clippedLength = 40

  /// The beginning of a text of the client's, since messages reach logs and answers.
  var clipped: String {
    let kept = unicodeScalars.prefix(Self.clippedLength)
    return kept.endIndex == unicodeScalars.endIndex ? self : String(kept) + "…"
  }
}
