/// A member of State for the view model only: it is stored, but not sent to clients.
///
/// The member appears in no snapshot, page or schema, and as dots in logs. It is restored after a restart. A
/// turn that changes only such members makes a new version that looks the same to clients.
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

  /// Wraps a value to hide it from clients.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a value to hide it from clients.
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
  /// Writes the value; the service omits the member from snapshots.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(PrivateValue(value: wrappedValue))
  }
}

/// The value of a ``Private``; hidden even if a type's own `encode(to:)` unwraps the wrapper.
private struct PrivateValue<Value: Encodable>: Encodable, StoredOnly {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Private: Decodable where Value: Decodable {
  /// Reads the value.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

/// A value that is written for the store only.
package protocol StoredOnly {}

extension Private: StoredOnly {}
extension Optional: StoredOnly where Wrapped: StoredOnly {}
extension Array: StoredOnly where Element: StoredOnly {}
extension Set: StoredOnly where Element: StoredOnly {}
