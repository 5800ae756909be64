import FusionRawHTTP
import FusionStrictJSON
import Testing

extension `The tools` {
  /// Inputs for each hosted example, some of which start effects, alarms or messages.
  ///
  /// An Input with `@ID` gets the id of the view model's own session.
  private static let examples: [String: [String]] = [
    "auto-refresh": [#""start""#, #""refresh""#, #""stop""#],
    "auction": [
      #"{"offer":{"lot":"Lamp"}}"#, #"{"bid":{"amount":5,"name":"Ada"}}"#, #"{"bid":{"amount":9}}"#,
    ],
    "auction-desk": [#"{"call":"Ada"}"#, #"{"call":"Bob"}"#],
    "board": [
      #"{"add":{"text":"a","to":"Doing"}}"#, #"{"move":{"card":1,"to":"Done"}}"#,
      #"{"rename":"b"}"#, #"{"restore":{"_0":{"id":7,"text":"c"},"to":"To do","at":0}}"#,
      #"{"remove":{"card":1}}"#,
    ],
    "board-seat": [
      #"{"open":"@none"}"#, #"{"open":"@ID"}"#, #"{"add":{"text":"a","to":"Done"}}"#,
      #"{"search":"a"}"#, #""undo""#,
    ],
    "calculator": [
      #"{"digit":7}"#, #"{"operation":"divide"}"#, #"{"digit":3}"#, #""equals""#,
      #"{"operation":"divide"}"#, #"{"digit":0}"#, #""equals""#, #""dismissAlert""#,
    ],
    "chat": [#"{"connect":{"name":"Ada"}}"#, #"{"send":"hello"}"#, #""disconnect""#],
    "countdown": [#"{"setDuration":5}"#, #""start""#, #""pause""#, #""reset""#],
    "counter": [#""increase""#, #""decrease""#, #""reset""#],
    "counter-reactor": [
      #""increment""#, #""incrementSlowly""#, #""reset""#, #""incrementSlowly""#, #""decrement""#,
    ],
    "counter-reducer": [#""increment""#, #""fetch""#, #""cancelFetch""#, #""decrement""#],
    "counter-sync": [#""increase""#, #""decrease""#, #""reset""#],
    "fan-out": [#""buttonTap""#, #""buttonTap""#],
    "gallery": [#""ask""#, #"{"setLevel":70}"#, #"{"move":{"id":1,"to":2}}"#, #""press""#],
    "guis-cells": [
      #"{"write":{"column":"A","row":0,"entry":"2"}}"#,
      #"{"write":{"column":"B","row":1,"entry":"=SUM(A0:A9)*3"}}"#,
      #"{"write":{"column":"A","row":1,"entry":"=B1"}}"#,
      #"{"write":{"column":"A","row":1,"entry":"1.5"}}"#, #"{"move":{"columns":1,"rows":1}}"#,
    ],
    "guis-circles": [
      #"{"press":{"x":10,"y":10}}"#, #"{"openMenu":{"id":1}}"#, #""adjust""#,
      #"{"setDiameter":80}"#, #""close""#, #""undo""#, #""redo""#,
    ],
    "guis-counter": [#""click""#, #""click""#],
    "guis-crud": [
      #"{"create":{"name":"Alan","surname":"Turing"}}"#, #"{"setPrefix":"T"}"#,
      #"{"select":{"id":"1"}}"#,
    ],
    "guis-flight": [#"{"setKind":"roundTrip"}"#, #"{"setReturning":"02.04.2027"}"#, #""book""#],
    "guis-temperature": [#"{"celsius":"12"}"#, #"{"fahrenheit":"0"}"#],
    "guis-timer": [#"{"setDuration":3}"#, #""reset""#],
    "login": [
      #"{"emailChanged":"a@b"}"#, #"{"passwordChanged":"x"}"#, #""submit""#, #""dismiss""#,
    ],
    "multi-timer": [#"{"start":"B"}"#, #""startAll""#, #"{"stop":"A"}"#, #""stopAll""#],
    "reminders": [
      #"{"tomorrow":{"text":"a"}}"#, #"{"soon":{"text":"b"}}"#, #"{"pass":{"id":1,"to":"none"}}"#,
      #"{"dismiss":{"id":2}}"#, #"{"soon":{"text":"c"}}"#,
    ],
    "search": [#"{"queryChanged":"a"}"#, #"{"queryChanged":"ab"}"#, #""clear""#],
    "shop": [
      #"{"search":"t"}"#, #"{"add":{"productID":"tea"}}"#,
      #"{"setQuantity":{"productID":"tea","quantity":3}}"#, #""checkOut""#, #""dismiss""#,
    ],
    "tally": [#""increase""#, #""decrease""#, #""decrease""#],
    "todos": [
      #"{"add":{"title":"a"}}"#, #"{"add":{"title":"b"}}"#, #"{"setAll":{"isDone":true}}"#,
      #""clearCompleted""#, #"{"setFilter":"active"}"#,
    ],
  ]

  @Test func `find the same States in a replay of every hosted example`() throws {
    defer { remove() }
    let service = try serve("--history-days", "1")
    let client = try service.connect()
    client.request("GET /view-models")
    let listed = try JSONDocument(try #require(try client.response()).body).root["viewModels"]
    let names = try #require(listed).elements.compactMap { $0["name"]?.string }
    #expect(Set(names) == Set(Self.examples.keys))
    for name in names {
      let session = try service.session(name)
      for input in Self.examples[name] ?? [] {
        let body = input.replacing("@ID", with: id(of: session))
        client.request(
          "POST \(session)/inputs",
          "Content-Type: application/json\r\nPrefer: wait=60\r\n",
          body: body
        )
        let answer = try #require(try client.response())
        #expect(answer.status == 200, "\(name) \(input): \(answer.text)")
      }
    }
    _ = try service.stop()
    let check = try tool("deploy check")
    #expect(check.status == 0, "\(check.output)")
    for name in names { #expect(check.output.contains(name)) }
  }
}
