import FusionHTTPMessages
import FusionStrictJSON

/// A session's State at one version, as its clients see it.
public struct SessionSnapshot: Sendable {
  /// The session's id, the capability for the session: who holds it may use it.
  public let id: String
  /// The version, which only grows.
  public let version: Int
  /// Whether nothing is left of the work that the Input, or the session, has started.
  public let isSettled: Bool
  private let state: JSONValue

  /// The State as JSON.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    state.write(to: &bytes)
    return bytes
  }

  /// Decodes the State; members that the type does not have are left out.
  ///
  /// Clients do not see ``Private`` members, so a State that has some is decoded as a type of its own.
  public func decode<State: Codable>(as type: State.Type = State.self) throws -> State {
    try AdaptedState(state, mayDrop: { _ in true }, fresh: { nil }).state
  }

  init(_ answer: JSONValue, id: String?) throws {
    guard let id = answer["id"]?.string ?? id,
      let version = try answer["version"]?.decode(Int.self),
      let state = answer["state"]
    else { throw HTTPError(.noAnswer) }
    (self.id, self.version, self.state) = (id, version, state)
    isSettled = answer["settled"]?.bool ?? false
  }
}
