import FusionExampleViewModels
import FusionSessionAPI
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer

@testable import UIFusionTools

@Suite struct `The types in TypeScript` {
  private func types(
    state: String = "{}",
    parameters: String = "{}",
    inputs: String = "[]"
  ) throws -> String {
    let description = """
      {"name":"my-shop","parameters":\(parameters),"inputs":\(inputs),"state":{"schema":\(state)}}
      """
    return TypeScriptTypes(try JSONDocument(Array(description.utf8)).root).text
  }

  /// Returns the type that a schema of the State becomes.
  private func type(_ schema: String) throws -> String {
    let text = try types(state: #"{"type":"array","items":\#(schema)}"#)
    let line = try #require(text.split(separator: "\n").first)
    return String(line.dropFirst("export type MyShopState = readonly ".count).dropLast("[];".count))
  }

  @Test(arguments: [
    (#"{"type":"string","format":"date-time"}"#, "string"), (#"{"type":"boolean"}"#, "boolean"),
    (#"{"type":"integer","minimum":0,"maximum":255}"#, "number"), (#"{"type":"number"}"#, "number"),
    (#"{"type":"null"}"#, "null"), ("{}", "unknown"), (#"{"const":"idle"}"#, #""idle""#),
    (#"{"enum":["a",1]}"#, #"("a" | 1)"#),
    (#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "(number | null)"),
    (#"{"anyOf":[{"type":"integer"},{"type":"number"}]}"#, "number"),
    (#"{"type":"array","items":{"type":"array"}}"#, "(readonly (readonly unknown[])[])"),
    (
      #"{"type":"object","additionalProperties":{"type":"string"}}"#,
      "({ readonly [name: string]: string })"
    ),
    (#"{"type":"object","properties":{},"additionalProperties":false}"#, "(Record<string, never>)"),
    (
      #"{"type":"object","properties":{"a-b":{"type":"string"}}}"#,
      #"({ readonly "a-b"?: string })"#
    ),
    (##"{"$ref":"#/$defs/Pulse_Optional_Int__"}"##, "MyShopPulseOptionalInt"),
    (##"{"$ref":"#/$defs/Item_2"}"##, "MyShopItem_2"),
    (##"{"$ref":"#/$defs/Input"}"##, "MyShopStateInput"),
  ])
  func `are those of a schema`(schema: String, expected: String) throws {
    #expect(try type(schema) == expected)
  }

  @Test func `declare State, parameters and Inputs, each with what they refer to`() throws {
    let text = try types(
      state: ##"""
        {"type":"object","properties":{"item":{"$ref":"#/$defs/Item"}},"required":["item"],
        "$defs":{"Item":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}}
        """##,
      parameters: #"{"type":"object","properties":{"size":{"type":"integer"}}}"#,
      inputs: ##"""
        [{"name":"add","sentence":"Adds */ one.","schema":{"anyOf":[
        {"type":"object","properties":{"add":{"$ref":"#/$defs/Item"}},"required":["add"]},
        {"type":"object","properties":{"add":{"type":"object","properties":{"_0":{}}}},"required":["add"]}],
        "$defs":{"Item":{"type":"object","properties":{"id":{"type":"string"}}}}}},
        {"name":"clear","schema":{"anyOf":[{"const":"clear"},
        {"type":"object","properties":{"clear":{"type":"object","properties":{}}},"required":["clear"]}]}}]
        """##
    )
    #expect(
      text == """
        export type MyShopState = {
          readonly item: MyShopItem;
        };

        export type MyShopItem = {
          readonly id: string;
        };

        export type MyShopParameters = {
          readonly size?: number;
        };

        export type MyShopInput =
          /** Adds * / one. */
          | { readonly add: MyShopInputItem }
          | "clear";

        export type MyShopInputItem = {
          readonly id?: string;
        };


        """
    )
  }

  @Test(arguments: [
    ("shop", "Shop"), ("counter-two-ways", "CounterTwoWays"), ("guis-7", "Guis7"),
    ("7-guis", "_7Guis"), ("", "_"), ("한국-shop", "Shop"),
  ])
  func `have names that begin with the view model's`(name: String, prefix: String) {
    #expect(TypeScriptTypes.prefix(of: name) == prefix)
  }

  private func client<Model: ViewModel>(
    _ make: @escaping @Sendable (Dependencies) -> Model
  ) throws -> TypeScriptClient where Model.Input: Codable, Model.State: Codable {
    var catalog = ViewModelCatalog()
    catalog.host("counter", summary: "", make)
    let description = catalog.viewModels[0].description(Dependencies())
    return TypeScriptClient(try JSONDocument(description.bytes).root)
  }

  @Test func `are the same each time, and with others another digest`() throws {
    let make = { @Sendable (_: Dependencies) in CounterSyncViewModel() }
    let (first, second) = (try client(make), try client(make))
    #expect(first.declarations == second.declarations && first.module == second.module)
    let digest = try #require(first.module.firstMatch(of: /open\("counter", '([0-9a-f]{16})', at/))
    let other = try client { CounterReactor(time: $0.time) }
    #expect(!other.module.contains(digest.output.1))
  }

  @Test func `are those of the page's client, or stand beside a client of their own`() throws {
    let client = try client { _ in CounterSyncViewModel() }
    let member =
      "\"counter\": { state: CounterState; input: CounterInput; parameters: CounterParameters };"
    #expect(client.pageDeclarations.contains(member))
    #expect(!client.pageDeclarations.contains("Promise"))
    #expect(client.declarations.contains("\nexport declare function openCounter(\n"))
    #expect(!client.declarations.contains("declare module"))
  }
}
