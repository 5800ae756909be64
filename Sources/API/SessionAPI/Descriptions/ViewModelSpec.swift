import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
package import FusionSessions
package import FusionStrictJSON
import FusionTypeShapes
import Synchronization
package import UIFusionKit

/// The description of a view model: by its types, and by its plan if it has one.
struct ViewModelSpec: Sendable {
  let name: String
  let summary: String
  let parameters: TypeShape
  let input: TypeShape
  let state: TypeShape
  /// The State that a new session begins with, as clients get it; nil if the view model has required
  /// parameters.
  let firstState: JSONTree?
  let situations: [Situation]

  /// A planned Input, in JSON.
  struct Situation: Sendable {
    let input: String
    /// The Input as JSON.
    let example: JSONTree
    let sentence: String
    let before: [JSONTree]
    /// The delay after the preceding Inputs, in seconds; nil if this Input is sent once nothing is running.
    let delay: Double?
    let actions: [Action]

    struct Action: Sendable {
      let name: String
      let changes: [(member: String, sentence: String)]
    }
  }

  init(_ viewModel: HostedViewModel, _ dependencies: Dependencies) {
    name = viewModel.name
    summary = viewModel.summary
    let first = viewModel.firstState(dependencies)
    firstState = first.flatMap { JSONTree(text: $0.bytes) }
    guard let types = viewModel.types else {
      (parameters, input, state) = (.unknown, .unknown, .unknown)
      situations = []
      return
    }
    parameters = TypeShape(of: types.parameters)
    let model = types.model
    let (input, state) = shapes(of: model)
    self.input = input
    // A shape that does not fit the first State is wrong, and is not shown.
    let stored = first.flatMap { JSONTree(text: $0.stored) }
    self.state = stored.map(state.fits) ?? true ? state : .unknown
    situations = (model as? any Planned.Type).map { plan(of: $0) } ?? []
  }

  /// Returns the situations in which an Input is sent.
  func situations(of input: String) -> [Situation] {
    situations.filter { $0.input == input }
  }
}

extension JSONTree {
  fileprivate init?(text: [UInt8]) {
    guard let document = try? JSONDocument(text) else { return nil }
    self.init(document.root)
  }
}

private func shapes<Model: ViewModel>(of model: Model.Type) -> (input: TypeShape, state: TypeShape)
{
  (TypeShape(of: Model.Input.self), TypeShape(of: Model.State.self))
}

private func plan<Model: Planned>(of model: Model.Type) -> [ViewModelSpec.Situation] {
  model.plan.map { planned in
    let example = json(planned.example)
    return ViewModelSpec.Situation(
      input: example.namedCase?.name ?? caseName(of: planned.example),
      example: example,
      sentence: planned.sentence,
      before: planned.before.map(json),
      delay: planned.delay.map { $0 / .seconds(1) },
      actions: planned.actions.map { action in
        ViewModelSpec.Situation.Action(
          name: action.name,
          changes: action.changes.map { ($0.key, $0.value) }
        )
      }
    )
  }
}

/// Returns an Input in the form that clients write; only its name if it is not Encodable.
private func json(_ input: some Any) -> JSONTree {
  (input as? any Encodable).flatMap { try? JSONTree(encoding: $0) }
    ?? .string(caseName(of: input))
}

/// The specs of the hosted view models, each created on first request.
final class ViewModelSpecs: Sendable {
  private let dependencies: Dependencies
  private let basePath: BasePath
  /// Whether requests may identify their sender.
  private let hasSenders: Bool
  private let specs = Mutex<[String: ViewModelSpec]>([:])
  /// The OpenAPI document, with and without indentation.
  private let documents = Mutex<[Bool: SharedBytes]>([:])

  init(_ dependencies: Dependencies, below basePath: BasePath, hasSenders: Bool) {
    self.dependencies = dependencies
    self.hasSenders = hasSenders
    self.basePath = basePath
  }

  subscript(viewModel: HostedViewModel) -> ViewModelSpec {
    if let spec = specs.withLock({ $0[viewModel.name] }) { return spec }
    // Outside the lock, since a view model's own code runs; at worst the spec is created twice.
    let spec = ViewModelSpec(viewModel, dependencies)
    specs.withLock { $0[viewModel.name] = spec }
    return spec
  }

  /// Returns the OpenAPI document of all view models; `router` contains the routes to describe.
  func document(
    of viewModels: [HostedViewModel],
    _ router: Router<some RoutingContext>,
    isIndented: Bool
  ) -> SharedBytes {
    if let document = documents.withLock({ $0[isIndented] }) { return document }
    let description = APIDescription(
      specs: viewModels.map { self[$0] },
      basePath: basePath,
      paths: router.paths,
      ownSchemas: router.schemas,
      hasSenders: hasSenders
    )
    let tree = description.document
    let made = SharedBytes(isIndented ? Array(tree.indented().utf8) : tree.bytes)
    documents.withLock { $0[isIndented] = made }
    return made
  }
}

extension JSONTree {
  /// Returns the text with one line for each member and element.
  fileprivate func indented(_ margin: String = "\n") -> String {
    let inner = margin + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.indented(inner) }
      return "[\(lines.joined(separator: ","))\(margin)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        "\(inner)\(JSONTree.string($0.name).text): \($0.value.indented(inner))"
      }
      return "{\(lines.joined(separator: ","))\(margin)}"
    default: return text
    }
  }
}

extension ViewModelSpec {
  /// The spec for programs.
  var json: JSONTree {
    [
      "name": .string(name),
      "summary": .string(summary),
      "digest": .string(digest),
      "parameters": SchemaWriter.schema(parameters, .read),
      "inputs": .array(input.inputs.map(json)),
      "state": .object(
        [.init("schema", SchemaWriter.schema(state, .written))]
          + (firstState.map { [.init("first", $0)] } ?? [])
      ),
    ]
  }

  /// The digest of the types that clients send and get: a client that was written for others is outdated.
  private var digest: String {
    let schemas: JSONTree = [
      "parameters": SchemaWriter.schema(parameters, .read),
      "inputs": .array(input.inputs.map(\.schema)), "state": SchemaWriter.schema(state, .written),
    ]
    return KeyedDigest.hash(schemas.bytes).prefix(8).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    .joined()
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

extension HostedViewModel {
  /// Returns the description for programs, as `GET /view-models/{name}` answers with it.
  package func description(_ dependencies: Dependencies) -> JSONTree {
    ViewModelSpec(self, dependencies).json
  }
}
