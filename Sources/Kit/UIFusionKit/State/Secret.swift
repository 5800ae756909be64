/// A member that leaves the program for nobody: a password in State, or in an Input.
///
/// To clients, logs, traces and the store alike it is written as `"••••"`, or as `""` where it is empty.
/// Read back from there it is empty. An Input that carries one takes the plain text.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable { @Secret var password = "" }
/// enum Input: Codable, Sendable { case passwordChanged(Secret<String>) }
/// ```
@propertyWrapper
public struct Secret<Value: RangeReplaceableCollection> {
  /// The value itself.
  public var wrappedValue: Value

  /// Keeps a value secret.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Keeps a value secret.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots, or nothing where there is nothing to hide.
  public var description: String { wrappedValue.isEmpty ? "" : hidden }

  /// The same, in quotation marks.
  public var debugDescription: String { "\"\(description)\"" }

  /// A mirror that shows nothing more.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Encodable {
  /// Writes dots.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Secret: Decodable where Value: Decodable {
  /// Reads a value; dots stand for what was not written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(String.self)) == hidden {
      wrappedValue = Value()
    } else {
      wrappedValue = try container.decode(Value.self)
    }
  }
}

/// What stands for a value that is not shown.
let hidden = "••••"
