import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

private struct Credentials: Decodable {
  let name: String
}

private struct Accounts: Sendable {
  func user(_ login: Credentials) async -> (id: String, roles: Set<String>)? {
    login.name == "ada" ? ("ada", ["editor"]) : nil
  }

  func id(ofKey key: String) async -> String? { key == "k1" ? "ada" : nil }
}

private let accounts = Accounts()

// What follows is the Swift of Identity.md.

private func makeRoutes() -> Routes {
  var routes = Routes()
  routes.authenticate { request in
    guard let key = request.headers["X-Key"] else { return nil }
    guard let id = await accounts.id(ofKey: key) else { throw HTTPError(401, "Ask for a new key.") }
    return Identity(id: id, roles: ["editor"])
  }
  routes.get("/me") { request in
    request.identity?.id ?? "nobody"
  }
  return routes
}

private func addLogins(to routes: inout Routes) {
  routes.post("/login") { request in
    let login = try request.decode(as: Credentials.self)
    guard let user = await accounts.user(login) else { throw HTTPError(401, "Try again.") }
    var response = Response(204)
    response.logIn(Identity(id: user.id, roles: user.roles), for: .seconds(8 * 3600))
    return response
  }
  routes.post("/logout") { _ in
    var response = Response(204)
    response.logOut()
    return response
  }
}

/// Keeps a list of the visitors that are present.
private struct Meeting: ViewModelProtocol {
  enum Input: Codable, Sendable { case presence(PresenceChange) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var visitors: [Visitor] = [] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    switch action {
    case .presence(let change): change.update(&state.visitors)
    }
  }
}

extension Meeting: PresenceObserving {
  static func input(for change: PresenceChange) -> Input? { .presence(change) }
}

/// Bookings that somebody closes.
private struct Bookings: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case book, close }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var closedBy = "" }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    if action == .close { state.closedBy = InputSender.identity?.id ?? "nobody" }
    return []
  }
}

extension Bookings: AccessControlled {
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    let isHost = sender?.roles.contains("host") == true
    return switch use {
    case .read: sender == nil ? .denied("Sign in to see the bookings.") : .byDefault
    case .send(.close), .share, .end: isHost ? .allowed : .denied("Only a host may do that.")
    case .send, .fork, .inspect: .byDefault
    }
  }

  static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access {
    input == .book && state.closedBy != "" ? .denied("\(state.closedBy) has closed.") : .allowed
  }
}

/// Remembers its owner, and the sender of the last Input.
private struct Senders: ViewModelProtocol {
  enum Input: String, Codable, Sendable { case note }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var senders: [String] }

  var state: State

  init(_ owner: String?) { state = State(senders: [owner ?? "nobody"]) }

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    state.senders.append(InputSender.identity?.id ?? "nobody")
  }
}

struct `The guide on identity` {
  @Test func `only a host closes`() async {
    let (ada, host) = (Identity(id: "ada"), Identity(id: "eve", roles: ["host"]))
    #expect(Bookings.access(ada, to: .send(.close)) == .denied("Only a host may do that."))
    let store = AsyncTestStore { _ in Bookings() }
    await store.send(.close, from: host) { $0.closedBy = "eve" }
    let denied = Bookings.access(ada, sending: .book, in: store.state)
    #expect(denied == .denied("eve has closed."))
  }

  @Test func `shows how to identify a request's sender, and how to log a browser in`() async throws
  {
    let keys = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(String(repeating: "k", count: 64).utf8).write(to: keys)
    defer { try? FileManager.default.removeItem(at: keys) }
    var catalog = ViewModelCatalog()
    catalog.host("senders", summary: "Notes senders") { Senders($0.identity) }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.authCookies = keys.path
    var dependencies = Dependencies()
    dependencies.executor = QueueExecutor()
    var routes = makeRoutes()
    addLogins(to: &routes)
    let service = try Service(
      catalog,
      configuration,
      dependencies: dependencies,
      routes: routes
    )
    let key = "X-Key: k1\r\n"
    #expect(try await service.ask("GET /me", key).text == "ada")
    #expect(try await service.ask("GET /me").text == "nobody")
    #expect(try await service.ask("GET /me", "X-Key: k2\r\n").text.contains("Ask for a new key."))
    let login = try await service.ask("POST /login", body: #"{"name":"ada"}"#)
    let cookie = try #require(login["Set-Cookie"]?.prefix { $0 != ";" })
    #expect(try await service.ask("GET /me", "Cookie: \(cookie)\r\n").text == "ada")
    #expect(try await service.ask("POST /login", body: #"{"name":"eve"}"#).status == 401)
    #expect(try await service.ask("POST /logout")["Set-Cookie"]?.contains("=out;") == true)
    let body = #"{"viewModel":"senders","scope":"shared"}"#
    #expect(try await service.ask("POST /sessions", body: body).status == 401)
    let shared = try await service.ask("POST /sessions", key, body: body)
    #expect(shared.status == 201 && shared.text.contains(#"["nobody"]"#))
    let own = try await service.ask("POST /sessions", key, body: #"{"viewModel":"senders"}"#)
    #expect(own.status == 201 && own.text.contains(#"["ada"]"#))
    let path = try #require(own["Location"])
    #expect(
      try await service.ask("POST \(path)/inputs", key, body: #""note""#).text.contains(
        #"["ada","ada"]"#
      )
    )
    let id = String(path.dropFirst("/sessions/".count))
    let sent = try await service.sessions.send("note", to: id)
    #expect(String(decoding: sent.json, as: UTF8.self).contains(#"["ada","ada","nobody"]"#))
    await service.stop()
  }
}
