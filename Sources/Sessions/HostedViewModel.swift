package import UIFusionKit

/// A view model as the host knows it: by name, and in bytes.
///
/// The functions are made where the types are known; here nothing knows them.
package struct HostedViewModel: Sendable {
  package let name: String
  /// What it is for, in a few words.
  package let summary: String

  /// Reads a request's body: one Input, or an array of them.
  ///
  /// Throws what is wrong with it.
  package let read:
    @Sendable (
      _ body: [UInt8],
      _ condition: (@Sendable (_ version: Int) -> Bool)?,
      _ progress: @escaping @Sendable (Delivery.Progress) -> Void
    ) throws -> Delivery

  /// Creates a view model from parameters, and an engine for it.
  ///
  /// Throws what does not fit.
  package let open: @Sendable (_ parameters: (any Parameters)?, _ opening: Opening) throws -> Engine

  /// What an engine is opened with.
  package struct Opening: Sendable {
    package let mailboxLimit: Int
    package let dependencies: Dependencies
    package let settled: @Sendable (Bool) -> Void
    /// Takes each State, as JSON, with what stands for its Pulses, and its version.
    package let published: @Sendable (_ state: [UInt8], _ pulses: UInt64, _ version: Int) -> Void
    /// Told of a State that cannot be written as JSON.
    package let failed: @Sendable (any Error) -> Void
  }

  package init(
    name: String,
    summary: String,
    read:
      @escaping @Sendable (
        [UInt8],
        (@Sendable (Int) -> Bool)?,
        @escaping @Sendable (Delivery.Progress) -> Void
      ) throws -> Delivery,
    open: @escaping @Sendable ((any Parameters)?, Opening) throws -> Engine
  ) {
    self.name = name
    self.summary = summary
    self.read = read
    self.open = open
  }
}

/// What a client hands over for a new session, to be read as the type that its view model takes.
package protocol Parameters: Sendable {
  func decode<T: Decodable>(_ type: T.Type) throws -> T
}
