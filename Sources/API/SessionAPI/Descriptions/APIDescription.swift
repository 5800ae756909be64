import FusionHTTPToolkit
import FusionStrictJSON

/// The description of the whole API as an OpenAPI 3.1 document, including the types of the hosted view
/// models.
struct APIDescription {
  let specs: [ViewModelSpec]
  let basePath: BasePath
  /// The paths object.
  let paths: JSONTree
  /// The schemas to which only the program's own routes refer.
  let ownSchemas: [JSONTree.Member]
  /// Whether requests may identify their sender.
  let hasSenders: Bool

  var document: JSONTree {
    guard hasSenders else { return withoutSenders }
    let components = withoutSenders["components"]?.adding(["securitySchemes": Self.securitySchemes])
    let members = withoutSenders.members.map { member in
      member.name == "components" ? .init(member.name, components ?? member.value) : member
    }
    // Each one alone is sufficient, and open resources need none.
    return .object(members + [.init("security", [["token": []], ["login": []], [:]])])
  }

  private static let securitySchemes: JSONTree = [
    "token": [
      "type": "http", "scheme": "bearer",
      "description": "A token of the service, or a JSON Web Token.",
    ],
    "login": [
      "type": "apiKey", "in": "cookie", "name": "uifusion-login",
      "description": "A signed cookie; over TLS its name begins with __Host-.",
    ],
  ]

  private var withoutSenders: JSONTree {
    [
      "openapi": "3.1.1",
      "info": info,
      "servers": [["url": .string(basePath.isRoot ? "/" : basePath.text)]],
      "tags": tags,
      "paths": paths,
      "components": [
        "schemas": .object(schemas.map { JSONTree.Member($0.name, $0.schema) } + ownSchemas),
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
