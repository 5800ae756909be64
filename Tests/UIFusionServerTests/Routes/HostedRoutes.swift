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

  func connect() throws -> WaitingClient { try WaitingClient(service.port) }

  /// Returns the answer to one request.
  func ask(
    _ line: String,
    _ fields: String = "",
    body: String = ""
  ) async throws -> RawClient.Response? {
    try await connect().ask(line, body.isEmpty ? fields : json + fields, body: body)
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
