import FusionHTTPMessages
package import FusionStrictJSON

/// The building blocks of an OpenAPI 3.1 document.
package enum OpenAPI {
  /// Returns a response with a body of one media type.
  package static func answer(
    _ description: String,
    _ schema: JSONTree,
    type: String = "application/json",
    headers: [String] = []
  ) -> JSONTree {
    answer(description, [(type, schema)], headers: headers)
  }

  /// Returns a response with a body of one of several media types.
  package static func answer(
    _ description: String,
    _ contents: [(type: String, schema: JSONTree)],
    headers: [String] = []
  ) -> JSONTree {
    empty(description, headers: headers).adding([
      "content": .object(contents.map { .init($0.type, ["schema": $0.schema]) })
    ])
  }

  /// Returns a response without a body.
  package static func empty(_ description: String, headers: [String] = []) -> JSONTree {
    let references = (headers + [RequestID.header]).map { name in
      JSONTree.Member(name, ["$ref": .string("#/components/headers/\(name)")])
    }
    return ["description": .string(description), "headers": .object(references)]
  }

  /// Returns the schema of an object with required members and others that are optional.
  package static func object(_ properties: JSONTree, optional: JSONTree = [:]) -> JSONTree {
    [
      "type": "object", "properties": properties.adding(optional),
      "required": .array(properties.members.map { .string($0.name) }),
    ]
  }

  /// Returns a reference to a schema among the components.
  package static func schema(_ name: String) -> JSONTree {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  /// Returns a reference to a parameter among the components.
  static func parameter(_ name: String) -> JSONTree {
    ["$ref": .string("#/components/parameters/\(name)")]
  }

  /// Returns a reference to the component response of a problem with this status.
  package static func problem(_ status: String) -> JSONTree {
    ["$ref": .string("#/components/responses/\(status)")]
  }
}
