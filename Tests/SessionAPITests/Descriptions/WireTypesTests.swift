import Foundation
import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model whose State holds each of the types with a special JSON form.
private struct Visits: ViewModelProtocol {
  enum Mood: Codable, Equatable, Sendable {
    case unknown
    case glad(String)
    case angry(since: Date, String?)
  }

  enum Room: String, Codable, Sendable { case hall, attic }

  enum Input: Codable, Sendable {
    case meet(Mood)
    case arrive(at: Date, stay: Duration)
    case enter([Room: Int])
  }

  struct State: Codable, Equatable, Sendable {
    var mood = Mood.unknown
    var earlier: [Mood] = []
    var arrival = Date(timeIntervalSince1970: 0)
    var stay = Duration.zero
    var rooms: [Room: Int] = [:]
    var badge = Data([1, 2])
  }

  typealias Action = Input
  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .meet(let mood):
      state.earlier.append(state.mood)
      state.mood = mood
    case .arrive(let date, let stay): (state.arrival, state.stay) = (date, stay)
    case .enter(let rooms): state.rooms = rooms
    }
  }

  static let first =
    #"{"mood":"unknown","earlier":[],"arrival":"1970-01-01T00:00:00.000Z","stay":0,"rooms":{},"#
    + #""badge":"AQI="}"#
}

/// ``Visits`` in an earlier program, which stored the types in their default coding.
private struct FormerVisits: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable {
    var mood = ["glad": ["_0": "hello"]]
    var earlier = [["unknown": [String: String]()]]
    var arrival = -978_307_199.5
    var stay: [Int64] = [0, 1_500_000_000_000_000_000]
    var rooms = "attic"
    var badge = [1, 2]

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(mood, forKey: .mood)
      try object.encode(earlier, forKey: .earlier)
      try object.encode(arrival, forKey: .arrival)
      try object.encode(stay, forKey: .stay)
      var alternating = object.nestedUnkeyedContainer(forKey: .rooms)
      try alternating.encode(rooms)
      try alternating.encode(3)
      try object.encode(badge, forKey: .badge)
    }
  }

  typealias Input = String
  typealias Action = String
  var state = State()
  func transform(_ input: String) -> [String] { [] }
  mutating func perform(_ action: String) {}
}

struct `Types with a special JSON form` {
  private func hosting<Model: ViewModel>(_ make: @escaping @Sendable () -> Model)
    -> [HostedViewModel]
  where Model.Input: Codable, Model.State: Codable {
    var catalog = ViewModelCatalog()
    catalog.host("visits", summary: "") { _ in make() }
    return catalog.viewModels
  }

  private func client(_ store: MemorySessionStore = MemorySessionStore()) -> Client {
    Client(store: store) { $0.host("visits", summary: "") { _ in Visits() } }
  }

  @Test func `are sent, shown and stored in one form`() async throws {
    let client = client()
    let path = try await client.session("visits")
    #expect(try await client.send(.get, path).text.contains(#""state":\#(Visits.first)"#))
    let inputs = [
      #"{"meet":{"glad":"hello"}}"#,
      #"{"meet":{"_0":{"angry":{"since":"2026-01-01T01:00:00+01:00"}}}}"#,
      #"{"arrive":{"at":"2026-01-01T00:00:00.5Z","stay":0.25}}"#,
      #"{"enter":{"attic":3,"hall":1}}"#,
    ]
    for input in inputs {
      #expect(try await client.send(.post, path + "/inputs", input).status == 200, "\(input)")
    }
    let expected =
      #""state":{"mood":{"angry":{"since":"2026-01-01T00:00:00.000Z","_1":null}},"#
      + #""earlier":["unknown",{"glad":"hello"}],"arrival":"2026-01-01T00:00:00.500Z","stay":0.25,"#
      + #""rooms":{"attic":3,"hall":1},"badge":"AQI="}"#
    #expect(try await client.send(.get, path).text.contains(expected))
    let next = try await client.restarted()
    #expect(try await next.send(.get, path).text.contains(expected))
    #expect(try await next.send(.get, path).text.contains(#""version":5"#))
  }

  @Test(arguments: [
    (#"{"arrive":{"at":721692800,"stay":1}}"#, "at"),
    (#"{"arrive":{"at":"today","stay":1}}"#, "at"),
    (#"{"enter":["attic",1]}"#, "enter"), (#"{"enter":{"cellar":1}}"#, "enter.cellar"),
    (#"{"meet":"happy"}"#, "meet"), (#"{"meet":{"angry":{}}}"#, "meet.angry.since"),
  ])
  func `are refused in any other form, with the faulty member`(input: String, member: String)
    async throws
  {
    let client = client()
    let path = try await client.session("visits")
    let answer = try await client.send(.post, path + "/inputs", input)
    #expect(answer.status == 422)
    #expect(try answer.member("member") == member)
  }

  /// Clients may not send the default coding, which is read from the store.
  @Test(arguments: [
    (#"{"from":"2026-01-01T00:00:00Z"}"#, nil), (#"{"from":721692800}"#, "from"),
    (#"{"from":"2026-01-01T00:00:00Z","rooms":["attic",1]}"#, "rooms"),
  ])
  func `are refused in any other form in parameters, too, with the faulty member`(
    parameters: String,
    member: String?
  )
    async throws
  {
    struct Stay: Decodable, Sendable {
      var from: Date
      var rooms: [Visits.Room: Int]?
    }
    let client = Client {
      $0.host("stay", summary: "", parameters: Stay.self) { _, _ in Visits() }
    }
    let body = #"{"viewModel":"stay","parameters":\#(parameters)}"#
    let answer = try await client.send(.post, "/sessions", body)
    #expect(answer.status == (member == nil ? 201 : 422))
    if let member { #expect(try answer.member("member") == member) }
  }

  @Test func `are read from the default coding that an earlier program stored`() async throws {
    let former = Client(store: MemorySessionStore()) {
      $0.host("visits", summary: "") { _ in FormerVisits() }
    }
    let path = try await former.session("visits")
    #expect(
      try await former.send(.get, path).text.contains(
        #""state":{"mood":{"glad":{"_0":"hello"}},"earlier":[{"unknown":{}}],"#
          + #""arrival":-978307199.5,"stay":[0,1500000000000000000],"rooms":["attic",3],"#
          + #""badge":[1,2]}"#
      )
    )
    let client = try await former.restarted(hosting: hosting { Visits() })
    let shown = try await client.send(.get, path).text
    #expect(
      shown.contains(
        #""version":2,"state":{"mood":{"glad":"hello"},"earlier":["unknown"],"#
          + #""arrival":"1970-01-01T00:00:00.500Z","stay":1.5,"rooms":{"attic":3},"badge":"AQI="}"#
      ),
      "\(shown)"
    )
  }

  @Test func `have the same form in schemas as on the wire`() async throws {
    let spec = JSONTree(try await client().send(.get, "/view-models/visits").json())
    let state = try #require(spec["state"]?["schema"])
    let members = try #require(state["properties"])
    #expect(members["arrival"]?.text == #"{"type":"string","format":"date-time"}"#)
    #expect(members["stay"]?.text == #"{"type":"number","description":"Seconds."}"#)
    #expect(members["badge"]?.text == #"{"type":"string","contentEncoding":"base64"}"#)
    #expect(members["rooms"]?["propertyNames"]?.text == #"{"enum":["hall","attic"]}"#)
    #expect(
      state["$defs"]?["Mood"]?.text.hasPrefix(
        #"{"anyOf":[{"const":"unknown"},{"type":"object","properties":{"glad":{"type":"string"}},"#
      ) == true
    )
    guard case .array(let inputs)? = spec["inputs"] else { throw NotFound() }
    let client = client()
    let path = try await client.session("visits")
    for input in inputs {
      guard case .array(let examples)? = input["examples"] else { throw NotFound() }
      #expect(!examples.isEmpty)
      for example in examples {
        let answer = try await client.send(.post, path + "/inputs", example.text)
        #expect(answer.status == 200, "\(example.text)")
      }
    }
  }

  private struct NotFound: Error {}
}
