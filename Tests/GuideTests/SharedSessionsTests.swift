import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

// What follows is the Swift of SharedSessions.md.

struct House: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case book(Int), clear }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var bookings: [Int: String] = [:] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .book(let hour):
      guard state.bookings[hour] == nil else { return [.reply(Desk.Input.refused(hour))] }
      state.bookings[hour] = InputSender.identity?.id ?? "somebody"
      return [.reply(Desk.Input.booked(hour))]
    case .clear: state.bookings = [:]
    }
    return []
  }
}

extension House: AccessControlled {
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .read, .send(.book):
      sender == nil ? .denied("Sign in to see the house.") : .byDefault
    case .send(.clear), .end:
      sender?.roles.contains("host") == true ? .allowed : .denied("Only a host may do that.")
    case .share, .fork, .inspect: .byDefault
    }
  }
}

struct Desk: ReducerViewModel, SessionFollowing {
  enum Input: Codable, Equatable, Sendable { case ask(Int), booked(Int), refused(Int) }
  enum Action: Codable, Equatable, Sendable { case input(Input), lost, shown(House.State) }
  struct State: Codable, Equatable, Sendable {
    var taken: [Int] = []
    var mine: [Int] = []
    var notice = ""
  }

  static let house = SessionAddress.named("main", of: "house", shared: true)

  var state = State()

  var following: [Following<Action>] {
    [Following(Self.house, as: House.State.self, ended: .lost) { .shown($0) }]
  }

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.ask(let hour)):
      state.notice = ""
      return [.send(House.Input.book(hour), to: Self.house, ifRefused: .lost)]
    case .input(.booked(let hour)): state.mine.append(hour)
    case .input(.refused(let hour)): state.notice = "\(hour) o’clock is taken."
    case .shown(let house): state.taken = house.bookings.keys.sorted()
    case .lost: state.notice = InputSender.refusal ?? "The house is closed."
    }
    return []
  }
}

extension Desk: AccessControlled {
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .send(.booked), .send(.refused): .denied("Only the house answers.")
    default: .byDefault
    }
  }
}

private func host(in catalog: inout ViewModelCatalog) {
  catalog.host("house", summary: "Has hours that people book") { _ in House() }
  catalog.host("desk", summary: "Books hours of the house") { _ in Desk() }
  catalog.atStart { sessions in
    _ = try await sessions.create("house", name: "main", shared: true)
  }
}

struct `The guide on shared sessions` {
  @Test func `the house books an hour once`() async {
    let store = AsyncTestStore { _ in House() }
    await store.send(.book(9), from: Identity(id: "ada"), of: "a") { $0.bookings = [9: "ada"] }
    await store.expectSent(Desk.Input.booked(9), to: .id("a"))
    await store.send(.book(9), from: Identity(id: "bob"), of: "b")
    await store.expectSent(Desk.Input.refused(9), to: .id("b"))
    await store.finish()
  }

  @Test func `a desk books an hour, and shows what is taken`() async {
    let store = AsyncTestStore { _ in Desk() }
    await store.send(.ask(9))
    await store.expectSent(House.Input.book(9), to: Desk.house)
    await store.send(.booked(9)) { $0.mine = [9] }
    await store.show(House.State(bookings: [9: "ada"]), of: Desk.house)
    await store.receive(.shown(House.State(bookings: [9: "ada"]))) { $0.taken = [9] }
    await store.finish()
  }

  @Test func `a desk says why the house refuses`() async {
    let store = AsyncTestStore { _ in Desk() }
    await store.send(.ask(9))
    let reason = "Sign in to see the house."
    await store.expectSent(House.Input.book(9), to: Desk.house, isRefused: true, because: reason)
    await store.receive(.lost) { $0.notice = reason }
    await store.finish()
  }

  @Test func `a desk books at the house of its service`() async throws {
    var catalog = ViewModelCatalog()
    host(in: &catalog)
    var configuration = Configuration()
    (configuration.port, configuration.data, configuration.logLevel) = (0, .memory, .error)
    let service = try Service(catalog, configuration)
    let ada = service.sessions.acting(as: Identity(id: "ada"))
    let desk = try await ada.create("desk", name: "desk")
    let answer = try await ada.send(Desk.Input.ask(9), to: desk.id, settledWithin: .seconds(10))
    #expect(try answer.decode(as: Desk.State.self).mine == [9])
    await service.stop()
  }

  @Test func `only the house says that an hour is booked`() {
    let answer = Desk.access(Identity(id: "ada"), to: .send(.booked(9)))
    #expect(answer == .denied("Only the house answers."))
  }

  @Test func `only a host clears the house`() {
    let (ada, eve) = (Identity(id: "ada"), Identity(id: "eve", roles: ["host"]))
    #expect(House.access(ada, to: .send(.clear)) == .denied("Only a host may do that."))
    #expect(House.access(eve, to: .send(.clear)) == .allowed)
  }

  @Test func `shows a house and desks that a service hosts`() async throws {
    var catalog = ViewModelCatalog()
    host(in: &catalog)
    let pages = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: pages) }
    var configuration = Configuration()
    (configuration.port, configuration.publicFolder) = (0, pages.path)
    (configuration.data, configuration.logLevel) = (.memory, .error)
    var dependencies = Dependencies()
    dependencies.executor = QueueExecutor()
    var routes = Routes()
    routes.authenticate { $0.headers["X-User"].map { Identity(id: $0) } }
    let service = try Service(catalog, configuration, dependencies: dependencies, routes: routes)
    func ask(
      _ line: String,
      _ user: String,
      _ body: String = "",
      fields more: String = ""
    ) async throws -> RawClient.Response {
      try await service.ask(line, "X-User: \(user)\r\nPrefer: wait=30\r\n" + more, body: body)
    }
    var desks: [String: String] = [:]
    for user in ["ada", "bob"] {
      let made = try await ask("POST /sessions", user, #"{"viewModel":"desk","name":"desk"}"#)
      desks[user] = made["Location"]
    }
    let booked = try await ask("POST \(desks["ada"] ?? "")/inputs", "ada", #"{"ask":9}"#)
    #expect(booked.text.contains(#""mine":[9]"#) && booked.text.hasSuffix(#""settled":true}"#))
    let shown = #"""
      {"version":3,"state":{"taken":[9],"mine":[9],"notice":""},"settled":true}
      """#
    var (last, known) = ("", "none")
    for _ in 0..<10 where !last.hasSuffix(shown.dropFirst()) {
      // Answered once there is a version that the test does not know.
      let seen = "If-None-Match: \(known)\r\n"
      let answer = try await ask("GET \(desks["ada"] ?? "")", "ada", fields: seen)
      (last, known) = (answer.text, answer["ETag"] ?? "none")
    }
    #expect(last.hasSuffix(shown.dropFirst()), "\(last)")
    let refused = try await ask("POST \(desks["bob"] ?? "")/inputs", "bob", #"{"ask":9}"#)
    #expect(refused.text.contains("9 o’clock is taken."), "\(refused.text)")
    let forged = try await ask("POST \(desks["bob"] ?? "")/inputs", "bob", #"{"booked":9}"#)
    #expect(forged.status == 403)
    let house = try await service.sessions.find("house", name: "main")
    #expect(house.map { String(decoding: $0.json, as: UTF8.self) }?.contains("ada") == true)
    await service.stop()
  }
}
