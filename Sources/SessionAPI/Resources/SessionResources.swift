import HTTPMessages
import Sessions
import StrictJSON

/// `/sessions` and `/sessions/{id}`.
extension SessionAPI {
  func createSession(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let body = try request.json()
    let order: Order
    do {
      order = try body.root.decode(Order.self)
    } catch {
      throw error.kind == .unknownMember ? .unknownMember(error) : .invalidRequest(error)
    }
    guard let viewModel = host.viewModel(named: order.viewModel) else {
      throw .unhostedViewModel(known: host.viewModels.map(\.name))
    }
    guard readiness.phase != .draining else { throw .draining }
    let session = try open(viewModel, with: body.root["parameters"])
    var response = try session.response(201)
    response.headers.append("Location", "/sessions/\(session.id)")
    return response
  }

  /// What a client sends to create a session.
  private struct Order: Decodable {
    let viewModel: String
    let parameters: Later?
  }

  /// A value that is read when its type is known.
  private struct Later: Decodable {
    init(from decoder: any Decoder) {}
  }

  private func open(
    _ viewModel: HostedViewModel,
    with parameters: JSONValue?
  ) throws(Problem) -> Session {
    do {
      let isGiven = parameters.map { $0.kind != .null } ?? false
      guard let session = try host.create(viewModel, parameters: isGiven ? parameters : nil) else {
        throw Problem.tooManySessions
      }
      return session
    } catch let problem as Problem {
      throw problem
    } catch let error as JSONError {
      throw .invalidParameters(error)
    } catch {
      throw .refusedParameters(error)
    }
  }

  /// Shows a session; with `If-None-Match` and `Prefer: wait`, as soon as there is something new.
  func showSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    respond: @escaping HeldRequest.Respond
  ) throws(Problem) {
    let session = try session(id)
    guard let known = request.headers.list("If-None-Match").map(EntityTags.init) else {
      respond(try session.response(200))
      return
    }
    guard let wait = Preferences(request.headers).wait else {
      respond(try session.response(200).unless(known))
      return
    }
    LongPoll(session, known: known, wait: wait, respond: respond).begin(host.timeouts)
  }

  func deleteSession(_ id: SessionID) throws(Problem) -> HTTPResponse {
    switch host.delete(id) {
    case .live: return HTTPResponse(204)
    case .ended: throw .endedSession
    case .unknown: throw .unknownSession
    }
  }
}

extension Session {
  /// The whole session as it is now.
  func response(_ status: Int) throws(Problem) -> HTTPResponse {
    let sighting = feed.current
    guard sighting.end == nil, let snapshot = sighting.snapshot else { throw .endedSession }
    let body = snapshot.description(of: self, isSettled: sighting.isSettled)
    return HTTPResponse(
      status,
      json: body,
      headers: ["ETag": snapshot.tag, "Cache-Control": "no-cache"]
    )
  }
}

extension HTTPResponse {
  /// This response, or 304 for a client that has it (RFC 9110 §13.1.2).
  func unless(_ known: EntityTags) -> HTTPResponse {
    headers["ETag"].map(known.contain) == true ? notModified : self
  }
}

extension JSONValue: Parameters {}
