import FusionStrictJSON

/// A JSON value that a test can change, and to which it can apply a patch.
indirect enum JSON: Equatable {
  case null
  case bool(Bool)
  /// A number by its text.
  case number(String)
  case string(Text)
  case array([JSON])
  case object([Text: JSON])

  /// A text that is compared by its bytes.
  ///
  /// `String` treats an accented letter as equal to its letter and combining accent, and a slash with a
  /// combining accent as one character; JSON and its pointers do not (RFC 8259 §8.3, RFC 6901 §6).
  struct Text: Hashable, Comparable, ExpressibleByStringInterpolation {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    init(_ text: String) { bytes = Array(text.utf8) }
    init(stringLiteral text: String) { self.init(text) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    static func < (one: Text, other: Text) -> Bool {
      one.bytes.lexicographicallyPrecedes(other.bytes)
    }
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .number:
      var text: [UInt8] = []
      value.write(to: &text)
      self = .number(String(decoding: text, as: UTF8.self))
    case .string: self = .string(Text(value.string ?? ""))
    case .array: self = .array(value.elements.map(JSON.init))
    case .object:
      self = .object(
        Dictionary(uniqueKeysWithValues: value.members.map { (Text($0.name), JSON($0.value)) })
      )
    }
  }

  init(_ text: String) throws {
    self.init(try JSONDocument(Array(text.utf8)).root)
  }

  var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += "\(value)".utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let text): bytes.appendLiteral(text.string)
    case .array(let elements):
      bytes += "[".utf8
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes += ",".utf8 }
        element.write(to: &bytes)
      }
      bytes += "]".utf8
    case .object(let members):
      bytes += "{".utf8
      // In the dictionary's order, which varies: a reader must not rely on it.
      for (index, member) in members.enumerated() {
        if index > 0 { bytes += ",".utf8 }
        bytes.appendLiteral(member.key.string)
        bytes += ":".utf8
        member.value.write(to: &bytes)
      }
      bytes += "}".utf8
    }
  }
}

struct BadPatch: Error {
  let operation: String
}

/// The strict and slow implementation of RFC 6902 that the patches are tested with.
extension JSON {
  func applying(_ patch: JSON) throws -> JSON {
    guard case .array(let operations) = patch else { throw BadPatch(operation: patch.text) }
    var result = self
    for operation in operations {
      guard case .object(let members) = operation, case .string(let name) = members["op"],
        case .string(let path) = members["path"],
        members.count == (name == "remove" ? 2 : 3),
        (members["value"] == nil) == (name == "remove"),
        ["add", "remove", "replace"].contains(name),
        let tokens = Self.tokens(path), result.apply(name.string, tokens[...], members["value"])
      else { throw BadPatch(operation: operation.text) }
    }
    return result
  }

  /// Splits a pointer into its steps; returns nil for any other text.
  ///
  /// As in RFC 6901 section 4, `~0` and `~1` are the only escapes.
  private static func tokens(_ pointer: Text) -> [Text]? {
    guard let first = pointer.bytes.first else { return [] }
    guard first == UInt8(ascii: "/") else { return nil }
    let parts = pointer.bytes.dropFirst().split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    )
    var tokens: [Text] = []
    for part in parts {
      var token: [UInt8] = []
      var rest = part.makeIterator()
      while let byte = rest.next() {
        switch byte == UInt8(ascii: "~") ? rest.next() : nil {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        case nil where byte != UInt8(ascii: "~"): token.append(byte)
        default: return nil
        }
      }
      tokens.append(Text(token))
    }
    return tokens
  }

  /// Applies an operation; returns false if its target does not exist.
  private mutating func apply(_ name: String, _ path: ArraySlice<Text>, _ value: JSON?) -> Bool {
    guard let token = path.first else {
      guard let value, name == "replace" else { return false }
      self = value
      return true
    }
    let isLast = path.count == 1
    switch self {
    case .object(var members):
      if isLast {
        guard (members[token] == nil) == (name == "add") else { return false }
        members[token] = value
      } else {
        guard members[token]?.apply(name, path.dropFirst(), value) == true else { return false }
      }
      self = .object(members)
    case .array(var elements):
      // Section 4: no leading zeros.
      guard let index = Int(token.string), Text("\(index)") == token,
        elements.indices.contains(index)
          || (isLast && name == "add" && index == elements.count)
      else { return false }
      if !isLast {
        guard elements[index].apply(name, path.dropFirst(), value) else { return false }
      } else if name == "remove" {
        elements.remove(at: index)
      } else if let value {
        if name == "add" { elements.insert(value, at: index) } else { elements[index] = value }
      }
      self = .array(elements)
    case .null, .bool, .number, .string: return false
    }
    return true
  }
}
