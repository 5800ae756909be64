import FoundationEssentials
import FusionHTTPMessages
import FusionSessionAPI

/// The ways in which a service finds out who sends a request: by a header of a trusted proxy, by a token, or by the
/// program's own function, in this order.
struct Authenticator: Sendable {
  let tokens: TokenFile?
  /// The name of the header in which trusted proxies name the sender.
  let header: String?
  let ask: Authenticate?
  let date: @Sendable () -> Date
  let executor: (any TaskExecutor)?
  let log: Log

  var isNone: Bool { tokens == nil && header == nil && ask == nil }

  func authenticate(
    _ request: HTTPRequest,
    _ sessions: @escaping HTTPHandler,
    _ done: @escaping @Sendable (Result<RequestSender?, Problem>) -> Void
  ) {
    do throws(Problem) {
      var identity = try forwarded(with: request)
      if identity == nil, let tokens { identity = tokens.identity(of: try bearer(of: request)) }
      if let identity { return done(.success(try sender(identity))) }
      guard let ask else { return done(.success(try nobody(request))) }
      Task(executorPreference: executor) { done(await asked(ask, request, sessions)) }
    } catch {
      done(.failure(error))
    }
  }

  /// Returns the sender that a trusted proxy names, if it names one.
  private func forwarded(with request: HTTPRequest) throws(Problem) -> Identity? {
    guard let header, request.isFromTrustedProxy else { return nil }
    let values = request.headers.fields.filter { $0.isNamed(header) }.map(\.value)
    guard values.count <= 1 else { throw .invalidToken }
    // Bytes that are not UTF-8 were replaced: two names could be one by now.
    guard values.first?.unicodeScalars.contains("\u{FFFD}") != true else { throw .invalidToken }
    return values.first.flatMap { $0.isEmpty ? nil : Identity(id: $0) }
  }

  /// Returns the token of `Authorization: Bearer` (RFC 6750 §2.1), if there is one.
  private func bearer(of request: HTTPRequest) throws(Problem) -> String? {
    let values = request.headers.fields.filter { $0.isNamed("Authorization") }.map(\.value)
    guard values.count <= 1 else { throw .invalidToken }
    guard let words = values.first?.split(separator: " "), words.count == 2,
      words[0].lowercased() == "bearer"
    else { return nil }
    return String(words[1])
  }

  private func asked(
    _ ask: Authenticate,
    _ request: HTTPRequest,
    _ sessions: @escaping HTTPHandler
  ) async -> Result<RequestSender?, Problem> {
    do {
      let identity = try await ask(Request(request, nil, sessions))
      return .success(try identity.map(sender) ?? nobody(request))
    } catch let error as HTTPError {
      return .failure(error.problem)
    } catch let problem as Problem {
      return .failure(problem)
    } catch {
      log.error(
        "a request could not be authenticated",
        ("request", request.id.description),
        ("error", "\(error)")
      )
      return .failure(.noAnswer)
    }
  }

  /// Returns an identity as the sender, unless it has expired or has an id that is none.
  private func sender(_ identity: Identity) throws(Problem) -> RequestSender {
    guard identity.isValid, identity.expires.map({ $0 > date() }) != false else {
      throw .invalidToken
    }
    return identity.sender
  }

  /// Returns nil for a request that nobody was found to have sent; a token that nobody knows is refused.
  private func nobody(_ request: HTTPRequest) throws(Problem) -> RequestSender? {
    if tokens != nil, try bearer(of: request) != nil { throw .invalidToken }
    return nil
  }
}
