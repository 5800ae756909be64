import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The Inputs of a session, the actions that followed sessions have led to, and the resulting States, as lines of JSON:
/// `replay --format json` prints them, and a view model's console copies them.
struct Scenario {
  struct Step {
    /// The number of the step's line.
    let line: Int
    let causes: [Cause]
    /// The number of causes that led to the State; the others came after it, and changed nothing.
    let leading: Int
    /// The State that follows; nil if the line has none.
    let state: JSONTree?
  }

  /// An Input or an action that a step begins with.
  enum Cause {
    /// An Input, and the identity that sent it, with the roles of that moment; nil if none did.
    case input([UInt8], from: Identity?)
    /// An action for the State of a followed session, which a play does not have.
    case followed([UInt8])
  }

  let viewModel: String
  /// The session's parameters as JSON; nil where there are none.
  let parameters: JSONValue?
  /// The id of the identity that the session belongs to; nil if it belongs to nobody.
  let identity: String?
  /// The version of the first State, 1 in a new session.
  let version: Int
  let steps: [Step]

  /// Reads the lines; the first one names the view model, and has the State to begin with.
  ///
  /// - Throws: ``MemberFault``, which names the line.
  init(_ text: [UInt8]) throws(MemberFault) {
    var steps: [Step] = []
    var first: DocumentReader?
    for (index, text) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
      let number = index + 1
      guard let root = try? JSONDocument(Array(text)).root else {
        throw MemberFault("line \(number)", "must be JSON")
      }
      let line = DocumentReader(root, at: "line \(number): ")
      let trace = try line.array("trace")
      // A turn has one Input, so that one behind an action is that of a later turn.
      let inputs = trace.prefix { $0.has("input") }
      let isNew = try line.integer("version") == 1
      steps.append(
        Step(
          line: number,
          causes: try causes(in: trace),
          leading: isNew ? 0 : inputs.count,
          state: root["state"].map(JSONTree.init)
        )
      )
      first = first ?? line
    }
    guard let first, steps[0].state != nil else {
      throw MemberFault("line 1", "must have the State to begin with")
    }
    self.steps = steps
    viewModel = try first.string("viewModel")
    parameters = first.value["parameters"]
    identity = first.has("identity") ? try first.string("identity") : nil
    version = try first.integer("version")
  }
}

/// Returns the causes that a line's trace names.
private func causes(in trace: [DocumentReader]) throws(MemberFault) -> [Scenario.Cause] {
  var causes: [Scenario.Cause] = []
  for line in trace {
    if let cause = try Scenario.Cause(line) { causes.append(cause) }
  }
  return causes
}

extension Scenario.Cause {
  /// Reads a cause from a line of a trace; nil for lines of what a play does by itself.
  fileprivate init?(_ line: DocumentReader) throws(MemberFault) {
    if line.has("followed") {
      self = .followed(try line.followedAction())
      return
    }
    guard let input = line.value["input"] else { return nil }
    guard line.has("sender") else {
      self = .input(withoutDots(input.text), from: nil)
      return
    }
    let roles = line.has("roles") ? try line.strings("roles") : []
    let sender = Identity(id: try line.string("sender"), roles: Set(roles))
    self = .input(withoutDots(input.text), from: sender)
  }
}

extension DocumentReader {
  /// Returns the action for the State of a followed session.
  fileprivate func followedAction() throws(MemberFault) -> [UInt8] {
    guard let action = value["action"] else {
      let reason = "is of an Action that is not Codable, which cannot be played"
      throw MemberFault(path + "text", reason)
    }
    guard !containsSecret(action.text) else {
      throw MemberFault(
        path + "action",
        "has a private or secret value, which no scenario contains"
      )
    }
    return action.text
  }
}

/// Replaces the dots that a scenario has for a secret: they would be read as an empty secret.
private func withoutDots(_ json: [UInt8]) -> [UInt8] {
  let text = String(decoding: json, as: UTF8.self)
  return Array(text.replacing("\"\(hidden)\"", with: "\"secret\"").utf8)
}

extension ReplayReport {
  /// The members of the first line that make the lines a scenario.
  var scenarioStart: JSONTree {
    let session = history.session
    var start: JSONTree = ["viewModel": .string(session.viewModel)]
    if let identity = session.identity { start = start.adding(["identity": .string(identity)]) }
    return session.parameters.isEmpty
      ? start : start.adding(["parameters": tree(session.parameters)])
  }
}
