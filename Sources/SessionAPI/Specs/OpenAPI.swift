import HTTPMessages
import Sessions
import StrictJSON

/// The contract as an OpenAPI 3.1 document, with the types of what is hosted.
struct OpenAPI {
  let specs: [ViewModelSpec]

  var document: JSONTree {
    let paths =
      viewModelPaths + sessionPaths + streamPaths + servicePaths
    return [
      "openapi": "3.1.1",
      "info": info,
      "tags": tags,
      "paths": .object(paths.map { JSONTree.Member($0.path, $0.item) }),
      "components": [
        "schemas": .object(schemas.map { JSONTree.Member($0.name, $0.schema) }),
        "parameters": Self.parameters,
        "headers": Self.headers,
        "responses": Self.responses,
      ],
    ]
  }

  typealias Path = (path: String, item: JSONTree)

  private var info: JSONTree {
    [
      "title": "UIFusion",
      "version": "1",
      "description": """
      Hosts view models. Inputs are posted as JSON, State leaves as snapshots. Who holds a session's \
      id may use the session.
      """,
    ]
  }

  private var tags: JSONTree {
    [
      ["name": "View models", "description": "What is hosted."],
      ["name": "Sessions", "description": "View models at work, and the Inputs sent to them."],
      ["name": "Streams", "description": "State as it changes, as server-sent events."],
      ["name": "Service", "description": "Health, metrics and the front end."],
    ]
  }
}

/// One method of a resource.
struct Operation {
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
    if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
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

extension OpenAPI {
  /// A resource; `HEAD` works wherever `GET` does, and `OPTIONS` everywhere.
  static func resource(get: Operation? = nil, post: Operation? = nil, delete: Operation? = nil)
    -> JSONTree
  {
    var members: [JSONTree.Member] = []
    if let get {
      members.append(.init("get", get.json()))
      members.append(.init("head", get.json(head: true)))
    }
    if let post { members.append(.init("post", post.json())) }
    if let delete { members.append(.init("delete", delete.json())) }
    if let any = get ?? post {
      let options = Operation(
        id: "\(any.id)Options",
        tag: any.tag,
        summary: "Answers preflights, and names the methods in Allow",
        parameters: any.parameters.filter { $0["$ref"]?.text.hasSuffix("Path\"") == true }
          .map { $0 == parameter("SessionPath") ? parameter("AnySessionPath") : $0 },
        responses: ["204": ["description": "The methods that there are."]]
      )
      members.append(.init("options", options.json()))
    }
    return .object(members)
  }

  static func content(_ type: String, _ schema: JSONTree) -> JSONTree {
    .object([.init(type, ["schema": schema])])
  }

  static func answer(
    _ description: String,
    _ schema: JSONTree,
    type: String = "application/json",
    headers: [String] = []
  ) -> JSONTree {
    var answer: JSONTree = ["description": .string(description)]
    if !headers.isEmpty { answer = answer.adding(["headers": references(headers)]) }
    return answer.adding(["content": content(type, schema)])
  }

  static func empty(_ description: String, headers: [String] = []) -> JSONTree {
    let answer: JSONTree = ["description": .string(description)]
    return headers.isEmpty ? answer : answer.adding(["headers": references(headers)])
  }

  static func references(_ headers: [String]) -> JSONTree {
    .object(headers.map { .init($0, ["$ref": .string("#/components/headers/\($0)")]) })
  }

  static func schema(_ name: String) -> JSONTree {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static func parameter(_ name: String) -> JSONTree {
    ["$ref": .string("#/components/parameters/\(name)")]
  }

  /// The problem with which a status comes.
  static func problem(_ status: String) -> JSONTree {
    ["$ref": .string("#/components/responses/\(status)")]
  }
}

extension SessionAPI {
  func openAPI() -> HTTPResponse {
    HTTPResponse(
      200,
      headers: ["Content-Type": "application/json"],
      body: .shared(specs.document(of: host.viewModels))
    )
  }
}
