import FusionStrictJSON
import Testing

struct `A document` {
  @Test func `knows the kind and content of each value`() throws {
    let text = #" {"a":[1,"x",[2],{"y":0}],"b\n":true,"c":null,"d":{}} "#
    let root = try JSONDocument(Array(text.utf8)).root
    #expect(root.kind == .object && root.count == 4)
    #expect(root.members.map(\.name) == ["a", "b\n", "c", "d"])
    #expect(root.members.map(\.value.kind) == [.array, .bool, .null, .object])
    let array = try #require(root["a"])
    #expect(array.elements.map(\.kind) == [.number, .string, .array, .object])
    #expect(array.elements.map(\.string) == [nil, "x", nil, nil])
    #expect(root["b\n"]?.bool == true && root["e"] == nil && array["a"] == nil)
    #expect(Array(root.elements).isEmpty && Array(array.members).isEmpty)
    #expect(array.count == 4 && root["c"]?.count == 0)
  }

  @Test func `decodes a member as a type chosen later`() throws {
    let text = #"{"viewModel":"countdown","parameters":{"id":"a","count":"x"}}"#
    let root = try JSONDocument(Array(text.utf8)).root
    #expect(try root["viewModel"]?.decode(String.self) == "countdown")
    let parameters = try #require(root["parameters"])
    let error = failure { () throws(JSONError) in try parameters.decode(Item.self) }
    #expect(error?.member == "count" && error?.offset == 56)
    #expect(try parameters.decode([String: String].self) == ["id": "a", "count": "x"])
  }

  @Test func `decodes each Input of a batch`() throws {
    let text = #"["increase",{"setDuration":1},"nope","setDuration"]"#
    let inputs = Array(try JSONDocument(Array(text.utf8)).root.elements)
    #expect(try inputs[0].decodeInput(Sample.self) == .increase)
    #expect(try inputs[1].decodeInput(Sample.self) == .setDuration(1))
    let unknown = failure { () throws(JSONError) in try inputs[2].decodeInput(Sample.self) }
    #expect(unknown?.kind == .unknownCase && unknown?.offset == 30)
    let missing = failure { () throws(JSONError) in try inputs[3].decodeInput(Sample.self) }
    #expect(missing?.kind == .missingMember && missing?.member == "setDuration")
  }
}
