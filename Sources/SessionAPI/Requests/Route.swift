import HTTPMessages
import Sessions

/// The resources of this service, by path.
enum Route: Equatable {
  case viewModels
  case viewModel(name: String)
  case openAPI
  case sessions
  case session(SessionID)
  case inputs(SessionID)
  case events(SessionID)
  case eventsOfSeveral
  case health
  case readiness
  case metrics
  /// A resource of a session whose id cannot be one, with the methods that it would have.
  case noSession([HTTPMethod])
  /// The service as a whole, which has nothing but OPTIONS.
  case service
  /// Everything else: a file, if there is one.
  case file

  init(_ target: RequestTarget) {
    if target.isAsterisk {
      self = .service
      return
    }
    let segments = target.segments
    switch segments.first {
    case "sessions" where segments.count == 1: self = .sessions
    case "sessions" where segments.count <= 3: self = Route(sessionPath: segments)
    case "events" where segments.count == 1: self = .eventsOfSeveral
    case "view-models" where segments.count == 1: self = .viewModels
    case "view-models" where segments.count == 2: self = .viewModel(name: segments[1])
    case "openapi.json" where segments.count == 1: self = .openAPI
    case "healthz" where segments.count == 1: self = .health
    case "readyz" where segments.count == 1: self = .readiness
    case "metrics" where segments.count == 1: self = .metrics
    default: self = .file
    }
  }

  private init(sessionPath segments: [String]) {
    let last = segments.count == 3 ? segments[2] : nil
    guard [nil, "inputs", "events"].contains(last) else {
      self = .file
      return
    }
    let id = SessionID(segments[1])
    let anyID = id ?? SessionID(high: 0, low: 0)
    switch last {
    case "inputs": self = .inputs(anyID)
    case "events": self = .events(anyID)
    default: self = .session(anyID)
    }
    if id == nil { self = .noSession(methods) }
  }

  /// The methods that the resource has, as `Allow` names them (RFC 9110 §10.2.1).
  var methods: [HTTPMethod] {
    switch self {
    case .sessions, .inputs: [.post, .options]
    case .session: [.get, .head, .delete, .options]
    case .noSession(let methods): methods
    // RFC 9110 §9.3.7: what its resources have between them.
    case .service: [.get, .head, .post, .delete, .options]
    case .viewModels, .viewModel, .openAPI, .events, .eventsOfSeveral, .health, .readiness,
      .metrics, .file:
      [.get, .head, .options]
    }
  }

  /// The sessions that a request to this resource is about.
  func sessions(of request: HTTPRequest) -> [SessionID] {
    switch self {
    case .session(let id), .inputs(let id), .events(let id): [id]
    case .eventsOfSeveral:
      request.target.query.filter { $0.name == "session" }.compactMap { SessionID($0.value) }
    default: []
    }
  }
}
