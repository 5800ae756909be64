/// What values of one type are published to, and subscribed to: a name that sessions agree on.
///
/// ```swift
/// static let kitchen = Topic<ChatMessage>("room/kitchen")
/// let room = try Topic<ChatMessage>("room/\(parameters.room)")
/// ```
///
/// A name has 1 to 256 bytes of UTF-8, whatever the characters; it means the same in the whole service.
/// It goes with one type: who subscribes to it with another one hears nothing.
public struct Topic<Value: Codable & Sendable>: Hashable, Sendable {
  /// What the sessions agree on.
  public let name: String

  /// A topic whose name is put together at run time.
  ///
  /// - Throws: ``InvalidTopicName`` where it is empty or too long.
  public init(_ name: String) throws(InvalidTopicName) {
    guard InvalidTopicName.lengths.contains(name.utf8.count) else {
      throw InvalidTopicName(length: name.utf8.count)
    }
    self.name = name
  }
}

extension Topic: ExpressibleByStringLiteral {
  /// A topic whose name stands in the code, and is of a length that fits.
  public init(stringLiteral name: String) {
    precondition(
      InvalidTopicName.lengths.contains(name.utf8.count),
      InvalidTopicName(length: name.utf8.count).description
    )
    self.name = name
  }
}

extension Topic: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// A topic's name that is empty or too long.
public struct InvalidTopicName: Error, Equatable, CustomStringConvertible {
  static let lengths = 1...256

  /// How many bytes it has.
  public let length: Int

  /// What is wrong, and what would be right.
  public var description: String {
    "a topic's name has 1 to 256 bytes of UTF-8, and this one has \(length)"
  }
}
