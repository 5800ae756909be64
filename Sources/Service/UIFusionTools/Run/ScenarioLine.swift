import FusionCommandLine
import FusionStrictJSON

/// A line of a scenario's file, whose errors say where it is wrong.
struct ScenarioLine {
  private let number: Int
  private let text: String
  private let value: JSONValue

  /// The kinds of steps, with the members that one may have beside the kind's own.
  private static let kinds: KeyValuePairs = [
    "create": ["name", "parameters", "as"], "send": ["as", "refused"], "expect": ["within"],
    "state": ["within"], "pulse": ["is", "within"], "settled": ["within"], "reconnect": [],
    "restart": ["within"], "advance": [],
  ]

  /// Reads a line; returns nil for one without a step.
  init?(_ bytes: [UInt8], number: Int) throws(UsageError) {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.drop(while: \.isWhitespace)
    guard !start.isEmpty, !start.hasPrefix("#"), !start.hasPrefix("//") else { return nil }
    (self.number, self.text) = (number, text)
    do throws(JSONError) { value = try JSONDocument(bytes).root } catch {
      throw UsageError("line \(number), column \(error.column ?? 1): \(error.reason)")
    }
    guard value.kind == .object else {
      throw UsageError("line \(number) must be a JSON object, such as {\"send\": \"increase\"}")
    }
  }

  /// Whether the line begins a recording.
  var isOfRecording: Bool { value["viewModel"] != nil && value["trace"] != nil }

  var step: ScenarioStep {
    get throws(UsageError) {
      let names = value.members.map(\.name)
      guard let (kind, others) = Self.kinds.first(where: { names.contains($0.key) }) else {
        let kinds = Self.kinds.map(\.key)
        let advice =
          names.compactMap { nearestWord(to: $0, in: kinds) }.first.map { "did you mean \($0)?" }
          ?? "it has one of " + kinds.joined(separator: ", ")
        throw UsageError("line \(number) is no step: \(advice)")
      }
      for name in names where name != kind && name != "comment" && !others.contains(name) {
        let advice = nearestWord(to: name, in: others).map { ": did you mean \($0)?" } ?? ""
        throw fault(name, "is not known beside \(kind)\(advice)")
      }
      return ScenarioStep(
        line: number,
        person: try optional("as", \.string, "a name in quotation marks"),
        action: try action(kind),
        limit: try optional("within", \.seconds, "a number of seconds")
      )
    }
  }

  private func action(_ kind: String) throws(UsageError) -> ScenarioStep.Action {
    switch kind {
    case "create":
      return .create(
        viewModel: try required(kind, \.string, "the name of a view model"),
        name: try optional("name", \.string, "a name in quotation marks"),
        parameters: value["parameters"].map(JSONTree.init)
      )
    case "send":
      let refusal = try optional("refused", \.string, "a problem's type, as not-permitted")
      return .send(try required(kind, JSONTree.init, "an Input"), refusal: refusal)
    case "expect": return .expect(.part(try required(kind, JSONTree.init, "a part of State")))
    case "state": return .expect(.whole(try required(kind, JSONTree.init, "a State")))
    case "pulse":
      let path = try required(kind, \.string, "the name of a Pulse in State")
      return .pulse(path: path, value: value["is"].map(JSONTree.init))
    case "advance": return .advance(try required(kind, \.seconds, "a number of seconds"))
    default:
      guard value[kind]?.bool == true else { throw fault(kind, "must be true") }
      return kind == "settled" ? .settled : kind == "restart" ? .restart : .reconnect
    }
  }

  private func required<Found>(
    _ name: String,
    _ read: (JSONValue) -> Found?,
    _ expected: String
  ) throws(UsageError) -> Found {
    guard let found = try optional(name, read, expected) else { throw fault(name, "is missing") }
    return found
  }

  private func optional<Found>(
    _ name: String,
    _ read: (JSONValue) -> Found?,
    _ expected: String
  ) throws(UsageError) -> Found? {
    guard let member = value[name] else { return nil }
    guard let found = read(member) else { throw fault(name, "must be \(expected)") }
    return found
  }

  /// Returns the error for a member.
  func fault(_ name: String, _ fault: String) -> UsageError {
    let column = text.firstRange(of: "\"\(name)\"").map {
      text.unicodeScalars.distance(from: text.startIndex, to: $0.lowerBound) + 1
    }
    return UsageError("line \(number), column \(column ?? 1): \(name) \(fault)")
  }
}

extension JSONValue {
  /// The duration that a number of seconds stands for; nil for another value, and beyond 1,000,000.
  fileprivate var seconds: Duration? {
    guard let number = try? decode(Double.self), 0...1_000_000 ~= number else { return nil }
    return .seconds(number)
  }
}
