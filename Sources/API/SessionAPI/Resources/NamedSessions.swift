import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The scope of a session: who may use it, and where its name is unique.
enum SessionScope: String, Decodable {
  /// The identity that creates it; without one, everyone who has the id or guesses the name.
  case own
  /// The identity that creates it; without one, everyone who has the id, and the session gets no name.
  case identity
  /// Everyone who may have sessions.
  case shared
}

/// A request for a new session, or for the existing one with its name.
struct SessionCreation: Sendable {
  let viewModel: HostedViewModel
  let parameters: (any Parameters)?
  /// The identity that a new session belongs to.
  let identity: String?
  let name: SessionName?
  /// The stream that the client prefers to JSON; nil if it prefers JSON.
  let stream: StreamSubscription?
  let request: HTTPRequest
  let respond: PendingResponse
  /// The number of retries left, for a named session that ends in the meantime.
  var attempts = 3
}

extension SessionResources {
  /// Returns the name that a client has given.
  func sessionName(
    _ text: String,
    of viewModel: HostedViewModel,
    for identity: String?
  ) throws(Problem) -> SessionName {
    guard let name = SessionName(text, of: viewModel.name, for: identity) else {
      let detail = "a name has 1 to \(SessionName.limit) bytes of UTF-8 and no control characters"
      throw .invalidRequest.filled(with: detail).naming("name")
    }
    return name
  }

  /// Answers with the session that has the name; creates it if there is none.
  ///
  /// If several requests create it at once, even on different nodes, the store decides.
  func findOrCreate(_ creation: SessionCreation) {
    guard let name = creation.name else { return }
    host.creator.find(name) { [self] result in
      creation.respond.answer { () throws(Problem) in
        switch result {
        case .success(nil): try create(creation)
        case .success(let id?): show(id, creation)
        case .failure(let error): throw Problem(error)
        }
      }
    }
  }

  /// Answers with the session that has the name; searches again if it has ended in the meantime.
  func show(_ id: SessionID, _ creation: SessionCreation) {
    guard let stream = creation.stream else { return showState(of: id, creation) }
    let claim = Claim(.read, to: id, by: creation.request.sender)
    access.follow([claim], from: stream.position) { [self] found in
      switch found[0] {
      case .found(let source):
        let opened = try? open(stream.adding(source), for: creation.request.connection.client)
        guard let response = opened.flatMap({ $0 }) else { return showState(of: id, creation) }
        creation.respond(response.located(at: location(of: id), showing: source.feed))
      case .ended, .unknown: again(creation)
      case .failed(let failure): creation.respond(Problem(failure).response)
      }
    }
  }

  /// Answers like a `GET` of the session, on the node that owns it.
  private func showState(of id: SessionID, _ creation: SessionCreation) {
    var request = creation.request
    (request.method, request.body) = (.get, [])
    request.target = RequestTarget(segments: ["sessions", "\(id)"])
    for name in ["Prefer", "If-None-Match", "Content-Type"] { request.headers[name] = nil }
    let location = location(of: id)
    let respond = creation.respond.mapping { response in
      // The id lets the session's owner delete it, which frees the name.
      if case .problem(let problem) = response.body, problem.name == Problem.unreadableSession.name
      {
        return problem.adding("session", "\(id)").response
      }
      // Another node reports that the session has ended since it was found.
      if [404, 410].contains(response.status) { return Problem.storeUnreachable.response }
      var response = response
      if response.status == 200 { response.headers["Location"] = location }
      return response
    }
    let claim = Claim(.read, to: id, by: request.sender)
    access.locate(claim, for: request, respond) { [self] found, _, respond throws(Problem) in
      do throws(Problem) {
        respond(try found().response(200))
      } catch {
        let isOver = [Problem.endedSession.name, Problem.unknownSession.name].contains(error.name)
        guard isOver else { throw error }
        again(creation)
      }
    }
  }

  private func again(_ creation: SessionCreation) {
    guard creation.attempts > 0 else { return creation.respond(Problem.storeUnreachable.response) }
    var creation = creation
    creation.attempts -= 1
    if creation.name != nil { return findOrCreate(creation) }
    creation.respond.answer { () throws(Problem) in try create(creation) }
  }

  func location(of id: SessionID) -> String { "\(basePath.text)/sessions/\(id)" }
}

extension SessionRoutes {
  /// The route on which a program creates sessions and finds them by name.
  static let programSessions = SessionRoute(
    sessions.pattern,
    sessions.endpoints + [
      Endpoint(.get, nil, requiring: .sender) { api, _, request, respond throws(Problem) in
        try api.findSession(request, respond)
      }
    ]
  )
}

extension SessionResources {
  /// Answers with the session that the query names; 404 if there is none.
  fileprivate func findSession(_ request: HTTPRequest, _ respond: PendingResponse) throws(Problem) {
    guard let viewModel = request.target.first("viewModel").flatMap(host.viewModels.named(_:))
    else {
      throw .unknownViewModel.adding("known", host.viewModels.all.map(\.name))
    }
    let isShared = request.target.first("scope") == SessionScope.shared.rawValue
    let identity = isShared ? nil : request.sender?.identity
    let name = try sessionName(request.target.first("name") ?? "", of: viewModel, for: identity)
    host.creator.find(name) { [self] result in
      respond.answer { () throws(Problem) in
        switch result {
        case .success(nil): throw .unknownSession
        case .success(let id?):
          var request = request
          request.target = RequestTarget(segments: ["sessions", "\(id)"])
          let claim = Claim(.read, to: id, by: request.sender)
          access.locate(claim, for: request, respond) { found, _, respond throws(Problem) in
            respond(try found().response(200))
          }
        case .failure(let error): throw Problem(error)
        }
      }
    }
  }
}

extension HTTPResponse {
  /// Returns the response with a session's `ETag` and `Location`.
  func located(at location: String, showing feed: SnapshotFeed) -> HTTPResponse {
    var response = self
    if let snapshot = feed.current.snapshot { response.headers["ETag"] = snapshot.tag }
    response.headers["Location"] = location
    return response
  }
}
