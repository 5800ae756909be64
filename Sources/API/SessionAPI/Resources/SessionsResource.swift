import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension Route {
  /// The route `/sessions`.
  static let sessions = Route(
    "/sessions",
    Endpoint(
      .post,
      Operation(
        id: "createSession",
        tag: "Sessions",
        summary: "Create a session",
        body: OpenAPI.schema("NewSession"),
        responses: [
          "201": OpenAPI.answer(
            "The session.",
            OpenAPI.schema("Session"),
            headers: ["Location", "ETag"]
          ),
          "400": OpenAPI.problem("400"), "403": OpenAPI.problem("403"),
          "413": OpenAPI.problem("413"), "415": OpenAPI.problem("415"),
          "422": OpenAPI.problem("422"), "429": OpenAPI.problem("429"),
          "500": OpenAPI.problem("500"),
          "503": OpenAPI.problem("503"),
          "507": OpenAPI.problem("507"),
        ]
      )
    ) { api, _, request, respond throws(Problem) in
      try api.createSession(request, respond: respond)
    }
  )
}

extension SessionAPI {
  func createSession(
    _ request: HTTPRequest,
    respond: PendingAnswer
  ) throws(Problem) {
    let body = try request.json()
    let new: NewSession
    do {
      new = try body.root.decode(NewSession.self)
    } catch {
      throw error.kind == .unknownMember ? .unknownMember(error) : .invalidRequest(error)
    }
    guard let viewModel = host.viewModel(named: new.viewModel) else {
      throw .unknownViewModel(422, known: host.viewModels.map(\.name))
    }
    guard readiness.phase != .draining else { throw .draining }
    let given = body.root["parameters"].flatMap { $0.kind == .null ? nil : $0 }
    let parameters = given.map(GivenParameters.init)
    host.create(viewModel, parameters: parameters, keeping: try place(for: request)) { result in
      do throws(Problem) {
        let session = try opened(result)
        var response = try session.response(201)
        response.headers.append("Location", "\(basePath.text)/sessions/\(session.id)")
        respond(response)
      } catch {
        respond(error.response)
      }
    }
  }

  /// One of those that the client has for sessions; nil where it has no limit.
  private func place(for request: HTTPRequest) throws(Problem) -> ClientSlot? {
    do {
      return try clientSessions.take(for: request.connection.client)
    } catch {
      throw .tooManyClientSessions(limit: error.limit)
    }
  }

  /// What a client sends.
  private struct NewSession: Decodable {
    let viewModel: String
    let parameters: RawJSON?
  }

  /// A value that is read when its type is known.
  private struct RawJSON: Decodable {
    init(from decoder: any Decoder) {}
  }

  private func opened(_ result: Result<Session, any Error>) throws(Problem) -> Session {
    do {
      return try result.get()
    } catch is SessionHost.Full {
      throw .tooManySessions(limit: host.limits.sessions)
    } catch let error as MemoryFull {
      throw Problem(error)
    } catch let error as StoreError {
      throw Problem(error)
    } catch let unfit as InvalidState {
      throw Problem(unfit)
    } catch let error as JSONError {
      throw .invalidParameters("\(error)", member: error.member)
    } catch {
      throw .invalidParameters("the view model refused them: \(error)")
    }
  }
}

/// What a client has given.
private struct GivenParameters: Parameters {
  let value: JSONValue

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.decodeGiven(type) }

  var text: [UInt8] {
    var text: [UInt8] = []
    value.write(to: &text)
    return text
  }
}
