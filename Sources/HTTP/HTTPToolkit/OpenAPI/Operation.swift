package import FusionStrictJSON

/// The description of one method of a resource, for OpenAPI.
package struct Operation: Sendable {
  package let id: String
  let tag: String
  let summary: String
  let description: String?
  /// The names of parameters among the components; names of path parameters end in `Path`.
  let parameters: [String]
  /// The parameters of `OPTIONS`.
  let optionsParameters: [String]
  /// The parameters that are not components, those of the path first.
  package var ownParameters: [JSONTree] = []
  /// The schemas that the description defines for its own references.
  package var schemas: [JSONTree.Member] = []
  /// The schema of the request's body, if it has one.
  let body: JSONTree?
  /// The media type of the request's body.
  let bodyType: String
  /// The schema of a line, if the body may also be of lines, `application/x-ndjson`.
  let bodyLines: JSONTree?
  let responses: [JSONTree.Member]

  /// Creates a description.
  ///
  /// `parameters` are names among the components; those that end in `Path` are parameters of `OPTIONS`, too,
  /// unless `optionsParameters` are given. `answers` are the responses by status, `problems` the statuses of
  /// all others.
  package init(
    id: String,
    tag: String,
    summary: String,
    description: String? = nil,
    parameters: [String] = [],
    optionsParameters: [String]? = nil,
    body: JSONTree? = nil,
    bodyType: String = "application/json",
    bodyLines: JSONTree? = nil,
    responses answers: KeyValuePairs<String, JSONTree>,
    problems: [Int] = []
  ) {
    self.id = id
    self.tag = tag
    self.summary = summary
    self.description = description
    self.parameters = parameters
    self.optionsParameters = optionsParameters ?? parameters.filter { $0.hasSuffix("Path") }
    self.body = body
    self.bodyType = bodyType
    self.bodyLines = bodyLines
    responses =
      answers.map { .init($0.key, $0.value) }
      + problems.map { .init("\($0)", OpenAPI.problem("\($0)")) }
  }

  /// Returns the operation with additional parameters that are not components.
  package func adding(_ parameters: [JSONTree]) -> Operation {
    var operation = self
    operation.ownParameters += parameters
    return operation
  }

  /// The operation object.
  package var json: JSONTree { json(id, summary, responses) }

  /// The operation object of `HEAD`, derived from this one of `GET`.
  package var head: JSONTree {
    json(
      "\(id)Head",
      "\(summary) (the headers only)",
      responses.map { response in
        .init(response.name, .object(response.value.members.filter { $0.name != "content" }))
      }
    )
  }

  /// The operation object of `OPTIONS`, derived from this one of the resource's first method.
  package var options: JSONTree {
    var options = Operation(
      id: "\(id)Options",
      tag: tag,
      summary: "Answers preflights, and names the methods in Allow",
      parameters: optionsParameters,
      responses: ["204": OpenAPI.empty("The methods that there are.", headers: ["Allow"])]
    )
    options.ownParameters = ownParameters.filter { $0["in"] == "path" }
    return options.json
  }

  private func json(
    _ id: String,
    _ summary: String,
    _ responses: [JSONTree.Member]
  ) -> JSONTree {
    var members: [JSONTree.Member] = [
      .init("operationId", .string(id)),
      .init("tags", [.string(tag)]),
      .init("summary", .string(summary)),
    ]
    if let description { members.append(.init("description", .string(description))) }
    let references = (parameters + ["RequestID"]).map(OpenAPI.parameter)
    members.append(.init("parameters", .array(ownParameters + references)))
    if let body {
      var content: [JSONTree.Member] = [.init(bodyType, ["schema": body])]
      if let bodyLines {
        let lines: JSONTree = [
          "type": "string", "contentMediaType": "application/json", "contentSchema": bodyLines,
        ]
        content.append(.init("application/x-ndjson", ["schema": lines]))
      }
      members.append(.init("requestBody", ["required": true, "content": .object(content)]))
    }
    // The problems of any request: its target, its Host, and its size.
    let common = ["400", "414", "421", "431"].filter { status in
      !responses.contains { $0.name == status }
    }
    let all = responses + common.map { .init($0, OpenAPI.problem($0)) }
    return .object(members + [.init("responses", .object(all))])
  }
}
