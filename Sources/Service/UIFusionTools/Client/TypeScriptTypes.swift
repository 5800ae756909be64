import FusionStrictJSON

/// The types of a view model in TypeScript, from the description that the service has of it.
struct TypeScriptTypes {
  /// The beginning of all their names: `Shop` for `shop`.
  let prefix: String
  /// The declarations, one below the other.
  private(set) var text = ""

  private static let parts = ["State", "Parameters", "Input"]

  private var definitions: [(name: String, schema: JSONValue)] = []

  init(_ description: JSONValue) {
    prefix = Self.prefix(of: description["name"]?.string ?? "")
    declare("State", description["state"]?["schema"])
    declare("Parameters", description["parameters"])
    declareInput(description["inputs"]?.elements.map(\.self) ?? [])
  }

  /// Returns a view model's name as that of a type: `CounterTwoWays` for `counter-two-ways`.
  static func prefix(of name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return joined.first?.isLetter == true ? joined : "_" + joined
  }

  private mutating func declare(_ name: String, _ schema: JSONValue?) {
    let type = type(of: schema, in: name, isMultiline: true)
    text += "export type \(prefix)\(name) = \(type);\n\n"
    declareDefinitions(in: name)
  }

  /// Declares the Input as a union with a line for each form.
  private mutating func declareInput(_ inputs: [JSONValue]) {
    var lines: [String] = []
    for input in inputs {
      if let sentence = input["sentence"]?.string {
        lines.append("  /** \(sentence.replacing("*/", with: "* /")) */")
      }
      guard let schema = input["schema"] else { continue }
      for form in Self.forms(schema) { lines.append("  | \(type(of: form, in: "Input"))") }
      collectDefinitions(of: schema)
    }
    let union = lines.isEmpty ? " never" : "\n" + lines.joined(separator: "\n")
    text += "export type \(prefix)Input =\(union);\n\n"
    declareDefinitions(in: "Input")
  }

  /// Returns the forms of an Input without those that say the same in more words.
  private static func forms(_ schema: JSONValue) -> [JSONValue] {
    guard let forms = schema["anyOf"]?.elements.map(\.self) else { return [schema] }
    let isBare = forms.contains { $0["const"] != nil }
    let values = forms.compactMap { Self.values(of: $0) }
    let isShort = values.count > 1
    return forms.filter { form in
      guard let value = Self.values(of: form) else { return true }
      let labels = value["properties"]?.members.map(\.name)
      return !(isBare && labels == []) && !(isShort && labels == ["_0"])
    }
  }

  /// Returns the schema of the values of an Input's form; nil for a form without any.
  private static func values(of form: JSONValue) -> JSONValue? {
    form["properties"]?.members.first { _ in true }?.value
  }

  private mutating func collectDefinitions(of schema: JSONValue) {
    guard let members = schema["$defs"]?.members else { return }
    for member in members where !definitions.contains(where: { $0.name == member.name }) {
      definitions.append((member.name, member.value))
    }
  }

  /// Declares what the last declarations refer to.
  private mutating func declareDefinitions(in part: String) {
    for (name, schema) in definitions {
      let type = type(of: schema, in: part, isMultiline: true)
      text += "export type \(reference(name, in: part)) = \(type);\n\n"
    }
    definitions = []
  }

  /// Returns the name of a definition's type: the definitions of Inputs are other types than those of State.
  private func reference(_ name: String, in part: String) -> String {
    // `PulseOptionalInt` for `Pulse_Optional_Int__`; a number tells types of one name apart.
    let words = name.split(separator: "_").map { $0.first?.isNumber == true ? "_\($0)" : $0 }
    let joined = words.joined()
    // A type that State refers to may be called `Input`.
    let isPlain = part == "State" && !Self.parts.contains { joined.hasPrefix($0) }
    return prefix + (isPlain ? "" : part) + joined
  }

  private mutating func type(
    of schema: JSONValue?,
    in part: String,
    isMultiline: Bool = false
  ) -> String {
    guard let schema else { return "unknown" }
    collectDefinitions(of: schema)
    if let path = schema["$ref"]?.string {
      return reference(String(path.split(separator: "/").last ?? ""), in: part)
    }
    if let value = schema["const"] { return Self.literal(value) }
    if let values = schema["enum"]?.elements { return union(values.map(Self.literal)) }
    if let choices = schema["anyOf"]?.elements {
      return union(choices.map { type(of: $0, in: part) })
    }
    switch schema["type"]?.string {
    case "object": return object(schema, in: part, isMultiline)
    case "array":
      let element = type(of: schema["items"], in: part)
      return "readonly \(element.contains(" ") ? "(\(element))" : element)[]"
    case "integer", "number": return "number"
    case "string", "boolean", "null": return schema["type"]?.string ?? ""
    default: return "unknown"
    }
  }

  private mutating func object(_ schema: JSONValue, in part: String, _ isMultiline: Bool) -> String
  {
    if let value = schema["additionalProperties"], value.bool != false {
      return "{ readonly [name: string]: \(type(of: value, in: part)) }"
    }
    let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
    let members = (schema["properties"]?.members.map(\.self) ?? []).map { member in
      let mark = required.contains(member.name) ? "" : "?"
      return "readonly \(Self.key(member.name))\(mark): \(type(of: member.value, in: part));"
    }
    guard !members.isEmpty else { return "Record<string, never>" }
    guard isMultiline else { return "{ \(members.joined(separator: " ").dropLast()) }" }
    return "{\n\(members.map { "  \($0)\n" }.joined())}"
  }

  /// Returns a member's name, in quotes unless it is an identifier.
  private static func key(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil ? name : JSONTree.string(name).text
  }

  private static func literal(_ value: JSONValue) -> String { JSONTree(value).text }

  private func union(_ types: [String]) -> String {
    var all: [String] = []
    for type in types where !all.contains(type) { all.append(type) }
    return all.isEmpty ? "never" : all.joined(separator: " | ")
  }
}
