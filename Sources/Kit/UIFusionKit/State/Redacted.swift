/// A member of State that clients see but logs and diffs do not; stored like any other.
@propertyWrapper
public struct Redacted<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value to keep it out of logs.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a value to keep it out of logs.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots in place of the value.
  public var description: String { hidden }

  /// Dots in place of the value.
  public var debugDescription: String { hidden }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redacted: Encodable where Value: Encodable {
  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Redacted: Decodable where Value: Decodable {
  /// Reads the value.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}
