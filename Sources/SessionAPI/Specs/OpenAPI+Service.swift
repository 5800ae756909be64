import StrictJSON

/// What is hosted, and the service itself.
extension OpenAPI {
  var viewModelPaths: [Path] {
    [
      ("/view-models", Self.resource(get: list)),
      ("/view-models/{name}", Self.resource(get: describe)),
      ("/openapi.json", Self.resource(get: Self.get("getOpenAPI", "This document", json))),
    ]
  }

  var servicePaths: [Path] {
    [
      ("/healthz", Self.resource(get: Self.get("getHealth", "Whether the process works", status))),
      ("/readyz", Self.resource(get: readiness)),
      ("/metrics", Self.resource(get: Self.get("getMetrics", "Figures for Prometheus", metrics))),
      ("/", Self.resource(get: Self.get("getFrontEnd", "The front end", page))),
    ]
  }

  private var list: Operation {
    Operation(
      id: "listViewModels",
      tag: "View models",
      summary: "What is hosted",
      responses: ["200": Self.answer("All of them.", Self.schema("ViewModelList"))]
    )
  }

  private var describe: Operation {
    let found = Self.answer("Its spec.", Self.schema("ViewModel"), headers: ["Vary"])
    let content = (found["content"] ?? [:]).adding(
      Self.content("text/markdown", ["type": "string"])
    )
    let answer = found.members.map { $0.name == "content" ? .init($0.name, content) : $0 }
    return Operation(
      id: "describeViewModel",
      tag: "View models",
      summary: "What a view model takes, does and shows",
      description: "As Markdown, on Accept: text/markdown, one page for all who work on it.",
      parameters: [Self.parameter("ViewModelPath")],
      responses: ["200": .object(answer), "404": Self.problem("404")]
    )
  }

  private var readiness: Operation {
    Operation(
      id: "getReadiness",
      tag: "Service",
      summary: "Whether the service takes new sessions",
      responses: [
        "200": status,
        "503": Self.answer("Starting, stopping, or out of reach of its store.", Self.statusSchema),
      ]
    )
  }

  private static func get(_ id: String, _ summary: String, _ answer: JSONTree) -> Operation {
    Operation(id: id, tag: "Service", summary: summary, responses: ["200": answer])
  }

  private var json: JSONTree { Self.answer("OpenAPI 3.1.", ["type": "object"]) }
  private var status: JSONTree { Self.answer("It does.", Self.statusSchema) }
  private var metrics: JSONTree {
    Self.answer("Prometheus's text format.", ["type": "string"], type: "text/plain")
  }
  private var page: JSONTree { Self.answer("A page.", ["type": "string"], type: "text/html") }

  private static let statusSchema = object(["status": ["type": "string"]])
}
