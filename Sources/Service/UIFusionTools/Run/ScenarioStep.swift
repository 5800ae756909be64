import FusionStrictJSON

/// A step of a scenario that is run against a service.
struct ScenarioStep: Sendable {
  /// The number of its line in the file.
  let line: Int
  /// The name of the person who creates or sends; nil for nobody.
  let person: String?
  let action: Action
  /// The time for what is waited for; nil for the run's own.
  let limit: Duration?

  enum Action: Sendable {
    /// Creates the session, or finds the one with the name.
    case create(viewModel: String, name: String?, parameters: JSONTree?)
    /// Sends an Input, or an array of them as a batch, which a problem of this type has to refuse if one is named.
    case send(JSONTree, refusal: String?)
    /// Waits for a State.
    case expect(StatePattern)
    /// Waits until the Pulse at a path is assigned after the last Input, to the value if one is named.
    case pulse(path: String, value: JSONTree?)
    /// Waits until the session has no work.
    case settled
    /// Breaks the stream off and opens it again.
    case reconnect
    /// Restarts the service, by the command of the run.
    case restart
    /// Waits for so long.
    case advance(Duration)
  }

  /// The step in a line for people.
  var title: String {
    let who = person.map { " as \($0)" } ?? ""
    return switch action {
    case .create(let viewModel, let name, _):
      "create \(viewModel)\(name.map { " named \($0)" } ?? "")\(who)"
    case .send(let input, let refusal):
      "send \(names(of: input))\(who)\(refusal.map { ", refused as \($0)" } ?? "")"
    case .expect(.part(let json)): "expect \(short(json))"
    case .expect(.whole(let json)), .expect(.recorded(let json)): "state \(short(json))"
    case .pulse(let path, let value): "pulse \(path)\(value.map { " \(short($0))" } ?? "")"
    case .settled: "settled"
    case .reconnect: "reconnect"
    case .restart: "restart"
    case .advance(let time): "advance \(time / .seconds(1)) s"
    }
  }
}

/// Returns the names of Inputs, without their values: these may be secret.
private func names(of input: JSONTree) -> String {
  switch input {
  case .string(let name): name
  case .object(let members): members.map(\.name).joined(separator: ", ")
  case .array(let inputs): "[" + inputs.map(names).joined(separator: ", ") + "]"
  case .null, .bool, .number: input.text
  }
}

private func short(_ json: JSONTree) -> String {
  let text = json.text
  return text.count > 60 ? text.prefix(59) + "…" : text
}
