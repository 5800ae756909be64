/// How a view model begins.
package enum Beginning: Sendable {
  /// As a new one.
  case started
  /// With a State from the store.
  case restored(Interrupted)
}

/// What a view model was doing when its process ended, as far as it is known.
///
/// It is stored with each turn that changes State or asks for work: what has ended since is still in
/// it. An effect that was over by then may so be named, if its end led to no new State. What State says
/// comes first, therefore; ids tell what it does not.
public struct Interrupted: Sendable, Equatable {
  /// Stands for work without an id: a running `perform`, an effect that has none.
  static let unnamed = "unnamed"

  private let names: [String]

  package init(_ names: [String]) {
    self.names = names
  }

  /// What a test hands to `restored`.
  public init(ids: (any Hashable & Sendable)...) {
    names = ids.map { EffectID($0).storedName }
  }

  /// Whether nothing was running.
  public var isEmpty: Bool { names.isEmpty }

  /// Whether an effect of that id was running, or waiting behind another.
  ///
  /// The id is known by its type's name and how it prints.
  public func contains(_ id: some Hashable & Sendable) -> Bool {
    names.contains(EffectID(id).storedName)
  }
}

/// A State that an older format of its view model has left in a store.
public struct StoredState: Sendable {
  private let source: any StoredStateSource

  package init(_ source: any StoredStateSource) {
    self.source = source
  }

  /// Reads it as a type of that time.
  ///
  /// - Throws: what does not fit the type.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    try source.decode(type)
  }

  /// A view model does not know how to read a format.
  public struct UnknownFormat: Error, CustomStringConvertible {
    let format: Int
    let current: Int

    package init(format: Int, current: Int) {
      self.format = format
      self.current = current
    }

    /// Both formats.
    public var description: String {
      "a State of format \(format) was stored, and the view model reads format \(current)"
    }
  }
}

/// What a stored State is read from.
package protocol StoredStateSource: Sendable {
  func decode<Old: Decodable>(_ type: Old.Type) throws -> Old
}

/// The State and version from which a view model goes on.
package struct Resumption<State: Sendable>: Sendable {
  package let state: State
  package let version: Int

  package init(_ state: State, version: Int) {
    self.state = state
    self.version = version
  }
}
