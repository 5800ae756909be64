import FusionHTTPMessages
import FusionStrictJSON

/// What OpenAPI says of one method of a resource.
struct Operation: Sendable {
  let id: String
  let tag: String
  let summary: String
  var description: String?
  /// References to parameters, or parameters.
  var parameters: [JSONTree] = []
  var body: JSONTree?
  var responses: KeyValuePairs<String, JSONTree>

  func json(head: Bool = false) -> JSONTree {
    var members: [JSONTree.Member] = [
      .init("operationId", .string(head ? "\(id)Head" : id)),
      .init("tags", [.string(tag)]),
      .init("summary", .string(head ? "\(summary) (the headers only)" : summary)),
    ]
    if let description { members.append(.init("description", .string(description))) }
    members.append(.init("parameters", .array(parameters + [OpenAPI.parameter("RequestID")])))
    if let body {
      members.append(
        .init(
          "requestBody",
          ["required": true, "content": OpenAPI.content("application/json", body)]
        )
      )
    }
    let answers = responses.map { JSONTree.Member($0.key, head ? withoutBody($0.value) : $0.value) }
    // Those that any request may get: for its target, its Host, and its size.
    let common = ["400", "414", "421", "431"].filter { status in
      !answers.contains { $0.name == status }
    }
    members.append(
      .init("responses", .object(answers + common.map { .init($0, OpenAPI.problem($0)) }))
    )
    return .object(members)
  }

  private func withoutBody(_ response: JSONTree) -> JSONTree {
    .object(response.members.filter { $0.name != "content" })
  }
}

extension Route {
  /// All methods of the resource, those that no one has to write down included.
  var pathItem: JSONTree {
    var members: [JSONTree.Member] = []
    for endpoint in endpoints {
      members.append(.init(endpoint.method.rawValue.lowercased(), endpoint.operation.json()))
      if endpoint.method == .get {
        members.append(.init("head", endpoint.operation.json(head: true)))
      }
    }
    if let options { members.append(.init("options", options.json())) }
    return .object(members)
  }

  private var options: Operation? {
    endpoints.first.map { endpoint in
      let any = endpoint.operation
      return Operation(
        id: "\(any.id)Options",
        tag: any.tag,
        summary: "Answers preflights, and names the methods in Allow",
        parameters: any.parameters.filter { $0["$ref"]?.text.hasSuffix("Path\"") == true }
          .map {
            $0 == OpenAPI.parameter("SessionPath") ? OpenAPI.parameter("AnySessionPath") : $0
          },
        responses: ["204": OpenAPI.empty("The methods that there are.", headers: ["Allow"])]
      )
    }
  }
}
