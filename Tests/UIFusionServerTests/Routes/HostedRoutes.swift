import Dispatch
import Foundation
import FusionRawHTTP
import UIFusionKit
import UIFusionServer

/// A service in this process with a program's routes, the view model `tally`, and two pages: `/page.html`,
/// and `/bound.html` with the client.
final class HostedRoutes {
  let service: Service
  private let folder = TemporaryFolder()

  init(
    configure: (inout Configuration) -> Void = { _ in },
    _ add: (inout Routes) throws -> Void
  ) throws {
    var catalog = ViewModelCatalog()
    catalog.host("tally", summary: "Counts", parameters: Tally.Parameters.self) { given, _ in
      Tally(given)
    }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.publicFolder = folder.path
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try "<p>A page".write(toFile: folder.path + "/page.html", atomically: true, encoding: .utf8)
    let client = #"<head><script type="module" src="/uifusion.js"></script></head><p>A page"#
    try client.write(toFile: folder.path + "/bound.html", atomically: true, encoding: .utf8)
    configuration.logLevel = .error
    configure(&configuration)
    var routes = Routes()
    try add(&routes)
    var dependencies = Dependencies()
    dependencies.executor = QueueExecutor()
    service = try Service(catalog, configuration, dependencies: dependencies, routes: routes)
  }

  func connect() throws -> WaitingClient { WaitingClient(try RawClient(service.port)) }

  /// Returns the answer to one request.
  func ask(
    _ line: String,
    _ fields: String = "",
    body: String = ""
  ) async throws -> RawClient.Response? {
    let client = try connect()
    client.request(line, body.isEmpty ? fields : json + fields, body: body)
    return try await client.response(toHead: line.hasPrefix("HEAD"))
  }
}

/// A client that waits on its own threads, as routes need those of Swift's pool.
struct WaitingClient: Sendable {
  let raw: RawClient

  init(_ raw: RawClient) {
    self.raw = raw
  }

  func request(_ line: String, _ fields: String = "", body: String = "") {
    raw.request(line, fields, body: body)
  }

  func response(toHead: Bool = false) async throws -> RawClient.Response? {
    try await wait { try $0.response(toHead: toHead) }
  }

  func head() async throws -> RawClient.Response? { try await wait { try $0.head() } }

  func chunk() async throws -> [UInt8]? { try await wait { try $0.chunk() } }

  func chunks(_ count: Int) async throws -> [UInt8] { try await wait { try $0.chunks(count) } }

  /// Returns the text of chunks up to the one with which it contains another text; all of it if it never does.
  func text(until end: String) async throws -> String {
    var text = ""
    while !text.contains(end), let chunk = try await chunk(), !chunk.isEmpty {
      text += String(decoding: chunk, as: UTF8.self)
    }
    return text
  }

  func send(_ bytes: [UInt8]) async throws { try await wait { _ = $0.send(bytes) } }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func wait<Found: Sendable>(
    _ body: @escaping @Sendable (RawClient) throws -> Found
  ) async throws -> Found {
    try await withCheckedThrowingContinuation { waiting in
      DispatchQueue(label: "client").async { waiting.resume(with: Result { try body(raw) }) }
    }
  }
}

let json = "Content-Type: application/json\r\n"

/// A view model that adds up numbers.
struct Tally: ReducerViewModel {
  struct Parameters: Codable, Sendable { var start: Int? }
  enum Input: Codable, Sendable { case add(Int), later }
  enum Action: Equatable, Sendable { case add(Int), later }
  struct State: Codable, Equatable, Sendable { var sum = 0 }

  var state: State

  init(_ parameters: Parameters) { state = State(sum: parameters.start ?? 0) }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .later: [.later]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.sum += number
      return []
    case .later: return [.action(.add(1_000))]
    }
  }
}
