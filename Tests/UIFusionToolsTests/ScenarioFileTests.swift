import FusionCommandLine
import FusionStrictJSON
import Testing

@testable import UIFusionTools

struct `A scenario's file` {
  @Test func `has a step on each line, beside comments`() throws {
    let file = try read(
      """
      # a comment

      {"create": "shop", "name": "desk", "parameters": {"a": 1}, "as": "ada"}
        // another
      {"send": {"add": {"productID": "tea"}}, "as": "bob", "comment": "his tea"}
      {"send": ["a", "b"], "refused": "not-permitted"}
      {"expect": {"cart": []}, "within": 2.5}
      {"state": 1}
      {"pulse": "a.b", "is": null}
      {"settled": true}
      {"reconnect": true}
      {"restart": true, "within": 60}
      {"advance": 90}\r
      """
    )
    #expect(
      file.steps.map(\.title) == [
        "create shop named desk as ada", "send add as bob",
        "send [a, b], refused as not-permitted", #"expect {"cart":[]}"#, "state 1",
        "pulse a.b null", "settled", "reconnect", "restart", "advance 90.0 s",
      ]
    )
    #expect(file.steps.map(\.line) == [3, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    #expect(file.steps[3].limit == .seconds(2.5))
    #expect(file.people == ["ada", "bob"])
  }

  @Test(arguments: [
    ("", "the scenario has no steps"),
    (#"{"send": "a"}"#, "line 1 must create the session"),
    (#"{"create": "a"}\#n{"create": "b"}"#, "line 2, column 2: create is the first step"),
    (#"{"create": "a"}\#n\#n{"sned": "b"}"#, "line 3 is no step: did you mean send?"),
    (#"{"create": "a"}\#n{}"#, "line 2 is no step: it has one of create, send"),
    (#"{"create": "a"}\#n{"send": "b", "witin": 1}"#, "line 2, column 15: witin is not known"),
    (#"{"create": "a"}\#n{"expect": 1, "witin": 1}"#, "did you mean within?"),
    (#"{"create": "a"}\#n{"send": "é", "as": 1}"#, "line 2, column 15: as must be a name"),
    (#"{"create": 1}"#, "line 1, column 2: create must be the name of a view model"),
    (#"{"create": "a"}\#n{"send": 1,}"#, "line 2, column 12: "),
    (#"{"create": "a"}\#n"send""#, "line 2 must be a JSON object"),
    (#"{"create": "a"}\#n{"settled": false}"#, "line 2, column 2: settled must be true"),
    (#"{"create": "a"}\#n{"advance": -1}"#, "advance must be a number of seconds"),
    (#"{"create": "a"}\#n{"advance": 1e300}"#, "advance must be a number of seconds"),
    (
      #"{"viewModel": "a", "version": 2, "trace": [], "state": 1}"#,
      "line 1: begins at version 2"
    ),
    (
      #"{"viewModel": "a", "version": 1, "trace": [{"followed": "b", "action": 1}], "state": 1}"#,
      "line 1: no client can send what a followed session has led to"
    ),
  ])
  func `names the line that is wrong, and the column`(_ text: String, _ message: String) {
    let error = #expect(throws: UsageError.self) { try read(text) }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test func `may be a recording, whose senders are people`() throws {
    let file = try read(
      """
      {"viewModel": "a", "identity": "ada", "version": 1, "trace": [{"input": "a"}], "state": 0}
      {"version": 2, "trace": [{"action": "a"}, {"input": "b", "sender": "bob"}], "state": 1}
      {"version": 3, "trace": [{"input": "c"}, {"action": "c"}, {"input": "d"}], "state": 2}
      {"version": 4, "trace": [{"input": "e"}, {"input": "f"}], "state": 3}
      {"version": 4, "trace": [{"input": "g"}]}
      """
    )
    // A turn has one Input: one behind an action came after the State.
    #expect(
      file.steps.map(\.title) == [
        "create a as ada", "state 0", "send a", "state 1", "send b as bob", "send c", "state 2",
        "send d", "send e", "send f", "state 3", "send g",
      ]
    )
  }

  @Test(arguments: [
    (#"{"b":{"c":2}}"#, #"{"a":1,"b":{"c":2,"d":3}}"#, []),
    (#"{"b":{"c":2}}"#, #"{"b":{"c":4}}"#, ["b.c: 2 → 4"]),
    (#"{"b":1}"#, #"{"a":1}"#, ["b: 1 → nothing"]),
    (#"[{"a":1}]"#, #"[{"a":1,"b":2}]"#, []),
    (#"[{"a":1}]"#, #"[{"a":1},{"a":2}]"#, [#"[1]: nothing → {"a":2}"#]),
    ("[]", "[]", []), ("{}", "7", ["{} → 7"]), ("null", "null", []),
    ("[1.0, -25e-1, 10E1]", "[1,-2.5,100]", []), ("1.5", "1.25", ["1.5 → 1.25"]),
    ("9007199254740993", "9007199254740992", ["9007199254740993 → 9007199254740992"]),
  ])
  func `expects a part of State: some members, and whole lists`(
    _ part: String,
    _ state: String,
    _ differences: [String]
  ) throws {
    let pattern = StatePattern.part(try tree(part))
    #expect(pattern.differences(to: try tree(state)) == differences)
  }

  @Test func `expects a whole State, or a recorded one without its private members`() throws {
    let (small, large) = (try tree(#"{"a":1}"#), try tree(#"{"a":1,"b":2}"#))
    #expect(StatePattern.whole(small).differences(to: large) == ["b: nothing → 2"])
    #expect(StatePattern.whole(large).differences(to: small) == ["b: 2 → nothing"])
    let recorded = StatePattern.recorded(large)
    #expect(recorded.withoutTop { $0 == "a" }.differences(to: small).isEmpty)
    #expect(recorded.withoutTop { _ in true }.differences(to: small) == ["b: 2 → nothing"])
    for text in ["7", #""on""#, #"[{"a":1}]"#, "null"] {
      let state = try tree(text)
      #expect(StatePattern.recorded(state).differences(to: state).isEmpty, "\(text)")
      #expect(!StatePattern.recorded(state).differences(to: "other").isEmpty, "\(text)")
    }
    let nested = StatePattern.recorded(try tree(#"{"rows":[{"a":1,"hidden":2}]}"#))
    #expect(nested.differences(to: try tree(#"{"rows":[{"a":1}]}"#)).isEmpty)
    #expect(StatePattern.recorded(small).differences(to: large) == ["b: nothing → 2"])
  }

  private func read(_ text: String) throws -> ScenarioFile { try ScenarioFile(Array(text.utf8)) }

  private func tree(_ text: String) throws -> JSONTree { try JSONTree(parsing: Array(text.utf8)) }
}
