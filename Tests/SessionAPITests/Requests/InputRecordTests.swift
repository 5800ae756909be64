import FusionExampleViewModels
import FusionHTTPMessages
import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model whose Inputs and Actions could reveal values by their names.
private struct Tricky: ViewModelProtocol {
  enum Input: Codable, Sendable { case set(Secretive), label(key: String, Int), plain }
  enum Action: Sendable, CustomReflectable {
    case set(String)
    var customMirror: Mirror { Mirror(self, children: ["hunter2": self], displayStyle: .enum) }
  }
  struct Secretive: Codable, Sendable, CustomStringConvertible {
    var text: String
    var description: String { text }
  }
  struct State: Codable, Equatable, Sendable { var text = "" }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .set(let value): [.set(value.text), .set(value.text)]
    case .label(let key, _): [.set(key)]
    case .plain: []
    }
  }

  mutating func perform(_ action: Action) {
    if case .set(let text) = action { state.text = text }
  }
}

private final class Lines: Sendable {
  private let lines = Mutex<[(session: SessionID, record: InputRecord)]>([])
  var all: [(session: SessionID, record: InputRecord)] { lines.withLock { $0 } }
  var records: [InputRecord] { all.map(\.record) }
  func add(_ session: SessionID, _ record: InputRecord) {
    lines.withLock { $0.append((session, record)) }
  }
}

struct `An Input's record` {
  private let lines = Lines()
  private let client: Client

  init() {
    client = Client(
      hosting: { catalog in
        catalog.host("login", summary: "Logs in") { LoginViewModel(time: $0.time) }
        catalog.host("tricky", summary: "Has secrets") { _ in Tricky() }
      },
      inputReport: { [lines] in lines.add($0, $1) }
    )
  }

  private func input(_ text: String, _ session: String, wait: Int? = nil) async throws {
    var headers: HTTPHeaders = ["X-Request-Id": "a-1"]
    if let wait { headers.append("Prefer", "wait=\(wait)") }
    _ = try client.begin(.post, session + "/inputs", text, headers: headers)
    await client.clock.idle()
  }

  @Test func `has the Input's name, its Actions, its version and its request`() async throws {
    let session = try await client.session("notes")
    try await input(#"{"add":"milk"}"#, session)
    let (id, record) = try #require(lines.all.first)
    #expect(lines.all.count == 1 && session.hasSuffix(id.description))
    #expect(record.input == "add" && record.actions == ["add"])
    #expect(record.version == 2 && record.isSettled && record.duration == .zero)
    #expect(record.origin?.request == "a-1")
  }

  @Test func `is made for each Input of a batch`() async throws {
    let session = try await client.session("notes")
    try await input(#"[{"add":"milk"},"clear",{"rename":{"from":"a","to":"b"}}]"#, session)
    #expect(lines.records.map(\.input) == ["add", "clear", "rename"])
    #expect(lines.records.map(\.version) == [2, 3, 3])
    #expect(lines.records.allSatisfy { $0.isSettled && $0.origin?.request == "a-1" })
  }

  @Test func `tells whether the Input is settled`() async throws {
    let session = try await client.session("login")
    try await input(#"[{"emailChanged":"a@example.org"},{"passwordChanged":"password"}]"#, session)
    try await input(#"["submit",{"emailChanged":"b@example.org"}]"#, session)
    await client.clock.advance(by: .seconds(1))
    #expect(
      lines.records.map(\.input) == ["emailChanged", "passwordChanged", "submit", "emailChanged"]
    )
    #expect(lines.records.map(\.isSettled) == [true, true, false, false])
    #expect(lines.records[2].actions == ["requestLogin"])
    try await input(#""dismiss""#, session)
    #expect(lines.records.last?.isSettled == true)
  }

  @Test func `of an asynchronous Input is made when its work has ended`() async throws {
    let session = try await client.session("slow")
    try await input("[2,3]", session)
    #expect(lines.all.isEmpty)
    await client.clock.advance(by: .seconds(2))
    #expect(lines.records.map(\.duration) == [.seconds(2)])
    await client.clock.advance(by: .seconds(3))
    #expect(lines.records.map(\.duration) == [.seconds(2), .seconds(3)])
    #expect(lines.records.map(\.input) == ["Int", "Int"])
    #expect(lines.records.map(\.actions) == [["Int"], ["Int"]])
    #expect(lines.records.map(\.version) == [3, 5])
    #expect(lines.records.map(\.isSettled) == [true, true])
  }

  @Test func `is not made for a refused Input`() async throws {
    let session = try await client.session("notes")
    _ = try await client.send(
      .post,
      session + "/inputs",
      #""clear""#,
      headers: ["If-Match": "\"7\""]
    )
    #expect(lines.all.isEmpty)
  }

  @Test func `names cases and types, and holds no value`() async throws {
    let session = try await client.session("tricky")
    let inputs = #"[{"set":{"text":"hunter2"}},{"label":{"key":"hunter2","_1":2}},"plain"]"#
    try await input(inputs, session)
    #expect(lines.records.map(\.input) == ["set", "label", "plain"])
    #expect(lines.records.map(\.actions) == [["Action", "Action"], ["Action"], []])
    #expect(!"\(lines.records)".contains("hunter2"))
  }
}
