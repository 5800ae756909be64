import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionRoutes {
  /// The route `/sessions`.
  static let sessions = SessionRoute(
    "/sessions",
    Endpoint(
      .post,
      Operation(
        id: "createSession",
        tag: "Sessions",
        summary: "Create a session",
        description: """
          Where Accept prefers the media type of a stream to JSON, the answer is the stream of the session, \
          as of GET /sessions/{id}/events; its first event has the session's id as the member `session`. \
          Where no stream can be opened, the answer is the session all the same.

          With a `name` the view model's session of that name is found, or created with the parameters where \
          there is none; of those who ask at once, on any node, one creates it. The name is free again when the \
          session has ended. With the scope `identity`, a sender without an identity gets a session without a name: that of \
          the member `session`, if it is there.
          """,
        parameters: ["Format", "IfSender"],
        body: OpenAPI.schema("NewSession"),
        responses: [
          "200": sessionOrStream("The session that has the name, or its stream."),
          "201": sessionOrStream("The session, or its stream."),
        ],
        problems: [400, 401, 403, 412, 413, 415, 422, 429, 500, 503, 507]
      ),
      requiring: .sender
    ) { api, _, request, respond throws(Problem) in
      try api.createSession(request, respond: respond)
    }
  )

  private static func sessionOrStream(_ description: String) -> JSONTree {
    OpenAPI.answer(
      description,
      [("application/json", OpenAPI.schema("Session"))]
        + OpenAPI.streams(of: ["Event", "SharedEvent"]),
      headers: ["Location", "ETag", "Vary", "Content-Encoding"]
    )
  }
}

extension SessionResources {
  /// Creates a session, or finds the one with its name, and answers once the session is stored.
  func createSession(_ request: HTTPRequest, respond: PendingResponse) throws(Problem) {
    let body = try request.json()
    let new = try body.root.decode(NewSession.self, or: .invalidRequest)
    guard let viewModel = host.viewModels.named(new.viewModel) else {
      throw .unknownViewModel.with(status: 422).adding("known", host.viewModels.all.map(\.name))
    }
    guard readiness.phase != .draining else { throw .draining }
    try access.requireReading(of: viewModel, by: request.sender)
    let identity = new.scope == .shared ? nil : request.sender?.identity
    let given = body.root["parameters"].flatMap { $0.kind == .null ? nil : $0 }
    let creation = SessionCreation(
      viewModel: viewModel,
      parameters: given.map(GivenParameters.init),
      identity: identity,
      name: try new.name.flatMap { text throws(Problem) in
        let name = try sessionName(text, of: viewModel, for: identity)
        return new.scope == .identity && identity == nil ? nil : name
      },
      stream: try streamOfNew(request),
      request: request,
      respond: respond
    )
    if creation.name != nil { return findOrCreate(creation) }
    if new.scope == .identity, identity == nil, let known = new.session.flatMap(SessionID.init) {
      return show(known, creation)
    }
    try create(creation)
  }

  /// Creates a session; if another one has taken the name in the meantime, answers with that session.
  func create(_ creation: SessionCreation) throws(Problem) {
    let client = creation.request.connection.client
    let slot = try takeSlot(for: client)
    let (respond, stream) = (creation.respond, creation.stream)
    let sender = creation.request.sender
    host.creator.create(
      creation.viewModel,
      parameters: creation.parameters,
      for: creation.identity,
      by: sender?.creator,
      name: creation.name,
      attaching: slot
    ) { [self] result in
      if case .failure(StoreError.taken(let other)) = result { return show(other, creation) }
      respond.answer { () throws(Problem) in
        let session = try opened(result)
        guard let stream else {
          return respond(
            try session.response(201).located(at: location(of: session.id), showing: session.feed)
          )
        }
        // As any stream, since the session may move to another node later.
        let claim = Claim(.read, to: session.id, by: sender)
        access.follow([(claim, seen: 0)]) { [self] found in
          respond.answer { () throws(Problem) in
            // The session exists even if no stream can be opened.
            let following: HTTPResponse? =
              if case .found(let source) = found[0] {
                try? open(stream.adding(source), for: client)
              } else {
                nil
              }
            var response = if let following { following } else { try session.response(201) }
            response.status = 201
            respond(response.located(at: location(of: session.id), showing: session.feed))
          }
        }
      }
    }
  }

  /// Returns the stream that a request for a new session prefers to JSON; nil if it prefers JSON.
  private func streamOfNew(_ request: HTTPRequest) throws(Problem) -> StreamSubscription? {
    let accept = Accept(request.headers.list("Accept"))
    // Parsed even if no stream is wanted, so that an invalid query is refused.
    var subscription = try subscription(request, ofSeveral: false)
    let mediaType = subscription.format.mediaType
    guard accept.quality(of: mediaType) > accept.quality(of: "application/json") else { return nil }
    // No client has a version of a new session.
    subscription.position = StreamPosition(nil, ofSeveral: false)
    subscription.isOfNewSession = true
    return subscription
  }

  /// Takes a slot in the client's quota of sessions; nil if the client is not limited.
  func takeSlot(for client: IPAddress?) throws(Problem) -> ClientSlot? {
    do {
      return try clientSessions.take(for: client)
    } catch {
      throw .tooManyClientSessions.limited(to: error.limit)
    }
  }

  /// The body that a client sends.
  private struct NewSession: Decodable {
    let viewModel: String
    let parameters: RawJSON?
    let name: String?
    let scope: SessionScope?
    /// The session that a sender without an identity had, with ``SessionScope/identity``.
    let session: String?
  }

  /// A value that is decoded later, when its type is known.
  private struct RawJSON: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// Returns the new session, or throws the problem of its creation.
  func opened(_ result: Result<Session, any Error>) throws(Problem) -> Session {
    do {
      return try result.get()
    } catch is Creator.SessionLimitReached {
      throw .tooManySessions.limited(to: host.limits.sessions)
    } catch let error as MemoryFull {
      throw Problem(error)
    } catch let error as StoreError {
      throw Problem(error)
    } catch let failure as WakeFailure {
      throw Problem(failure)
    } catch let invalid as InvalidState {
      throw Problem(invalid)
    } catch let error as JSONError {
      throw .invalidParameters.filled(with: "\(error)").naming(error.member)
    } catch {
      throw .invalidParameters.filled(with: "the view model refused them: \(error)")
    }
  }
}

/// Parameters from a client.
private struct GivenParameters: Parameters {
  let value: JSONValue

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.decodeGiven(type) }

  var text: [UInt8] {
    var text: [UInt8] = []
    value.write(to: &text)
    return text
  }
}
