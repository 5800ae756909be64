#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A conversion between a dictionary's keys and the names of an object's members.
///
/// Strings, integers and UUIDs have names, and so do types with a string or an integer as raw value and types
/// that are `CodingKeyRepresentable`.
struct MemberNames<Key: Hashable> {
  let name: (Key) -> String
  /// Returns the key with a name; nil unless the key converts back to exactly that name.
  let key: (String) -> Key?
  /// A description of a name's form, to follow "expected".
  let expected: String?

  /// Creates the conversion, if keys of this type have names.
  init?() {
    if let type = Key.self as? any MemberName.Type {
      self.init(type)
    } else if let type = Key.self as? any CodingKeyRepresentable.Type {
      self.init(coding: type)
    } else if let type = Key.self as? any RawRepresentable.Type {
      self.init(raw: type)
    } else {
      return nil
    }
  }

  // Guard: the type in each cast below is `Key` itself, so no cast fails.

  private init<Name: MemberName>(_ type: Name.Type) {
    name = { ($0 as? Name)?.memberName ?? "" }
    key = { Name(memberName: $0) as? Key }
    expected = Name.expected
  }

  private init<Name: CodingKeyRepresentable>(coding type: Name.Type) {
    name = { ($0 as? Name)?.codingKey.stringValue ?? "" }
    key = { text in
      guard let key = Name(codingKey: DictionaryKey(stringValue: text)),
        key.codingKey.stringValue.utf8.elementsEqual(text.utf8)
      else { return nil }
      return key as? Key
    }
    expected = nil
  }

  private init?<Raw: RawRepresentable>(raw type: Raw.Type) {
    guard Raw.RawValue.self is any (MemberName & LosslessStringConvertible).Type,
      let rawType = Raw.RawValue.self as? any MemberName.Type
    else { return nil }
    self.init(raw: type, rawType)
  }

  private init<Raw: RawRepresentable, Name: MemberName>(raw type: Raw.Type, _ name: Name.Type) {
    self.name = { (($0 as? Raw)?.rawValue as? Name)?.memberName ?? "" }
    key = { text in
      guard let rawValue = Name(memberName: text) as? Raw.RawValue,
        let key = Raw(rawValue: rawValue),
        let name = (key.rawValue as? Name)?.memberName, name.utf8.elementsEqual(text.utf8)
      else { return nil }
      return key as? Key
    }
    expected = nil
  }
}

/// A type whose values convert to names directly.
protocol MemberName {
  static var expected: String { get }
  init?(memberName: String)
  var memberName: String { get }
}

extension String: MemberName {
  static var expected: String { "a string" }
  init?(memberName: String) { self = memberName }
  var memberName: String { self }
}

extension UUID: MemberName {
  init?(memberName: String) { self.init(uuidString: memberName) }
  var memberName: String { uuidString }
}

extension MemberName where Self: FixedWidthInteger {
  static var expected: String { "an integer (\(Self.self))" }

  init?(memberName: String) {
    guard let value = Self(memberName), String(value) == memberName else { return nil }
    self = value
  }

  var memberName: String { String(self) }
}

extension Int: MemberName {}
extension Int8: MemberName {}
extension Int16: MemberName {}
extension Int32: MemberName {}
extension Int64: MemberName {}
extension Int128: MemberName {}
extension UInt: MemberName {}
extension UInt8: MemberName {}
extension UInt16: MemberName {}
extension UInt32: MemberName {}
extension UInt64: MemberName {}
extension UInt128: MemberName {}

/// The name of a `CodingKeyRepresentable` key, with its number if the name is one.
private struct DictionaryKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = Int(stringValue)
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// A dictionary, whose keys may be the names of an object's members.
protocol NamedMembers {
  /// Whether the keys are names, so that the dictionary is an object.
  static var haveNames: Bool { get }
}

extension Dictionary: NamedMembers {
  static var haveNames: Bool { MemberNames<Key>() != nil }
}
