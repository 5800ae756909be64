import Synchronization
package import UIFusionKit

/// A view model as the host knows it: by name, and in bytes.
///
/// The functions are made where the types are known; here nothing knows them.
package struct HostedViewModel: Sendable {
  package let name: String
  /// What it is for, in a few words.
  package let summary: String
  /// The types behind it, for who describes it; nil where there is nothing to describe.
  package let types: Types?

  package struct Types: Sendable {
    package let model: any ViewModel.Type
    package let parameters: any (Decodable & Sendable).Type

    package init(model: any ViewModel.Type, parameters: any (Decodable & Sendable).Type) {
      self.model = model
      self.parameters = parameters
    }
  }

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
    types: Types? = nil,
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
    self.types = types
    self.read = read
    self.open = open
  }
}

extension HostedViewModel {
  /// The State with which a session begins, as JSON; nil where it takes parameters that have to be
  /// given.
  ///
  /// Creates a view model, and lets go of it.
  package func firstState(_ dependencies: Dependencies) -> [UInt8]? {
    let state = Mutex<[UInt8]?>(nil)
    var dependencies = dependencies
    dependencies.interceptors = []
    let opening = Opening(
      mailboxLimit: 0,
      dependencies: dependencies,
      settled: { _ in },
      published: { bytes, _, version in if version == 1 { state.withLock { $0 = bytes } } },
      failed: { _ in }
    )
    guard let engine = try? open(nil, opening) else { return nil }
    engine.close()
    return state.withLock { $0 }
  }
}

/// What a client hands over for a new session, to be read as the type that its view model takes.
package protocol Parameters: Sendable {
  func decode<T: Decodable>(_ type: T.Type) throws -> T
}
