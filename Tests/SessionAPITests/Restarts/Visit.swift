import FusionExampleViewModels
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A session of an example, and its current process.
struct Visit {
  private(set) var client: Client
  let path: String

  /// Creates a session in a process that hosts the examples on a new store.
  init(_ viewModel: String, parameters: String = "{}") async throws {
    client = Client(store: MemorySessionStore()) { $0.hostExamples() }
    let body = #"{"viewModel":"\#(viewModel)","parameters":\#(parameters)}"#
    path = try #require(try await client.send(.post, "/sessions", body)["Location"])
  }

  /// Sends Inputs in JSON, each once the process is idle.
  func send(_ inputs: String...) async throws {
    for input in inputs {
      #expect(try await client.send(.post, path + "/inputs", input).status == 200, "\(input)")
      await client.clock.idle()
    }
  }

  func advance(by milliseconds: Int) async {
    await client.clock.advance(by: .milliseconds(milliseconds))
  }

  /// The State that clients see.
  func state() async throws -> String {
    JSONTree(try #require(try await snapshot()["state"])).text
  }

  func version() async throws -> Int {
    try #require(try await snapshot()["version"]).decode(Int.self)
  }

  func isSettled() async throws -> Bool {
    try #require(try await snapshot()["settled"]).decode(Bool.self)
  }

  private func snapshot() async throws -> JSONValue {
    try await client.send(.get, path).json()
  }

  /// Kills the process, starts another ten minutes later, and wakes the session there.
  mutating func restart() async throws {
    client = try await client.restarted(after: .seconds(600))
    #expect(client.host.directory.awake == 0)
    #expect(try await client.send(.get, path).status == 200)
    await client.clock.idle()
  }
}

extension ViewModelCatalog {
  /// Hosts the examples.
  mutating func hostExamples() {
    host("counter-reducer", summary: "") {
      CounterReducerViewModel(time: $0.time, random: $0.random)
    }
    host("counter-reactor", summary: "") { CounterReactor(time: $0.time) }
    host("fan-out", summary: "") { _ in FanOutViewModel() }
    host("calculator", summary: "") { _ in CalculatorViewModel() }
    host("search", summary: "") { SearchViewModel(time: $0.time) }
    host("countdown", summary: "", parameters: CountdownViewModel.Parameters.self) { given, _ in
      CountdownViewModel(given)
    }
    host("auto-refresh", summary: "") { AutoRefreshViewModel(time: $0.time) }
    host("multi-timer", summary: "") { _ in MultiTimerViewModel() }
    host("gallery", summary: "") { GalleryViewModel(time: $0.time) }
    host("todos", summary: "") { TodosViewModel(random: $0.random) }
    host("login", summary: "") { LoginViewModel(time: $0.time) }
    host("shop", summary: "") { ShopViewModel(time: $0.time) }
    host("board", summary: "") { _ in BoardViewModel() }
    host("board-seat", summary: "") { _ in BoardSeatViewModel() }
    host("auction", summary: "") { AuctionViewModel(date: $0.date) }
    host("auction-desk", summary: "") { _ in AuctionDeskViewModel() }
    host("reminders", summary: "") { RemindersViewModel(date: $0.date) }
    host("chat", summary: "") { ChatViewModel(topics: $0.topics) }
  }
}
