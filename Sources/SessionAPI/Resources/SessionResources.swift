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
    var response = try show(session, status: 201)
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

  func showSession(_ id: SessionID, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let session = try session(id)
    let response = try show(session, status: 200)
    if let known = request.headers.list("If-None-Match"), let tag = response.headers["ETag"],
      EntityTags(known).contain(tag)
    {
      return response.notModified
    }
    return response
  }

  private func show(_ session: Session, status: Int) throws(Problem) -> HTTPResponse {
    let sighting = session.feed.current
    guard sighting.end == nil, let snapshot = sighting.snapshot else { throw .endedSession }
    let body = snapshot.description(of: session, isSettled: sighting.isSettled)
    return HTTPResponse(
      status,
      json: body,
      headers: ["ETag": snapshot.tag, "Cache-Control": "no-cache"]
    )
  }

  func deleteSession(_ id: SessionID) throws(Problem) -> HTTPResponse {
    switch host.delete(id) {
    case .live: return HTTPResponse(204)
    case .ended: throw .endedSession
    case .unknown: throw .unknownSession
    }
  }
}

extension JSONValue: Parameters {}
