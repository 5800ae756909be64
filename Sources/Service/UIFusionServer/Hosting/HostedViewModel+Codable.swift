import FusionJSONPatch
import FusionSessionAPI
package import FusionSessions
import FusionStrictJSON
package import UIFusionKit

extension HostedViewModel {
  /// Hosts a view model whose Inputs and State are coded by their `Codable` conformance.
  package convenience init<Model: ViewModel, Given: Decodable & Sendable>(
    _ name: String,
    summary: String,
    parameters: Given.Type,
    make: @escaping @Sendable (_ parameters: Given, _ dependencies: Dependencies) throws -> Model
  ) where Model.Input: Codable, Model.State: Codable {
    let cache = InputCache()
    let presence = (Model.self as? any PresenceObserving.Type).map { presenceInput($0) }
    let sizes = SizeHints()
    let lines = TraceLines<Model>()
    let resumption = {
      @Sendable (start: Start, given: Given, dropsMembers: Bool, dependencies: Dependencies) in
      try start.resumption(of: Model.self, dropsMembers: dropsMembers) {
        freshState(dependencies) { opening in
          try opening.engine(from: nil, SizeHints(), lines) {
            try make(given, opening.dependencies)
          }
        }
      }
    }
    self.init(
      name: name,
      summary: summary,
      types: Types(model: Model.self, parameters: Given.self),
      format: Model.stateFormat,
      patches: .json,
      actionCoding: .json(Model.Action.self),
      presence: presence,
      accessRule: (Model.self as? any AccessControlled.Type).map { rule(of: $0) },
      read: { body, processed, owner in
        // The cache has only Inputs without values, so none with a `PresenceChange`.
        let inputs =
          try cache[body]
          ?? PresenceChange.$isRefused.withValue(owner is SubmittedInputs) {
            try readInputs(Model.Input.self, from: body, cache)
          }
        return InputBatch(inputs, from: processed, owner: owner)
      },
      open: { start, opening in
        let given = try start.parameters(as: Given.self)
        let (point, changes) = try resumption(
          start,
          given,
          opening.dropsMembers,
          opening.dependencies
        )
        if !changes.dropped.isEmpty { opening.dropped(changes.dropped) }
        return try opening.engine(from: point, sizes, lines) {
          try make(given, opening.dependencies)
        }
      },
      changes: { stored, dropsMembers, dependencies in
        let given = try stored.parameters(as: Given.self)
        return try resumption(stored, given, dropsMembers, dependencies).changes
      },
      show: { stored, dependencies in
        let given = try stored.parameters(as: Given.self)
        guard let point = try resumption(stored, given, true, dependencies).0 else { return [] }
        return try StrictJSON.encode(point.state, for: .clients)
      },
      rewrite: { stored, dropsMembers, dependencies in
        let given = try stored.parameters(as: Given.self)
        let point = try resumption(stored, given, dropsMembers, dependencies).0
        return try point.map { try StrictJSON.encode($0.state) } ?? []
      },
      replay: { parameters, dependencies in
        let given = try decoded(parameters, as: Given.self)
        return try CodableReplay { try make(given, dependencies) }
      }
    )
  }
}

extension HostedViewModel.Opening {
  fileprivate func engine<Model: ViewModel>(
    from resumption: ResumePoint<Model.State>?,
    _ sizes: SizeHints,
    _ lines: TraceLines<Model>,
    _ make: @Sendable () throws -> Model
  ) rethrows -> Engine where Model.Input: Encodable, Model.State: Encodable {
    var record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
    if isRecorded || isWatchable { record = lines.line }
    let writer = StateWriter<Model.State>(sizes, limit: stateLimit, invalid: invalid)
    return try Engine(
      dependencies,
      mailboxLimit: mailboxLimit,
      committer: committer,
      resuming: resumption,
      alarms: alarms,
      render: writer.encode,
      record: record,
      isRecorded: isRecorded,
      make
    )
  }
}

extension HostedViewModel.Start {
  fileprivate func parameters<Given: Decodable>(as type: Given.Type) throws -> Given {
    switch self {
    case .new(let parameters?): try parameters.decode(type)
    case .new(nil): try decoded([], as: type)
    case .stored(let text, _, _, _): try decoded(text, as: type)
    }
  }

  /// Reads the stored State; if it is written differently today, it gets a new version.
  fileprivate func resumption<Model: ViewModel>(
    of model: Model.Type,
    dropsMembers: Bool,
    fresh: () -> JSONTree?
  ) throws -> (ResumePoint<Model.State>?, changes: StateChanges) where Model.State: Codable {
    guard case .stored(_, let text, let format, let version) = self else {
      return (nil, StateChanges())
    }
    let adapted = try storedState(text, format, of: model, dropsMembers: dropsMembers, fresh: fresh)
    // A State that can no longer be written is restored, and its next turn names the member.
    let isAsStored = (try? StrictJSON.encode(adapted.state)) == text
    let resumed = ResumePoint(adapted.state, version: isAsStored ? version : version + 1)
    return (resumed, adapted.changes)
  }
}

extension JSONValue: StoredStateSource {}

/// Returns the first State of a view model; nil if none can be made.
private func freshState(
  _ dependencies: Dependencies,
  _ open: (HostedViewModel.Opening) throws -> Engine
) -> JSONTree? {
  FirstStateCommitter.of(dependencies, open).flatMap { try? JSONTree(JSONDocument($0.stored).root) }
}

/// Reads a stored State of any format; `fresh` is a State that supplies members it lacks.
///
/// Drops the members that the view model names, or all that State no longer has.
func storedState<Model: ViewModel>(
  _ text: [UInt8],
  _ format: Int,
  of model: Model.Type,
  dropsMembers: Bool = false,
  fresh: () -> JSONTree?
) throws -> AdaptedState<Model.State> where Model.State: Codable {
  // `migrate` knows only older formats.
  guard format <= Model.stateFormat else {
    throw StoredState.UnknownFormat(format: format, current: Model.stateFormat)
  }
  let root = try JSONDocument(text).root
  guard format == Model.stateFormat else {
    return AdaptedState(try Model.migrate(StoredState(root), from: format))
  }
  let mayDrop = { dropsMembers || Model.droppedMembers.contains($0) }
  return try AdaptedState(root, mayDrop: mayDrop, renamed: Model.renamedMembers, fresh: fresh)
}

/// Reads stored parameters, or an empty object if there are none.
private func decoded<Given: Decodable>(_ parameters: [UInt8], as type: Given.Type) throws -> Given {
  try JSONDocument(parameters.isEmpty ? Array("{}".utf8) : parameters).root.decode(type)
}

private func rule<Model: AccessControlled>(of model: Model.Type) -> AccessRule {
  AccessRule(of: model)
}

/// Returns the function that makes the Inputs by which a view model is told of its visitors.
private func presenceInput<Model: PresenceObserving>(
  _ model: Model.Type
) -> @Sendable (PresenceChange) -> InputList? {
  { change in model.input(for: change).map { InputList([$0]) } }
}

private func readInputs<Input: Decodable & Sendable>(
  _ type: Input.Type,
  from body: [UInt8],
  _ cache: InputCache
) throws -> InputList {
  let root = try JSONDocument(body).root
  guard root.kind == .array else {
    let inputs = InputList([try readInput(Input.self, from: root, index: nil)])
    if root.isWithoutValues { cache.keep(inputs, readFrom: body) }
    return inputs
  }
  return InputList(
    try root.elements.enumerated().map { index, element in
      try readInput(Input.self, from: element, index: index)
    }
  )
}

private func readInput<Input: Decodable>(
  _ type: Input.Type,
  from value: JSONValue,
  index: Int?
) throws(InputError) -> Input {
  do {
    return try value.decodeInput(type)
  } catch {
    throw InputError(error, reading: value, at: index)
  }
}

extension JSONValue {
  /// Whether this is an Input without values: `"increase"` or `{"increase":{}}`.
  fileprivate var isWithoutValues: Bool {
    switch kind {
    case .string: true
    case .object: members.allSatisfy { $0.value.kind == .object && $0.value.count == 0 }
    default: false
    }
  }
}

extension ActionCoding {
  /// The functions for actions that are coded by their `Codable` conformance; they throw if there is none.
  package static func json<Action: Sendable>(_ type: Action.Type) -> ActionCoding {
    guard let decodable = type as? any (Decodable & Sendable).Type,
      type is any Encodable.Type
    else {
      return ActionCoding(encode: Self.none.encode, decode: Self.none.decode, read: readState)
    }
    return ActionCoding(
      encode: { action in
        guard let action = action as? any Encodable else {
          throw NotReplayable("it is not Encodable")
        }
        return try StrictJSON.encode(action)
      },
      decode: { try JSONDocument($0).root.decode(decodable) },
      read: readState
    )
  }

  private static let readState: StateReading = { type, bytes in
    try readShown(type, JSONDocument(bytes).root)
  }
}

/// Reads a State of any view model as clients get it; members that the type does not have are left out.
private func readShown<State: Codable & Sendable>(
  _ type: State.Type,
  _ root: JSONValue
) throws -> any Sendable {
  try AdaptedState<State>(root, mayDrop: { _ in true }, fresh: { nil }).state
}

extension HostedViewModel.Patches {
  /// JSON Patches, used if they are less than half as long as the State and restore it to the byte.
  package static let json = HostedViewModel.Patches(
    make: { old, new in
      let limit = new.count / 2
      return JSONPatch.text(fromPiecesOf: old, to: new, limit: limit)
        ?? JSONPatch.text(from: old.bytes, to: new.bytes, limit: limit)
    },
    apply: { patch, old in
      try JSONPatch.apply(try JSONDocument(patch, wrapping: 2).root, to: try JSONDocument(old).root)
    }
  )
}
