import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import FusionTypeShapes

extension APIDescription {
  typealias Schema = (name: String, schema: JSONTree)

  /// The schemas of the contract, and the schemas of each view model's parameters, Inputs and State.
  var schemas: [Schema] {
    Self.common + Self.eventSchemas + [
      ("Problem", problem),
      ("Input", union(of: specs.map { OpenAPI.schema($0.component("Input")) })),
      ("State", union(of: specs.map { OpenAPI.schema($0.component("State")) })),
      ("NewSession", union(of: specs.map { OpenAPI.schema($0.component("NewSession")) })),
    ] + specs.flatMap(schemas)
  }

  /// Returns a schema for any of the hosted view models.
  private func union(of schemas: [JSONTree]) -> JSONTree {
    schemas.isEmpty ? [:] : ["anyOf": .array(schemas)]
  }

  private func schemas(of spec: ViewModelSpec) -> [Schema] {
    var parameters = writer(of: spec.parameters, .read, in: spec.component("parameters"))
    var inputs = writer(of: spec.input, .read, in: spec.component("input"))
    var state = writer(of: spec.state, .written, in: spec.component("state"))
    var schemas: [Schema] = [
      (spec.component("NewSession"), newSession(spec)),
      (spec.component("Parameters"), parameters.rootSchema()),
      (spec.component("Input"), inputs.inputSchema()),
      (spec.component("State"), state.rootSchema()),
    ]
    for (group, definitions) in [
      ("parameters", parameters.definitions()), ("input", inputs.definitions()),
      ("state", state.definitions()),
    ] {
      schemas += definitions.map { ("\(spec.component(group)).\($0.name)", $0.schema) }
    }
    return schemas
  }

  private func writer(
    of type: TypeShape,
    _ direction: SchemaWriter.Direction,
    in group: String
  ) -> SchemaWriter {
    SchemaWriter(type, direction, prefix: "#/components/schemas/\(group).")
  }

  private func newSession(_ spec: ViewModelSpec) -> JSONTree {
    [
      "type": "object",
      "properties": [
        "viewModel": ["const": .string(spec.name)],
        "parameters": ["anyOf": [OpenAPI.schema(spec.component("Parameters")), ["type": "null"]]],
        "scope": [
          "enum": ["own", "identity", "shared", nil],
          "description": """
          shared: of everybody who may have sessions, not of the sender alone. identity: as own, but without an \
          identity the name is left out.
          """,
        ],
        "session": [
          "type": ["string", "null"],
          "description":
            "The session that a sender without an identity had, with the scope identity.",
        ],
        "name": [
          "type": ["string", "null"], "minLength": 1, "maxLength": .number("\(SessionName.limit)"),
          "description": "Up to \(SessionName.limit) bytes of UTF-8 without control characters.",
        ],
      ],
      "required": ["viewModel"], "additionalProperties": false,
    ]
  }

  /// The schemas that do not depend on the hosted view models.
  private static let common: [Schema] = [
    ("Version", ["type": "integer", "minimum": 1]),
    (
      "Snapshot",
      OpenAPI.object(["version": OpenAPI.schema("Version"), "state": OpenAPI.schema("State")])
    ),
    ("InputResult", result),
    ("StreamResult", streamResult),
    ("Session", session),
    ("ViewModelList", list),
    ("ViewModel", viewModel),
    ("Connection", connection),
  ]

  private var problem: JSONTree {
    let types = ProblemTable.ofService.kinds.map { JSONTree.string(basePath.text + $0.type) }
    return OpenAPI.object([
      "type": ["type": "string", "format": "uri-reference", "enum": .array(types)],
      "title": ["type": "string"],
      "status": ["type": "integer", "minimum": 400, "maximum": 599],
      "detail": ["type": "string", "description": "What to do next."],
      "requestId": ["type": "string", "description": "What the answer's X-Request-Id says."],
    ]).adding(["description": "RFC 9457", "additionalProperties": true])
  }

  private static let result: JSONTree = OpenAPI.object([
    "version": OpenAPI.schema("Version"), "state": OpenAPI.schema("State"),
    "settled": [
      "type": "boolean",
      "description":
        "Whether nothing that the Input started is left, messages and their replies included.",
    ],
  ])

  private static let streamResult: JSONTree = OpenAPI.object([
    "version": OpenAPI.schema("Version"),
    "applied": ["type": "integer", "minimum": 0, "description": "The number of lines."],
  ])

  private static let session: JSONTree = OpenAPI.object([
    "id": ["type": "string"], "viewModel": ["type": "string"],
    "version": OpenAPI.schema("Version"), "state": OpenAPI.schema("State"),
    "settled": ["type": "boolean"],
  ])

  private static let connection: JSONTree = OpenAPI.object([
    "protocol": ["type": "string", "enum": ["HTTP/1.0", "HTTP/1.1"]],
    "scheme": ["type": "string", "enum": ["http", "https"]],
    "host": ["type": ["string", "null"]],
    "basePath": ["type": "string"],
    "forwarded": ["type": "string", "enum": ["none", "believed", "ignored"]],
    "client": [
      "type": ["string", "null"], "description": "Its address, where that was forwarded.",
    ],
    "heartbeat": ["type": "number", "description": "In seconds, the silence of a stream."],
  ])

  private static let list: JSONTree = OpenAPI.object([
    "viewModels": [
      "type": "array",
      "items": OpenAPI.object(
        [
          "name": ["type": "string"], "summary": ["type": "string"],
          "href": ["type": "string", "format": "uri-reference"],
        ],
        optional: ["page": ["type": "string", "format": "uri-reference"]]
      ),
    ]
  ])

  private static let jsonSchema: JSONTree = [
    "type": ["object", "boolean"], "description": "A JSON Schema, draft 2020-12.",
  ]

  private static let viewModel: JSONTree = OpenAPI.object(
    [
      "name": ["type": "string"], "summary": ["type": "string"],
      "digest": [
        "type": "string", "description": "Changes with the types that clients send and get.",
      ],
      "parameters": jsonSchema,
      "inputs": [
        "type": "array",
        "items": OpenAPI.object(
          [
            "name": ["type": "string"], "schema": jsonSchema,
            "examples": [
              "type": "array", "description": "The same Input in every way to write it.",
            ],
          ],
          optional: [
            "sentence": ["type": "string"],
            "actions": ["type": "array", "items": ["type": "object"]],
            "situations": ["type": "array", "items": ["type": "object"]],
          ]
        ),
      ],
      "state": OpenAPI.object(
        ["schema": jsonSchema],
        optional: ["first": ["description": "The first State."]]
      ),
    ],
    optional: [
      "denied": OpenAPI.object(
        ["inputs": denied],
        optional: [
          "read": sentence, "end": sentence, "share": sentence, "fork": sentence,
          "inspect": sentence,
        ]
      ).adding([
        "description": "What the view model's rule denies to the sender, where it has one."
      ])
    ]
  )

  private static let sentence: JSONTree = ["type": "string"]
  private static let denied: JSONTree = [
    "type": "object", "additionalProperties": sentence,
    "description": "By the names of Inputs, as the rule answers for the first example of each.",
  ]
}

extension ViewModelSpec {
  /// Returns a component's name, in which fewer characters are allowed than in a view model's.
  func component(_ kind: String) -> String {
    String(name.map { $0 == "~" ? "_" : $0 }) + ".\(kind)"
  }
}
