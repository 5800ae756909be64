import HTTPMessages
import Sessions
import StrictJSON

/// `/sessions` and `/sessions/{id}`.
extension SessionAPI {
  func createSession(
    _ request: HTTPRequest,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) throws(Problem) {
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
    let given = body.root["parameters"].flatMap { $0.kind == .null ? nil : $0 }
    host.create(viewModel, parameters: given) { result in
      do throws(Problem) {
        let session = try opened(result)
        var response = try session.response(201)
        response.headers.append("Location", "/sessions/\(session.id)")
        respond(response)
      } catch {
        respond(error.response)
      }
    }
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

  private func opened(_ result: Result<Session, any Error>) throws(Problem) -> Session {
    do {
      return try result.get()
    } catch is SessionHost.Full {
      throw .tooManySessions
    } catch let error as StoreError {
      throw Problem(error)
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

  func deleteSession(
    _ id: SessionID,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    host.delete(id) { result in
      let response =
        switch result {
        case .success(.live), .success(.asleep): HTTPResponse(204)
        case .success(.ended): Problem.endedSession.response
        case .success(.unknown): Problem.unknownSession.response
        case .failure(let error): Problem(error).response
        }
      respond(response)
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

extension JSONValue: Parameters {
  package var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }
}
