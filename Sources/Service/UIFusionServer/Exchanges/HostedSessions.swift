package import FusionHTTPMessages
import FusionSessionAPI
import FusionStrictJSON
public import UIFusionKit

/// The sessions of a service, for the program that hosts them: its routes, jobs and webhooks.
///
/// Each function keeps what the same request over HTTP promises: an Input that was answered is stored, one with a
/// `key` is applied once, and a session is found on whichever node it is. Limits of single clients apply to
/// streams alone.
public struct HostedSessions: Sendable {
  private let handler: HTTPHandler
  /// The sender of every request; nil if unknown.
  private var sender: RequestSender?
  /// The header fields of every request.
  var headers = HTTPHeaders()

  package init(_ handler: @escaping HTTPHandler, for sender: RequestSender?) {
    self.handler = handler
    self.sender = sender
  }

  /// The same sessions for the program itself, which may use every session.
  public var asProgram: HostedSessions { acting(for: .program) }

  /// Returns the same sessions for an identity: those that it may use, and new ones that belong to it.
  public func acting(as identity: Identity) -> HostedSessions { acting(for: identity.sender()) }

  private func acting(for sender: RequestSender) -> HostedSessions {
    var sessions = self
    sessions.sender = sender
    return sessions
  }

  /// Creates a session; with a name, finds the view model's session of that name if there is one.
  ///
  /// The session belongs to the sender's identity, if it has one, and is not `shared`.
  public func create(
    _ viewModel: String,
    name: String? = nil,
    shared isShared: Bool = false
  ) async throws -> SessionSnapshot {
    try await create(viewModel, name, isShared, given: nil)
  }

  /// Creates a session of a view model that takes parameters; with a name, finds the view model's session of that name
  /// if there is one, whatever its parameters were.
  public func create(
    _ viewModel: String,
    name: String? = nil,
    shared isShared: Bool = false,
    parameters: some Encodable
  ) async throws -> SessionSnapshot {
    try await create(viewModel, name, isShared, given: StrictJSON.encode(parameters))
  }

  /// Returns a view model's session of a name, the sender's own or a shared one; nil if there is none.
  public func find(
    _ viewModel: String,
    name: String,
    shared isShared: Bool = false
  ) async throws -> SessionSnapshot? {
    let query = [("viewModel", viewModel), ("name", name), ("scope", isShared ? "shared" : "own")]
      .map { RequestTarget.QueryItem(name: $0, value: $1) }
    do {
      return try await snapshot(.get, ["sessions"], query: query)
    } catch let error as HTTPError
      where [Problem.unknownSession.type, Problem.endedSession.type].contains(error.type)
    {
      return nil
    }
  }

  private func create(
    _ viewModel: String,
    _ name: String?,
    _ isShared: Bool,
    given: [UInt8]?
  ) async throws -> SessionSnapshot {
    var body = Array(#"{"viewModel":"#.utf8)
    body.appendLiteral(viewModel)
    if let name {
      body += Array(#","name":"#.utf8)
      body.appendLiteral(name)
    }
    if isShared { body += Array(#","scope":"shared""#.utf8) }
    if let given { body += Array(#","parameters":"#.utf8) + given }
    body.append(UInt8(ascii: "}"))
    return try await snapshot(.post, ["sessions"], body: body)
  }

  /// Returns a session's State as it is now.
  public func state(of id: String) async throws -> SessionSnapshot {
    try await snapshot(.get, ["sessions", id], id: id)
  }

  /// Sends an Input, or an array of them as a batch, and returns the State once they are processed and stored.
  ///
  /// A ``Secret`` in an Input does not arrive: it is written as dots.
  ///
  /// - Parameters:
  ///   - input: the Input.
  ///   - id: the session's id.
  ///   - key: the idempotency key: the same key and Input again are applied once.
  ///   - version: the version that has to be current, else 412.
  ///   - time: how long to wait until all that the Input started is done, at the most 60 seconds.
  /// - Returns: the State once the Inputs are processed, or once the time is up.
  /// - Throws: ``HTTPError``, with the reason why the Input was not applied.
  @discardableResult
  public func send(
    _ input: some Encodable,
    to id: String,
    key: String? = nil,
    ifVersion version: Int? = nil,
    settledWithin time: Duration? = nil
  ) async throws -> SessionSnapshot {
    var headers = HTTPHeaders()
    headers["Idempotency-Key"] = key
    headers["If-Match"] = version.map { "\"\($0)\"" }
    headers["Prefer"] = time.map { "wait=\(max(0, $0.secondsRoundedUp))" }
    let body = try StrictJSON.encode(input)
    return try await snapshot(.post, ["sessions", id, "inputs"], headers, body: body, id: id)
  }

  /// Returns the stream of a session's States as the answer to a route's request, such as that of a display in a hall.
  ///
  /// ```swift
  /// routes.get("/hall") { request in
  ///   let house = try await request.sessions.asProgram.create("house", name: "main", shared: true)
  ///   return try await request.sessions.asProgram.events(of: house.id, for: request)
  /// }
  /// ```
  ///
  /// The request chooses the form as at `/sessions/{id}/events`: by `Accept`, `Accept-Encoding` and `Last-Event-ID`, and by
  /// `format` and `after` in its query. The stream counts among those of the request's client, and ends with the login
  /// that sent the request, also if it is opened as the program. The program's streams are no visitors.
  ///
  /// - Throws: ``HTTPError``: 401, 403 or 404 if the sender may not read the session, 410 if it has ended, 400 for another
  ///   `format`, 429 if the client has too many streams, and 503.
  /// - Returns: the stream; if the service has too many, one that ends at once, and is to be asked for again.
  public func events(of id: String, for request: Request) async throws(HTTPError) -> Response {
    var headers = HTTPHeaders()
    for name in ["Accept", "Accept-Encoding", "Last-Event-ID"] {
      headers[name] = request.http.headers.list(name)
    }
    let query = request.http.target.query.filter { ["format", "after"].contains($0.name) }
    let path = ["sessions", id, "events"]
    return Response(try await answer(.get, path, headers, query: query, to: request.http))
  }

  /// Ends a session.
  public func delete(_ id: String) async throws {
    _ = try await answer(.delete, ["sessions", id])
  }

  private func snapshot(
    _ method: HTTPMethod,
    _ path: [String],
    _ headers: HTTPHeaders = [:],
    query: [RequestTarget.QueryItem] = [],
    body: [UInt8] = [],
    id: String? = nil
  ) async throws -> SessionSnapshot {
    let response = try await answer(method, path, headers, query: query, body: body)
    guard case .bytes(let bytes) = response.body else { throw HTTPError(.noAnswer) }
    return try SessionSnapshot(JSONDocument(bytes).root, id: id)
  }

  private func answer(
    _ method: HTTPMethod,
    _ path: [String],
    _ headers: HTTPHeaders = [:],
    query: [RequestTarget.QueryItem] = [],
    body: [UInt8] = [],
    to original: HTTPRequest? = nil
  ) async throws(HTTPError) -> HTTPResponse {
    var headers = HTTPHeaders(self.headers.fields + headers.fields)
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    let target = RequestTarget(segments: path, query: query)
    var request = HTTPRequest(method, target, headers: headers, body: body)
    request.sender = sender
    if let original {
      (request.connection, request.loginOfStream) = (original.connection, original.sender?.login)
    }
    let response = await awaitResponse(to: request, from: handler)
    guard response.status < 400 else { throw HTTPError(response) }
    // Accepted, and neither processed nor stored when the time was up.
    guard response.status != 202 else { throw HTTPError(.storeInDoubt) }
    return response
  }
}
