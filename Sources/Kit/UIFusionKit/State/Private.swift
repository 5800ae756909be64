/// A member of State that only the view model sees: it is stored, and clients do not get it.
///
/// The member is in no snapshot, page or schema, and prints as dots in logs. The member comes back after a
/// restart. A turn that changes nothing else makes a new version that looks the same to clients.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable {
///   var hint = ""
///   @Private var answer = 0
/// }
/// ```
@propertyWrapper
public struct Private<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value to keep it from clients.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a value to keep it from clients.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Private: Sendable where Value: Sendable {}
extension Private: Equatable where Value: Equatable {}
extension Private: Hashable where Value: Hashable {}

extension Private: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots in place of the value.
  public var description: String { hidden }

  /// Dots in place of the value.
  public var debugDescription: String { hidden }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Private: Encodable where Value: Encodable {
  /// Writes the value as it is; the service leaves the member out of what clients get.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(PrivateValue(value: wrappedValue))
  }
}

/// The value of a ``Private``, hidden also where a type's own `encode(to:)` takes the wrapper apart.
private struct PrivateValue<Value: Encodable>: Encodable, StoredOnly {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Private: Decodable where Value: Decodable {
  /// Reads the value as it is.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

/// A value that is written for the store alone.
package protocol StoredOnly {}

extension Private: StoredOnly {}
extension Optional: StoredOnly where Wrapped: StoredOnly {}
extension Array: StoredOnly where Element: StoredOnly {}
extension Set: StoredOnly where Element: StoredOnly {}
