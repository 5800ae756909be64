import FusionHTTPMessages
import FusionStrictJSON
import Testing

struct `The OpenAPI document` {
  private let client = Client()

  private func document() async throws -> JSONTree {
    let answer = try await client.send(.get, "/openapi.json")
    #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
    return JSONTree(try answer.json())
  }

  @Test func `has every path of the contract`() async throws {
    let paths = try await document()["paths"]?.members.map(\.name)
    #expect(
      paths == [
        "/view-models", "/view-models/{name}", "/problems", "/problems/{name}", "/openapi.json",
        "/sessions", "/sessions/{id}", "/sessions/{id}/inputs", "/sessions/{id}/shares",
        "/sessions/{id}/shares/{share}", "/sessions/{id}/events", "/events",
        "/healthz",
        "/readyz",
        "/metrics", "/connection", "/uifusion.js", "/uifusion.d.ts", "/",
      ]
    )
  }

  @Test func `has the components that it refers to, and no others`() async throws {
    let document = try await document()
    let references = references(in: document)
    #expect(references.count > 50)
    for reference in Set(references) {
      let steps = reference.split(separator: "/").map(String.init)
      #expect(steps.first == "#")
      let target = steps.dropFirst().reduce(JSONTree?.some(document)) { $0?[$1] }
      #expect(target != nil, "\(reference)")
    }
    for kind in ["schemas", "parameters", "headers", "responses"] {
      for component in document["components"]?[kind]?.members ?? [] {
        let name = "#/components/\(kind)/\(component.name)"
        #expect(references.contains(name), "nothing refers to \(name)")
      }
    }
  }

  @Test func `has a distinct id for each operation`() async throws {
    let operations = try await document()["paths"]?.members.flatMap(\.value.members) ?? []
    let ids = operations.compactMap { $0.value["operationId"] }
    #expect(ids.count == operations.count && Set(ids).count == ids.count)
  }

  @Test func `has the types of each view model`() async throws {
    let schemas = try await document()["components"]?["schemas"]
    #expect(
      schemas?["counter.State"]?["properties"]?["loadingState"]
        == ["enum": ["none", "increasing", "decreasing"]]
    )
    #expect(
      schemas?["counter.State"]?["properties"]?["activeAlert"] == [
        "anyOf": [["$ref": "#/components/schemas/counter.state.CounterAlert"], ["type": "null"]]
      ]
    )
    #expect(schemas?["notes.Input"]?.text.hasPrefix(#"{"anyOf":[{"const":"clear"},"#) == true)
  }

  @Test(arguments: [("text/html,*/*;q=0.8", true), ("application/json, text/html;q=0.5", false)])
  func `is indented for a browser`(accept: String, isIndented: Bool)
    async throws
  {
    let answer = try await client.send(.get, "/openapi.json", headers: ["Accept": accept])
    #expect(answer["Content-Type"] == "application/json" && answer["Vary"] == "Accept")
    let start =
      isIndented ? "{\n  \"openapi\": \"3.1.1\",\n  \"info\": {\n    " : "{\"openapi\":\"3.1.1\","
    #expect(answer.text.hasPrefix(start))
    #expect(JSONTree(try answer.json()) == (try await document()))
  }

  @Test func `is the same each time`() async throws {
    #expect(try await document() == Client().documentAgain())
  }

  private func references(in tree: JSONTree) -> [String] {
    switch tree {
    case .array(let elements): elements.flatMap(references)
    case .object(let members):
      members.flatMap { member in
        if member.name == "$ref", case .string(let text) = member.value { return [text] }
        return references(in: member.value)
      }
    default: []
    }
  }
}

extension Client {
  fileprivate func documentAgain() async throws -> JSONTree {
    JSONTree(try await send(.get, "/openapi.json").json())
  }
}
