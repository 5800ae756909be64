import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The board that was stored.
private struct Board: ViewModelProtocol {
  enum Input: Codable, Sendable { case begin }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var title = "today"
    var owner: Owner?
    var phase = Phase.loading
    var columns = [Column(name: "To do"), Column(name: "Done")]
    struct Owner: Codable, Equatable, Sendable { var name = "Ann" }
    enum Phase: Codable, Equatable, Sendable { case loading, loaded(Page) }
    struct Page: Codable, Equatable, Sendable { var number = 1 }
    struct Column: Codable, Equatable, Sendable {
      var name: String
      var color = "red"
    }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    state.owner = State.Owner()
    state.phase = .loaded(State.Page())
  }
}

/// A ``Board`` with more members at every depth, one of them an enum.
private struct WiderBoard: ViewModelProtocol {
  enum Input: Codable, Sendable { case begin }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var title = "today"
    var owner: Owner?
    var phase = Phase.loading
    var columns = [Column(name: "Other")]
    struct Owner: Codable, Equatable, Sendable {
      var name = "Ann"
      var age = 30
    }
    enum Phase: Codable, Equatable, Sendable { case loading, loaded(Page) }
    struct Page: Codable, Equatable, Sendable {
      var number = 1
      var isLast = true
    }
    struct Column: Codable, Equatable, Sendable {
      var name: String
      var color = "red"
      var order = Order.manual
      var limit = 5
    }
    enum Order: String, Codable, Sendable { case manual, newest }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

/// A ``Board`` with a renamed title, and with columns without colour.
private struct RenamedBoard: ViewModelProtocol {
  enum Input: Codable, Sendable { case begin }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var name = "new"
    var owner: Board.State.Owner?
    var phase = Board.State.Phase.loading
    var columns: [Column] = []
    struct Column: Codable, Equatable, Sendable { var name: String }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

/// A ``RenamedBoard`` that declares its dropped members.
private struct DroppingBoard: ViewModelProtocol {
  typealias Input = RenamedBoard.Input
  typealias Action = Input
  typealias State = RenamedBoard.State

  static var droppedMembers: [String] { ["title", "columns.*.color"] }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

/// A ``Board`` that reads the colour of done columns only.
private struct PickyBoard: ViewModelProtocol {
  typealias Input = RenamedBoard.Input
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var columns = [Column(name: "Done", color: "gold")]
  }

  struct Column: Codable, Equatable, Sendable {
    var name: String
    var color: String?

    init(name: String, color: String) { (self.name, self.color) = (name, color) }

    private enum CodingKeys: CodingKey { case name, color }
    private enum PlainKeys: CodingKey { case name }

    init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: PlainKeys.self).decode(String.self, forKey: .name)
      guard name == "Done" else { return }
      color = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .color)
    }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

struct `A stored State whose type has changed` {
  private let store = MemorySessionStore()

  private func hosted<Model: ViewModel>(_ model: Model) -> [HostedViewModel]
  where Model: Sendable, Model.Input: Codable, Model.State: Codable {
    var catalog = ViewModelCatalog()
    catalog.host("board", summary: "") { _ in model }
    return catalog.viewModels
  }

  /// Returns a process after another build was deployed, and the path of a session stored before.
  private func deployed<Model: ViewModel>(
    _ model: Model,
    dropsMembers: Bool = false
  ) async throws -> (client: Client, path: String)
  where Model: Sendable, Model.Input: Codable, Model.State: Codable {
    var limits = SessionLimits()
    limits.dropsMembers = dropsMembers
    let client = Client(limits: limits, store: store) {
      $0.host("board", summary: "") { _ in Board() }
    }
    let path = try await client.session("board")
    _ = try await client.send(.post, path + "/inputs", #""begin""#)
    return (try await client.restarted(hosting: hosted(model)), path)
  }

  @Test func `takes an added member from the same place in a fresh State, at every depth`()
    async throws
  {
    let (client, path) = try await deployed(WiderBoard())
    let answer = try await client.send(.get, path)
    #expect(
      answer.text.contains(
        #""columns":[{"name":"To do","color":"red","order":"manual","limit":5},"#
          + #"{"name":"Done","color":"red","order":"manual","limit":5}]"#
      )
    )
  }

  @Test func `takes a neutral value if a fresh State has nothing in that place`() async throws {
    let (client, path) = try await deployed(WiderBoard())
    let answer = try await client.send(.get, path)
    #expect(answer.text.contains(#""owner":{"name":"Ann","age":0}"#))
    #expect(answer.text.contains(#""phase":{"loaded":{"number":1,"isLast":false}}"#))
  }

  @Test func `is refused if it has a member that the type has dropped`() async throws {
    let (client, path) = try await deployed(RenamedBoard())
    let answer = try await client.send(.get, path)
    #expect(answer.status == 410)
    #expect(try answer.member("type") == "/problems/unreadable-session")
  }

  @Test func `loses the members that the view model declares as dropped`() async throws {
    let (client, path) = try await deployed(DroppingBoard())
    let answer = try await client.send(.get, path)
    #expect(
      answer.text.contains(
        #""state":{"name":"new","owner":{"name":"Ann"},"phase":{"loaded":{"number":1}},"#
          + #""columns":[{"name":"To do"},{"name":"Done"}]}"#
      )
    )
    // The changed State is a new version, and stored.
    #expect(answer.text.contains(#""version":3"#))
    let again = try await client.restarted()
    #expect(try await again.send(.get, path).text == answer.text)
  }

  @Test func `loses any dropped member if the service allows it`() async throws {
    let (client, path) = try await deployed(RenamedBoard(), dropsMembers: true)
    #expect(try await client.send(.get, path).status == 200)
  }

  @Test func `is refused if one element drops a member that another needs`() async throws {
    _ = try await deployed(Board())
    let told = Mutex<[String]>([])
    let clock = TestClock()
    var limits = SessionLimits()
    limits.dropsMembers = true
    let inventory = try store.inventory()
    let host = SessionHost(
      hosted(PickyBoard()),
      limits: limits,
      dependencies: clock.dependencies,
      store: store,
      inventory: inventory,
      report: { event in
        if case .unreadable(_, _, let error) = event { told.withLock { $0.append("\(error)") } }
      }
    )
    host.waker.wake(inventory.sessions.map(\.id)) { _ in }
    await clock.idle()
    #expect(told.withLock { $0.count == 1 && $0[0].contains("color") })
  }

  @Test func `is reported at the start and when it wakes, with its changed members`() async throws {
    let (client, _) = try await deployed(Board())
    client.host.closeAll()
    let told = Mutex<[String]>([])
    let clock = TestClock()
    let inventory = try store.inventory()
    let host = SessionHost(
      hosted(DroppingBoard()),
      dependencies: clock.dependencies,
      store: store,
      inventory: inventory,
      report: { event in
        switch event {
        case .changed(_, let changes): told.withLock { $0 += changes.added + changes.dropped }
        case .dropped(_, let viewModel, let members):
          told.withLock { $0 += [viewModel] + members }
        default: break
        }
      }
    )
    await host.storedStateCheck.run()
    #expect(told.withLock { $0 } == ["name", "title", "columns.*.color"])
    host.waker.wake(inventory.sessions.map(\.id)) { _ in }
    await clock.idle()
    #expect(told.withLock { $0.suffix(3) } == ["board", "title", "columns.*.color"])
  }
}
