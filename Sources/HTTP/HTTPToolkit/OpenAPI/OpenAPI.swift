import FusionHTTPMessages
import FusionStrictJSON

/// The contract as an OpenAPI 3.1 document, with the types of what is hosted.
struct OpenAPI {
  let specs: [ViewModelSpec]
  var basePath = BasePath.root

  var document: JSONTree {
    [
      "openapi": "3.1.1",
      "info": info,
      "servers": [["url": .string(basePath.isRoot ? "/" : basePath.text)]],
      "tags": tags,
      "paths": .object(
        RouteTable.all.routes.map { .init($0.pattern.openAPIPath, $0.pathItem) }
      ),
      "components": [
        "schemas": .object(schemas.map { JSONTree.Member($0.name, $0.schema) }),
        "parameters": Self.parameters,
        "headers": Self.headers,
        "responses": Self.responses,
      ],
    ]
  }

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
      ["name": "Service", "description": "Health, metrics, problems and the front end."],
    ]
  }
}

extension OpenAPI {
  static func content(_ type: String, _ schema: JSONTree) -> JSONTree {
    .object([.init(type, ["schema": schema])])
  }

  static func answer(
    _ description: String,
    _ schema: JSONTree,
    type: String = "application/json",
    headers: [String] = []
  ) -> JSONTree {
    answer(description, [(type, schema)], headers: headers)
  }

  /// One of several representations.
  static func answer(
    _ description: String,
    _ contents: [(type: String, schema: JSONTree)],
    headers: [String] = []
  ) -> JSONTree {
    empty(description, headers: headers).adding([
      "content": .object(contents.map { .init($0.type, ["schema": $0.schema]) })
    ])
  }

  static func empty(_ description: String, headers: [String] = []) -> JSONTree {
    ["description": .string(description), "headers": references(headers + [RequestID.header])]
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
