import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionRoutes {
  /// The routes of the inspector, which exist only if the service enables it.
  static let inspection = [versions, version, forks, trace]

  /// The route `/sessions/{id}/versions`.
  private static let versions = SessionRoute(
    "/sessions/{id}/versions",
    Endpoint(
      .get,
      Operation(
        id: "listVersions",
        tag: "Sessions",
        summary: "The stored versions of a session, newest first",
        description: "The session need not be awake, and notices nothing.",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: ["200": OpenAPI.answer("A page of them.", versionList)],
        problems: [400, 401, 403, 404, 412, 503]
      )
      .adding([
        query("before", "Lists the versions below a number.", [:]),
        query("limit", "The number of versions.", ["maximum": 200, "default": 50]),
      ]),
      claiming: .inspect
    ) { api, claim, _, request, respond throws(Problem) in
      try api.listVersions(claim, request, respond)
    }
  )

  /// The route `/sessions/{id}/versions/{version}`.
  private static let version = SessionRoute(
    "/sessions/{id}/versions/{version}",
    Endpoint(
      .get,
      Operation(
        id: "getVersion",
        tag: "Sessions",
        summary: "The State of a stored version",
        description: "As the view model of today shows it.",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: ["200": OpenAPI.answer("The version.", pastVersion)],
        problems: [401, 403, 404, 410, 412, 503]
      )
      .adding([
        ["name": "version", "in": "path", "required": true, "schema": ["type": "string"]]
      ]),
      claiming: .inspect
    ) { api, claim, path, _, respond throws(Problem) in
      guard let version = path["version", as: Int.self] else { throw .unknownVersion }
      try api.showVersion(version, of: claim, respond)
    }
  )

  private static func query(_ name: String, _ text: String, _ more: JSONTree) -> JSONTree {
    let schema: JSONTree = ["type": "integer", "minimum": 1]
    return [
      "name": .string(name), "in": "query", "description": .string(text),
      "schema": schema.adding(more),
    ]
  }

  private static let time: JSONTree = ["type": "string", "format": "date-time"]

  private static let versionList = OpenAPI.object(
    [
      "versions": [
        "type": "array",
        "items": OpenAPI.object([
          "version": OpenAPI.schema("Version"), "time": time,
          "entries": [
            "type": "integer", "description": "Inputs and Actions that ended with this version.",
          ],
          "size": ["type": "integer", "description": "The bytes of what changed."],
          "trace": ["type": "array", "items": ["type": "object"]],
          "isCut": [
            "type": "boolean", "description": "Whether the trace is too long to be shown.",
          ],
        ]),
      ]
    ],
    optional: ["next": OpenAPI.schema("Version")]
  )

  private static let pastVersion = OpenAPI.object([
    "version": OpenAPI.schema("Version"), "time": time, "state": OpenAPI.schema("State"),
    "running": ["type": "array", "items": ["type": "string"]],
  ])
}

extension SessionResources {
  func listVersions(
    _ claim: Claim,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    let before = try number("before", in: request)
    let limit = min(try number("limit", in: request) ?? 50, 200)
    try access.read(claim) { archive, session in
      try archive.versions(of: session.id, below: before, limit: limit)
    } _: { result in
      respond.answer { () throws(Problem) in
        guard let page = try Problem.unwrap(result).flatMap({ $0 }) else { throw .unknownSession }
        respond(HTTPResponse(200, json: page.json.bytes, headers: ["Cache-Control": "no-store"]))
      }
    }
  }

  /// Returns a number in the query; nil if it is absent.
  private func number(_ name: String, in request: HTTPRequest) throws(Problem) -> Int? {
    guard let text = request.target.first(name) else { return nil }
    guard let number = Int(text), number > 0 else {
      throw .invalidQuery.filled(with: "\(name) has to be a whole number from 1.").naming(name)
    }
    return number
  }

  func showVersion(
    _ version: Int,
    of claim: Claim,
    _ respond: PendingResponse
  ) throws(Problem) {
    try past(claim, at: .version(version), respond) { [self] past throws(Problem) in
      let head = past.head
      guard let viewModel = host.viewModels.named(past.session.viewModel) else {
        throw Problem(WakeFailure.unreadable(viewModel: past.session.viewModel))
      }
      let state: [UInt8]
      do {
        state = try viewModel.shown(past, host.dependencies)
      } catch {
        throw Problem(WakeFailure.unreadable(viewModel: viewModel.name))
      }
      let start: JSONTree = ["version": .number("\(head.version)"), "time": past.time.json]
      let running = JSONTree.array(Interrupted.work(in: head.running).map { .string($0) })
      // Saves decoding and encoding a large State.
      var body = Array(start.bytes.dropLast())
      body += ",\"state\":".utf8
      body += state
      body += ",\"running\":".utf8
      body += running.bytes
      body.append(UInt8(ascii: "}"))
      respond(HTTPResponse(200, json: body, headers: ["Cache-Control": "no-store"]))
    }
  }

  /// Reads the history of a session, and calls a function with it; answers with a problem if there is none for the
  /// sender.
  func past(
    _ claim: Claim,
    at point: HistoryPoint,
    _ respond: PendingResponse,
    _ found: @escaping @Sendable (PastSession) throws(Problem) -> Void
  ) throws(Problem) {
    try access.read(claim) { [viewModels = host.viewModels.all] archive, session in
      // View models hosted by the same service make patches in the same way.
      let patches = viewModels.first?.patches ?? HostedViewModel.Patches()
      return try archive.past(of: session, at: point, patches)
    } _: { result in
      respond.answer { () throws(Problem) in
        switch try Problem.unwrap(result) {
        case .found(let past): try found(past)
        case .unknown, nil: throw .unknownSession
        case .notKept: throw .unknownVersion
        }
      }
    }
  }
}

extension Problem {
  /// Returns the archive's result, or throws the problem of its error.
  static func unwrap<Found>(_ result: Result<Found, any Error>) throws(Problem) -> Found {
    do {
      return try result.get()
    } catch let problem as Problem {
      throw problem
    } catch let error as StoreError {
      throw Problem(error)
    } catch {
      // The archive could not be opened.
      throw .storeUnreachable
    }
  }
}

extension StoredVersions {
  fileprivate var json: JSONTree {
    let list: JSONTree = ["versions": .array(versions.map(\.json))]
    return next.map { list.adding(["next": .number("\($0)")]) } ?? list
  }
}

extension StoredVersion {
  fileprivate var json: JSONTree {
    let lines = trace.split(separator: UInt8(ascii: "\n"))
    return [
      "version": .number("\(number)"), "time": time.json, "entries": .number("\(entries)"),
      "size": .number("\(size)"),
      "trace": .array(
        lines.compactMap { try? JSONTree(JSONDocument(Array($0), wrapping: 1).root) }
      ),
      "isCut": .bool(isCut),
    ]
  }
}

extension WallTime {
  var json: JSONTree {
    .string(Timestamp(milliseconds: Int(milliseconds))?.text ?? "–")
  }
}
