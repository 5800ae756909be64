import FusionStrictJSON
public import UIFusionKit

extension AsyncTestStore where Model.State: Codable {
  /// Creates a view model that comes back from a store, and lets it go on.
  ///
  /// State is written as JSON and read again: a `Secret` is empty, and what is not encoded is as a new
  /// State has it. What the actions of `restored` lead to is looked at by
  /// ``change(fileID:filePath:line:column:_:)``.
  ///
  /// ```swift
  /// let store = try AsyncTestStore(
  ///   restoring: Dice.State(isRolling: true),
  ///   interrupted: Interrupted(ids: Dice.EffectName.roll)
  /// ) { Dice(time: $0.time, random: $0.random) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: what was stored last.
  ///   - interrupted: what was running by then; nothing unless it is given.
  ///   - adjust: changes what the view model is given, such as random numbers from a seed.
  ///   - make: creates the view model, as for a new session.
  /// - Throws: what `make` throws, or what keeps State from being written or read.
  public convenience init(
    restoring state: Model.State,
    interrupted: Interrupted = Interrupted(),
    _ adjust: (inout Dependencies) -> Void = { _ in },
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) throws {
    let stored = try StrictJSON.decode(Model.State.self, from: StrictJSON.encode(state))
    try self.init(adjust, from: stored, issues: .testing, make)
    engine.prepare(.restored(interrupted))
    engine.resume()
  }
}

extension StoredState {
  /// A State as a store has it, for a test of `migrate`.
  ///
  /// - Throws: what is wrong with the JSON.
  public init(json: String) throws {
    self.init(StoredText(root: try JSONDocument(Array(json.utf8)).root))
  }
}

private struct StoredText: StoredStateSource {
  let root: JSONValue

  func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    try root.decode(type)
  }
}
