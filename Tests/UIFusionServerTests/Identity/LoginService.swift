import Foundation
import FusionRawHTTP
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A service in this process with every kind of login, the view model `notes`, and a clock for the test.
final class LoginService: Sendable {
  let service: Service
  let clock = TestClock()
  private let folder = TemporaryFolder()
  private let now = MovedDate()

  /// Creates a service; with `standsStill` the test advances all time, else that of identities only.
  init(
    standsStill: Bool = true,
    topics: Topics = Topics(),
    configure: (inout Configuration) throws -> Void = { _ in }
  ) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let cookies = folder.path + "/cookies"
    try String(repeating: "k", count: 64).write(toFile: cookies, atomically: true, encoding: .utf8)
    try "".write(toFile: folder.path + "/tokens", atomically: true, encoding: .utf8)
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.authCookies = cookies
    configuration.authTokens = folder.path + "/tokens"
    configuration.heartbeat = .seconds(1)
    var catalog = ViewModelCatalog()
    catalog.host("notes", summary: "") { _ in SenderNotes() }
    let now = now
    var dependencies = Dependencies(time: standsStill ? clock : .system, date: { now.value })
    dependencies.executor = QueueExecutor()
    dependencies.topics = topics
    try configure(&configuration)
    var routes = Routes()
    routes.authenticate { request in
      guard let text = request.headers["X-Until"], let seconds = Double(text) else { return nil }
      return Identity(id: "ada", expires: Date(timeIntervalSince1970: seconds))
    }
    routes.post("/login/{id}/{seconds}") { request in
      var response = Response(204)
      let seconds = try request.parameter("seconds", as: Int.self)
      response.logIn(Identity(id: try request.parameter("id")), for: .seconds(seconds))
      return response
    }
    routes.get("/hall/{id}") { request in
      let sessions = request.sessions.asProgram
      return try await sessions.events(of: request.parameter("id"), for: request)
    }
    routes.post("/logout") { _ in
      var response = Response(204)
      response.logOut()
      return response
    }
    service = try Service(catalog, configuration, dependencies: dependencies, routes: routes)
  }

  var date: Date { now.value }

  /// Lets time pass for identities only.
  func pass(_ seconds: TimeInterval) { now.pass(seconds) }

  func path(_ file: String) -> String { folder.path + "/\(file)" }

  func write(tokens lines: [String]) throws {
    try lines.joined(separator: "\n").write(
      toFile: path("tokens"),
      atomically: true,
      encoding: .utf8
    )
  }

  func connect() throws -> WaitingClient { try WaitingClient(service.port) }

  func ask(
    _ line: String,
    _ fields: String = "",
    body: String = ""
  ) async throws -> RawClient.Response {
    let client = try connect()
    client.request(line, body.isEmpty ? fields : json + fields, body: body)
    return try #require(try await client.response())
  }

  /// Returns the field of a browser's cookie after a login.
  func logIn(_ id: String, for seconds: Int, _ fields: String = "") async throws -> String {
    let answer = try await ask("POST /login/\(id)/\(seconds)", fields)
    let cookie = try #require(answer["Set-Cookie"])
    return "Cookie: \(cookie.prefix { $0 != ";" })\r\n"
  }

  // MARK: Streams

  /// Opens a stream, and waits for its first State.
  func follow(_ path: String, _ fields: String) async throws -> WaitingClient {
    let stream = try connect()
    stream.request("GET \(path)", fields + "Accept: application/x-ndjson\r\n")
    #expect(try await stream.head()?.status == 200)
    try await read(stream, until: "state")
    return stream
  }

  func read(_ stream: WaitingClient, until text: String) async throws {
    var read = ""
    while !read.contains(text) {
      read += String(decoding: try #require(try await stream.chunk()), as: UTF8.self)
    }
  }

  /// Advances the clock until a stream ends; returns the rest of the stream.
  func rest(of stream: WaitingClient) async throws -> String {
    let time = Task {
      while !Task.isCancelled {
        await clock.advance(by: .milliseconds(50))
        _ = try await ask("GET /healthz")
      }
    }
    defer { time.cancel() }
    let rest = try await stream.chunks(.max)
    time.cancel()
    // A request during the service's stop would get no answer.
    _ = await time.result
    return String(decoding: rest, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Creates a session; returns its path.
  func create(_ fields: String, scope: String = "own") async throws -> String {
    let scope = scope == "own" ? "" : #","scope":"\#(scope)""#
    let created = try await ask("POST /sessions", fields, body: #"{"viewModel":"notes"\#(scope)}"#)
    return try #require(created["Location"])
  }
}

/// A date that a test advances.
private final class MovedDate: Sendable {
  private let date = Mutex(Date.now)

  var value: Date { date.withLock { $0 } }

  func pass(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

/// A view model that keeps the notes of each sender.
struct SenderNotes: ViewModelProtocol {
  enum Input: Codable, Sendable { case note(Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var notes: [String: [Int]] = [:] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    switch action {
    case .note(let number):
      state.notes[InputSender.identity?.id ?? "nobody", default: []].append(number)
    }
  }
}
