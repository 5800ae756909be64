import FusionStrictJSON
import Testing

@testable import UIFusionTools

struct `A difference of JSON` {
  private func lines(_ before: String, _ after: String) throws -> [String] {
    func tree(_ text: String) throws -> JSONTree {
      JSONTree(try JSONDocument(Array(text.utf8)).root)
    }
    return JSONDifference(from: try tree(before), to: try tree(after)).lines
  }

  @Test func `names each member by its path`() throws {
    #expect(
      try lines(
        #"{"a":1,"b":{"c":[1,2]},"d":"x"}"#,
        #"{"a":2,"b":{"c":[1,3,4]},"e":null}"#
      ) == [
        "a: 1 → 2", "b.c[1]: 2 → 3", "b.c[2]: nothing → 4", #"d: "x" → nothing"#,
        "e: nothing → null",
      ]
    )
  }

  @Test func `has no path if the whole value differs`() throws {
    #expect(try lines("1", "2") == ["1 → 2"])
    #expect(try lines("[1]", "[1]").isEmpty)
  }
}
