import FusionSessions
import FusionStrictJSON

/// A reader of one object in a document, whose errors name the member.
struct DocumentReader {
  let value: JSONValue
  /// The path of the object, with a dot at its end; empty for the whole document.
  let path: String

  init(_ value: JSONValue, at path: String = "") {
    self.value = value
    self.path = path
  }

  func has(_ name: String) -> Bool { value[name] != nil }

  func string(_ name: String) throws(MemberFault) -> String {
    guard let text = value[name]?.string else { throw fault(name, "a string") }
    return text
  }

  /// Reads a number up to 2^53 (RFC 8259 §6), so that counting on cannot overflow.
  func integer(_ name: String) throws(MemberFault) -> Int {
    guard let number = try? value[name]?.decode(Int.self), 0..<(1 << 53) ~= number else {
      throw fault(name, "a whole number")
    }
    return number
  }

  func time(_ name: String) throws(MemberFault) -> WallTime {
    try text(name, "a time such as 2026-11-20T08:15:30.250Z", WallTime.init(text:))
  }

  func strings(_ name: String) throws(MemberFault) -> [String] {
    guard let strings = try? value[name]?.decode([String].self) else {
      throw fault(name, "an array of strings")
    }
    return strings
  }

  /// Reads a string that stands for a value.
  func text<Found>(
    _ name: String,
    _ expected: String,
    _ read: (String) -> Found?
  ) throws(MemberFault) -> Found {
    guard let found = read(try string(name)) else { throw fault(name, expected) }
    return found
  }

  func object(_ name: String) throws(MemberFault) -> DocumentReader {
    guard let member = value[name], member.kind == .object else { throw fault(name, "an object") }
    return DocumentReader(member, at: "\(path)\(name).")
  }

  func array(_ name: String) throws(MemberFault) -> [DocumentReader] {
    guard let member = value[name], member.kind == .array,
      member.elements.allSatisfy({ $0.kind == .object })
    else { throw fault(name, "an array of objects") }
    return member.elements.enumerated().map {
      DocumentReader($1, at: "\(path)\(name)[\($0)].")
    }
  }

  /// Returns the text of any value; nil for null.
  func json(_ name: String) throws(MemberFault) -> [UInt8]? {
    guard let member = value[name] else { throw fault(name, "present") }
    return member.kind == .null ? nil : member.text
  }

  private func fault(_ name: String, _ expected: String) -> MemberFault {
    MemberFault(path + name, "must be \(expected)")
  }
}

/// A member of a document that is missing or wrong.
struct MemberFault: Error, CustomStringConvertible {
  let description: String

  init(_ member: String, _ fault: String) {
    description = "\(member) \(fault)"
  }
}
