import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The replay of recorded actions, which are read by their `Codable` conformance.
final class CodableReplay<Model: ViewModel>: ReplayedViewModel where Model.State: Codable {
  private let run: DryRun<Model>
  private let action: any Decodable.Type
  private let first: JSONTree?
  private(set) var changes = StateChanges()

  init(_ make: () throws -> Model) throws {
    guard let run = DryRun(try make()) else {
      throw NotReplayable(
        "\(Model.self) waits and has effects in perform, which a replay would repeat"
      )
    }
    guard let action = Model.Action.self as? any Decodable.Type,
      Model.Action.self is any Encodable.Type
    else { throw NotReplayable("\(Model.self).Action is not Codable") }
    self.run = run
    first = try? JSONTree(encoding: run.state)
    self.action = action
  }

  func redo(_ action: [UInt8]) async throws {
    let decoded = try JSONDocument(action).root.decode(any: self.action)
    guard let action = decoded as? Model.Action else { return }
    await run.redo(action)
  }

  func difference(from state: [UInt8], format: Int) throws -> StateDifference? {
    let stored = try read(state, format)
    // Written and read like the stored State, so that secrets are empty in both.
    let replayed = try StrictJSON.decode(Model.State.self, from: try StrictJSON.encode(run.state))
    guard try StrictJSON.encode(stored) != StrictJSON.encode(replayed) else { return nil }
    return StateDifference(from: stored, to: replayed)
  }

  func goOn(from state: [UInt8], format: Int) throws {
    if try difference(from: state, format: format) == nil { return }
    run.state = try read(state, format)
  }

  private func read(_ state: [UInt8], _ format: Int) throws -> Model.State {
    let adapted = try storedState(state, format, of: Model.self) { first }
    changes.formUnion(adapted.changes)
    return adapted.state
  }
}

extension JSONValue {
  fileprivate func decode(any type: any Decodable.Type) throws -> Any { try decode(type) }
}
