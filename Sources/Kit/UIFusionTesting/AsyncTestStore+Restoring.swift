import FusionStrictJSON
public import UIFusionKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AsyncTestStore where Model.State: Codable {
  /// Creates a view model, restores it from a stored State and resumes it.
  ///
  /// State is encoded as JSON and decoded again: a `Secret` is empty, and members that are not encoded have
  /// their initial values. Check the State after the actions of `restored` with
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
  ///   - state: the State that was stored last.
  ///   - interrupted: the work that was running; none by default.
  ///   - alarms: the alarms that were set, by their ids as Swift prints them; none by default.
  ///   - clock: the clock, for a test that sets its date; at zero by default.
  ///   - adjust: changes the dependencies, for example to random numbers from a seed.
  ///   - make: creates the view model, as for a new session.
  /// - Throws: any error of `make`, of encoding State or of decoding it.
  public convenience init(
    restoring state: Model.State,
    interrupted: Interrupted = Interrupted(),
    alarms: [String: (date: Date, action: Model.Action)] = [:],
    clock: TestClock = TestClock(),
    _ adjust: (inout Dependencies) -> Void = { _ in },
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) throws {
    let stored = try StrictJSON.decode(Model.State.self, from: StrictJSON.encode(state))
    let alarms = alarms.map { Alarm($0.key, at: $0.value.date, $0.value.action) }
    try self.init(clock, adjust, from: stored, alarms, issues: .testing, make)
    engine.prepare(.restored(interrupted))
    engine.resume()
  }
}

extension StoredState {
  /// Creates a stored State from JSON, for a test of `migrate`.
  ///
  /// - Throws: an error that describes the fault in the JSON.
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
