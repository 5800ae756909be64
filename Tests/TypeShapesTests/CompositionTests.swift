import FusionStrictJSON
import Testing
import UIFusionKit

@testable import FusionTypeShapes

private enum RowInput: Codable, Equatable, Sendable { case toggle, rename(String) }
private enum TableInput: Codable, Equatable, Sendable {
  case rows(id: Int, input: RowInput), search(RowInput), clear
}
private struct Row: Codable, Equatable, Identifiable, Sendable { var id = 0 }

struct `The JSON of composed view models` {
  @Test func `has a child's Input within its parent's, in the child's short form`() throws {
    let forms = TypeShape(of: TableInput.self).inputs
    let examples = forms.map { $0.examples.first }
    #expect(
      examples == [
        ["rows": ["id": 1, "input": "toggle"]], ["search": "toggle"], "clear",
      ]
    )
    let texts = [
      #"{"rows":{"id":7,"input":"toggle"}}"#: TableInput.rows(id: 7, input: .toggle),
      #"{"rows":{"id":7,"input":{"rename":"x"}}}"#: .rows(id: 7, input: .rename("x")),
      #"{"search":{"rename":"x"}}"#: .search(.rename("x")),
    ]
    for (text, input) in texts {
      #expect(try JSONDocument(Array(text.utf8)).root.decodeInput(TableInput.self) == input)
    }
  }

  @Test func `has an identified array as an array with unique ids`() throws {
    let list: IdentifiedArray = [Row(id: 1), Row(id: 2)]
    #expect(try JSONTree(encoding: list) == [["id": 1], ["id": 2]])
    let twice = Array(#"[{"id":1},{"id":1}]"#.utf8)
    #expect(throws: (any Error).self) {
      try StrictJSON.decode(IdentifiedArray<Row>.self, from: twice)
    }
    let type = TypeShape(of: IdentifiedArray<Row>.self)
    guard case .array = type.shape else {
      Issue.record("\(type.shape)")
      return
    }
  }

  @Test func `has a stack of children as items with ids`() throws {
    var stack = ChildStack<Row>()
    stack.push(Row(id: 5))
    let tree = try JSONTree(encoding: stack)
    #expect(tree == ["items": [["id": 1, "state": ["id": 5]]], "pushed": 1])
    #expect(try StrictJSON.decode(ChildStack<Row>.self, from: StrictJSON.encode(stack)) == stack)
  }
}
