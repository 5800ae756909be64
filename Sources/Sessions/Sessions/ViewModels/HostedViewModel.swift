package import UIFusionKit

/// A view model as the host knows it: by name, and in bytes.
///
/// The functions are made where the types are known. A class, as each session refers to it.
package final class HostedViewModel: Sendable {
  package let name: String
  /// The view model's purpose, in a few words.
  package let summary: String
  /// The types behind the view model, for its description; nil if there is nothing to describe.
  package let types: Types?
  /// The number of its State's shape.
  package let format: Int
  /// The functions that make and apply patches of States.
  package let patches: Patches
  /// The functions for the actions of alarms.
  package let actionCoding: ActionCoding
  /// Returns the Input of a change of visitors; nil if the view model is not told of them.
  let presence: (@Sendable (PresenceChange) -> InputList?)?
  /// The rule of who may use sessions; nil if the view model has none.
  package let accessRule: AccessRule?

  package struct Types: Sendable {
    package let model: any ViewModel.Type
    package let parameters: any (Decodable & Sendable).Type

    package init(model: any ViewModel.Type, parameters: any (Decodable & Sendable).Type) {
      self.model = model
      self.parameters = parameters
    }
  }

  /// Whether the view model is told when a session of it ends.
  var isToldOfEnd: Bool { types?.model is any SessionEnding.Type }

  /// Whether the view model is told of its visitors.
  package var isToldOfVisitors: Bool { presence != nil }

  /// Reads a request's body: one Input, or an array of them, of which the first ones may be processed
  /// already.
  ///
  /// - Throws: An error if the body is not valid.
  package let read:
    @Sendable (_ body: [UInt8], _ processed: Int, _ owner: any BatchOwner) throws -> InputBatch

  /// Creates a view model, and an engine for it.
  ///
  /// - Throws: An error that names the member that does not fit.
  package let open: @Sendable (_ start: Start, _ opening: Opening) throws -> Engine

  /// Returns the members in which a stored State differs from its current type.
  ///
  /// - Throws: An error if the State cannot be read.
  package let changes:
    @Sendable (_ stored: Start, _ dropsMembers: Bool, _ dependencies: Dependencies) throws ->
      StateChanges

  /// Returns a stored State as clients get it today.
  ///
  /// - Throws: An error if the State cannot be read.
  let show: @Sendable (_ stored: Start, _ dependencies: Dependencies) throws -> [UInt8]

  /// Returns a stored State as it is stored today, in today's ``format``.
  ///
  /// - Throws: An error if the State cannot be read.
  let rewrite:
    @Sendable (_ stored: Start, _ dropsMembers: Bool, _ dependencies: Dependencies) throws ->
      [UInt8]

  /// Creates a view model that does recorded actions again.
  ///
  /// - Throws: ``NotReplayable``, or an error that names the member that does not fit.
  package let replay:
    @Sendable (_ parameters: [UInt8], _ dependencies: Dependencies) throws -> any ReplayedViewModel

  /// The State with which a view model begins.
  package enum Start: Sendable {
    /// The State of a new view model, with the client's parameters.
    case new((any Parameters)?)
    /// A stored State, with the parameters of its session.
    case stored(parameters: [UInt8], state: [UInt8], format: Int, version: Int)
  }

  /// The parts that an engine is opened with.
  package struct Opening: Sendable {
    package let mailboxLimit: Int
    package let dependencies: Dependencies
    /// The log that takes the results of turns, with States as ``EncodedState``.
    ///
    /// A stored State that comes back as it was has the version that it had; otherwise a new one.
    package let committer: any TurnCommitter
    /// Whether what leads to each State is stored: Inputs, Actions and errors, each as an object of JSON.
    package let isRecorded: Bool
    /// Whether the session may be watched; its watchers are told the same.
    package var isWatchable = false
    /// The most bytes that a State may have.
    package let stateLimit: Int
    /// Whether members of a stored State that its type no longer has are dropped, whatever the view model says.
    package var dropsMembers = false
    /// The alarms that are set.
    package var alarms: [Alarm] = []
    /// Reports a State that is not allowed.
    package let invalid: @Sendable (InvalidState) -> Void
    /// Reports the members of a stored State that were dropped.
    package var dropped: @Sendable ([String]) -> Void = { _ in }
  }

  package init(
    name: String,
    summary: String,
    types: Types? = nil,
    format: Int = 1,
    patches: Patches = Patches(),
    actionCoding: ActionCoding = .none,
    presence: (@Sendable (PresenceChange) -> InputList?)? = nil,
    accessRule: AccessRule? = nil,
    read: @escaping @Sendable ([UInt8], Int, any BatchOwner) throws -> InputBatch,
    open: @escaping @Sendable (Start, Opening) throws -> Engine,
    changes:
      @escaping @Sendable (Start, Bool, Dependencies) throws -> StateChanges = { _, _, _ in
        StateChanges()
      },
    show:
      @escaping @Sendable (Start, Dependencies) throws -> [UInt8] = { _, _ in
        throw NotReplayable("its State cannot be read")
      },
    rewrite:
      @escaping @Sendable (Start, Bool, Dependencies) throws -> [UInt8] = { _, _, _ in
        throw NotReplayable("its State cannot be read")
      },
    replay:
      @escaping @Sendable ([UInt8], Dependencies) throws -> any ReplayedViewModel = { _, _ in
        throw NotReplayable("its actions cannot be read")
      }
  ) {
    self.name = name
    self.summary = summary
    self.types = types
    self.format = format
    self.patches = patches
    self.actionCoding = actionCoding
    self.presence = presence
    self.accessRule = accessRule
    self.read = read
    self.open = open
    self.changes = changes
    self.show = show
    self.rewrite = rewrite
    self.replay = replay
  }
}

extension HostedViewModel.Opening {
  /// Creates the parts for a view model that is stored nowhere and has no limits.
  package init(playing committer: any TurnCommitter, _ dependencies: Dependencies) {
    self.init(
      mailboxLimit: .max,
      dependencies: dependencies,
      committer: committer,
      isRecorded: false,
      stateLimit: .max,
      invalid: { _ in }
    )
  }
}

extension HostedViewModel {
  /// Returns the State with which a session begins; nil if parameters have to be given.
  ///
  /// Creates a view model for that, and closes it.
  package func firstState(_ dependencies: Dependencies) -> EncodedState? {
    FirstStateCommitter.of(dependencies) { try open(.new(nil), $0) }
  }
}

extension HostedViewModel {
  /// The functions that make and apply patches of States: JSON Patch (RFC 6902).
  package struct Patches: Sendable {
    /// A State under this many bytes is stored in whole: finding the patch would cost more than it
    /// saves.
    package static let least = 2_048

    /// Makes the patch from `old` to `new`; nil if storing `new` in whole is better.
    package let make: @Sendable (_ old: StateText, _ new: StateText) -> [UInt8]?
    package let apply: @Sendable (_ patch: [UInt8], _ old: [UInt8]) throws -> [UInt8]

    /// Creates patches of these functions; without them, States are always written in whole.
    package init(
      make: @escaping @Sendable (StateText, StateText) -> [UInt8]? = { _, _ in nil },
      apply: @escaping @Sendable ([UInt8], [UInt8]) throws -> [UInt8] = { _, _ in
        throw StoreError.damaged("a patch where none was written")
      }
    ) {
      self.make = make
      self.apply = apply
    }
  }
}

/// The parameters of a new session, to be read as the type that its view model takes.
package protocol Parameters: Sendable {
  func decode<T: Decodable>(_ type: T.Type) throws -> T
  /// The parameters as JSON.
  var text: [UInt8] { get }
}

extension ActionCoding {
  /// The functions for a view model whose actions are not `Codable`: it cannot set alarms.
  package static let none = ActionCoding(
    encode: { _ in throw NotReplayable("its actions are not Codable") },
    decode: { _ in throw NotReplayable("its actions are not Codable") }
  )
}
