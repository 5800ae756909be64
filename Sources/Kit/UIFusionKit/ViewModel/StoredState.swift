/// A State that was stored in an older format of its view model.
public struct StoredState: Sendable {
  private let source: any StoredStateSource

  package init(_ source: any StoredStateSource) {
    self.source = source
  }

  /// Decodes the State as the type that it had when it was stored.
  ///
  /// - Throws: a decoding error if the stored State does not match the type.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    try source.decode(type)
  }

  /// The error of a view model that cannot decode a stored format.
  public struct UnknownFormat: Error, CustomStringConvertible {
    let format: Int
    let current: Int

    package init(format: Int, current: Int) {
      self.format = format
      self.current = current
    }

    /// The stored format and the format of the view model.
    public var description: String {
      "a State of format \(format) was stored, and the view model reads format \(current)"
    }
  }
}

/// A decoder of one stored State.
package protocol StoredStateSource: Sendable {
  func decode<Old: Decodable>(_ type: Old.Type) throws -> Old
}

/// The State and version that a restored view model continues from.
package struct ResumePoint<State: Sendable>: Sendable {
  package let state: State
  package let version: Int

  package init(_ state: State, version: Int) {
    self.state = state
    self.version = version
  }
}
