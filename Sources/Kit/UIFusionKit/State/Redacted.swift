/// A member that clients see, and logs and diffs do not; the store keeps it like any other.
@propertyWrapper
public struct Redacted<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// Keeps a value out of logs.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Keeps a value out of logs.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots.
  public var description: String { hidden }

  /// Dots.
  public var debugDescription: String { hidden }

  /// A mirror that shows nothing more.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redacted: Encodable where Value: Encodable {
  /// Writes the value as it is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Redacted: Decodable where Value: Decodable {
  /// Reads the value as it is.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}
