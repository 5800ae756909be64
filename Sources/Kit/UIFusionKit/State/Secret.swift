/// A member of State or of an Input that never leaves the process, such as a password.
///
/// Clients, logs, traces and the store get `"••••"`, or `""` if the value is empty. A restored State has
/// an empty value. Clients send an Input's secret as plain text.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable { @Secret var password = "" }
/// enum Input: Codable, Sendable { case passwordChanged(Secret<String>) }
/// ```
@propertyWrapper
public struct Secret<Value: RangeReplaceableCollection> {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value to keep it secret.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a value to keep it secret.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots in place of the value; an empty string if the value is empty.
  public var description: String { wrappedValue.isEmpty ? "" : hidden }

  /// The description in quotation marks.
  public var debugDescription: String { "\"\(description)\"" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Encodable {
  /// Writes dots in place of the value; an empty string if the value is empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Secret: Decodable where Value: Decodable {
  /// Reads a value; dots are read as an empty value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(String.self)) == hidden {
      wrappedValue = Value()
    } else {
      wrappedValue = try container.decode(Value.self)
    }
  }
}

/// The text in place of a hidden value.
package let hidden = "••••"
