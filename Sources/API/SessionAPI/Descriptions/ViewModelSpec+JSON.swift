import FusionStrictJSON
import FusionTypeShapes

extension ViewModelSpec {
  /// The spec for programs.
  var json: JSONTree {
    [
      "name": .string(name),
      "summary": .string(summary),
      "parameters": SchemaWriter.schema(parameters, .read),
      "inputs": .array(input.inputs.map(json)),
      "state": .object(
        [.init("schema", SchemaWriter.schema(state, .written))]
          + (firstState.map { [.init("first", $0)] } ?? [])
      ),
    ]
  }

  private func json(_ input: InputForms) -> JSONTree {
    let situations = situations(of: input.name)
    var members: [JSONTree.Member] = [.init("name", .string(input.name))]
    if let first = situations.first {
      members.append(.init("sentence", .string(first.sentence)))
      members.append(.init("actions", .array(actions(of: situations))))
    }
    members.append(.init("schema", input.schema))
    members.append(.init("examples", .array(examples(of: input))))
    if !situations.isEmpty {
      members.append(.init("situations", .array(situations.map(json))))
    }
    return .object(members)
  }

  /// Returns every form of an Input: with the values of its plan, or else with samples.
  func examples(of input: InputForms) -> [JSONTree] {
    let planned = situations(of: input.name).map(\.example)
    guard !planned.isEmpty else { return input.examples }
    var forms: [JSONTree] = []
    for form in planned.flatMap({ self.input.forms(of: $0) })
    where !forms.contains(form) { forms.append(form) }
    return forms
  }

  /// Returns the actions of all situations, each once, with all members that it changes.
  private func actions(of situations: [Situation]) -> [JSONTree] {
    var members: [(name: String, members: [String])] = []
    for action in situations.flatMap(\.actions) {
      let index = members.firstIndex { $0.name == action.name } ?? members.count
      if index == members.count { members.append((action.name, [])) }
      members[index].members += action.changes.map(\.member)
        .filter { !members[index].members.contains($0) }
    }
    return members.map { action in
      ["name": .string(action.name), "members": .array(action.members.map { .string($0) })]
    }
  }

  private func json(_ situation: Situation) -> JSONTree {
    [
      "sentence": .string(situation.sentence),
      "after": .array(situation.before.map(asPlanned)),
      "delay": situation.delay.map { .number(seconds($0)) } ?? .null,
      "send": shortest(situation.example),
      "actions": .array(
        situation.actions.map { action in
          [
            "name": .string(action.name),
            "changes": .object(action.changes.map { .init($0.member, .string($0.sentence)) }),
          ]
        }
      ),
    ]
  }

  /// Returns a number of seconds in the form that people and JSON use: 3, 0.5.
  func seconds(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the shortest form of an Input.
  func shortest(_ input: JSONTree) -> JSONTree {
    self.input.forms(of: input).first ?? input
  }

  /// Returns an Input with the plan's values, and secrets hidden: a stand-in could lead to another State than
  /// the plan's value.
  func asPlanned(_ input: JSONTree) -> JSONTree {
    self.input.forms(of: input, standingIn: false).first ?? input
  }
}
