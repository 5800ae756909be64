import FusionHTTPToolkit
import FusionStrictJSON
import FusionTypeShapes

/// The description of a route in `/openapi.json`; a route without one is not shown there.
public struct RouteDescription: Sendable {
  private let summary: String
  private let details: String?
  private let parameters: [(name: String, type: any (Decodable & Sendable).Type)]
  let body: (any (Decodable & Sendable).Type)?
  private let response: (any (Decodable & Sendable).Type)?

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - summary: the route's purpose in a few words.
  ///   - details: more about it, as Markdown.
  ///   - parameters: the types of parameters in the path, which otherwise are strings, and in the query.
  ///   - body: the type that the body is decoded as; none where the route takes it ``RequestBody/streamed``.
  ///   - response: the type of the answer as JSON.
  public init(
    _ summary: String,
    details: String? = nil,
    parameters: KeyValuePairs<String, any (Decodable & Sendable).Type> = [:],
    body: (any (Decodable & Sendable).Type)? = nil,
    response: (any (Decodable & Sendable).Type)? = nil
  ) {
    self.summary = summary
    self.details = details
    self.parameters = parameters.map { (name: $0.key, type: $0.value) }
    self.body = body
    self.response = response
  }

  /// The types whose schemas the description has.
  var types: [any Decodable.Type] {
    parameters.map { $0.type } + [body, response].compactMap(\.self)
  }

  /// Returns the operation object's parts for a route, with an id that differs from the `others`.
  func operation(
    _ method: String,
    at pattern: PathPattern,
    taking requestBody: RequestBody,
    besides others: Set<String>
  ) -> Operation {
    let words = pattern.text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.reduce(method.lowercased()) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    // Another path may have the same words.
    var (id, number) = (name, 1)
    while others.contains(id) {
      number += 1
      id = "\(name)_\(number)"
    }
    var schemas = ComponentSchemas(below: id)
    let content = response.map { schemas.schema(of: $0, .written) }
    let isStreamed = requestBody.limit != nil
    var operation = Operation(
      id: id,
      tag: "Own routes",
      summary: summary,
      description: details,
      // Bytes have no schema (OpenAPI 3.1, Considerations for File Uploads).
      body: isStreamed ? [:] : body.map { schemas.schema(of: $0, .read) },
      bodyType: requestBody.contentType,
      responses: [
        "200": content.map { OpenAPI.answer("The answer.", $0) } ?? OpenAPI.empty("The answer.")
      ],
      problems: (pattern.parameters.isEmpty ? [] : [404])
        + (isStreamed ? [413] : body == nil ? [] : [413, 415, 422])
    )
    let inPath = pattern.parameters.map { name in
      let type = parameters.first { $0.name == name }?.type ?? String.self
      return parameter(name, in: "path", schemas.schema(of: type, .read))
    }
    let inQuery = parameters.filter { !pattern.parameters.contains($0.name) }.map {
      parameter($0.name, in: "query", schemas.schema(of: $0.type, .read))
    }
    operation.ownParameters = inPath + inQuery
    operation.schemas = schemas.definitions
    return operation
  }

  private func parameter(_ name: String, in place: String, _ schema: JSONTree) -> JSONTree {
    [
      "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
      "schema": schema,
    ]
  }
}

/// The schemas of one operation's types, with the definitions that they refer to as components.
private struct ComponentSchemas {
  private let id: String
  private var count = 0
  private(set) var definitions: [JSONTree.Member] = []

  init(below id: String) {
    self.id = id
  }

  mutating func schema(
    of type: any (Decodable & Sendable).Type,
    _ direction: SchemaWriter.Direction
  ) -> JSONTree {
    count += 1
    let group = "\(id).\(count)."
    var writer = SchemaWriter(
      TypeShape(of: type),
      direction,
      prefix: "#/components/schemas/\(group)"
    )
    let schema = writer.rootSchema()
    definitions += writer.definitions().map { .init(group + $0.name, $0.schema) }
    return schema
  }
}
