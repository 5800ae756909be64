import FoundationEssentials
import FusionCommandLine
import FusionHTTPMessages
import FusionSessionAPI
import UIFusionKit

/// The ways in which a service finds out who sends a request: by a header of a trusted proxy, a token of the file, a
/// signed token, a cookie, or the program's own function, in this order.
struct Authenticator: Sendable {
  let tokens: TokenFile?
  /// The keys of signed tokens.
  let tokenKeys: TokenKeys?
  let cookies: LoginCookies?
  /// The name of the header in which trusted proxies name the sender.
  let header: String?
  let ask: Authenticate?
  let date: @Sendable () -> Date
  let executor: (any TaskExecutor)?
  let log: Log
  let running = RunningRoutes()

  var isNone: Bool { !hasFiles && header == nil && ask == nil }

  /// Reads the files again, or only those that have changed.
  func reload(onlyChanged: Bool = false) {
    if onlyChanged {
      tokens?.lines.check()
      tokenKeys?.file.check()
      cookies?.keys.check()
    } else {
      tokens?.lines.reload()
      tokenKeys?.file.reload()
      cookies?.keys.reload()
    }
  }

  func authenticate(
    _ request: HTTPRequest,
    _ sessions: @escaping HTTPHandler,
    _ done: @escaping @Sendable (Result<RequestSender?, Problem>) -> Void
  ) {
    do throws(Problem) {
      if let identity = try forwarded(with: request) {
        return done(.success(try sender(identity)))
      }
      // Counted before the files are used, so that a change meanwhile is noticed.
      let readings = readings
      if hasFiles, let proof = try proof(in: request), let identity = identity(by: proof) {
        let login = CheckedLogin(of: identity, self, by: proof, readings: readings)
        return done(.success(try sender(identity, login)))
      }
      guard let ask else { return done(.success(try nobody(request))) }
      running.run(on: executor) { done(await asked(ask, request, sessions)) }
    } catch {
      done(.failure(error))
    }
  }

  /// Returns the sender that a trusted proxy names, if it names one.
  private func forwarded(with request: HTTPRequest) throws(Problem) -> Identity? {
    guard let header, request.isFromTrustedProxy else { return nil }
    let values = request.headers.all(header)
    guard values.count <= 1 else { throw .invalidToken }
    // Bytes that are not UTF-8 were replaced: two names could be one by now.
    guard values.first?.unicodeScalars.contains("\u{FFFD}") != true else { throw .invalidToken }
    return values.first.flatMap { $0.isEmpty ? nil : Identity(id: $0) }
  }

  /// Returns the request's token, else its cookie, which proves the sender; nil if there is neither.
  private func proof(in request: HTTPRequest) throws(Problem) -> CheckedLogin.Proof? {
    // A revoked token must not give way to a cookie.
    if let token = try bearer(of: request) { return .token(token) }
    return cookies?.cookie(of: request).map { .cookie($0) }
  }

  /// Returns the identity that a token or a cookie stands for now; nil if there is none.
  func identity(by proof: CheckedLogin.Proof) -> Identity? {
    switch proof {
    case .token(let token):
      tokens?.identity(of: token) ?? tokenKeys?.identity(of: token, at: date())
    case .cookie(let cookie): cookies?.identity(of: cookie, at: date())
    }
  }

  /// The number of times that the files were read.
  var readings: Int {
    (tokens?.lines.readings ?? 0) + (tokenKeys?.file.readings ?? 0) + (cookies?.keys.readings ?? 0)
  }

  /// Returns the token of `Authorization: Bearer` (RFC 6750 §2.1), if there is one.
  private func bearer(of request: HTTPRequest) throws(Problem) -> String? {
    let values = request.headers.all("Authorization")
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
      return .success(
        try identity.map { try sender($0, CheckedLogin(of: $0, self)) } ?? nobody(request)
      )
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

  /// Returns an identity as the sender, unless it has expired or is not valid.
  private func sender(
    _ identity: Identity,
    _ login: CheckedLogin? = nil
  ) throws(Problem) -> RequestSender {
    guard identity.isValid else {
      log.warning("an identity is not valid and was refused", ("rule", Identity.rule))
      throw .invalidToken
    }
    guard identity.expires.map({ $0 > date() }) != false else { throw .invalidToken }
    return identity.sender(by: login)
  }

  /// Returns nil for a request without a known sender; rejects an unknown token, and a browser that has logged out.
  private func nobody(_ request: HTTPRequest) throws(Problem) -> RequestSender? {
    if tokens != nil || tokenKeys != nil, try bearer(of: request) != nil { throw .invalidToken }
    if cookies?.isLoggedOut(request) == true { throw .loggedOut }
    return nil
  }
}

extension Authenticator {
  /// Creates the authenticator of a configuration and the program's routes.
  init(
    _ configuration: Configuration,
    _ routes: Routes,
    _ dependencies: Dependencies,
    _ log: Log
  ) throws(ServiceError) {
    func open<File>(
      _ path: String?,
      _ flag: String,
      _ open: (String, Log) throws(CommandError) -> File
    ) throws(ServiceError) -> File? {
      guard let path else { return nil }
      do throws(CommandError) {
        return try open(path, log)
      } catch {
        throw ServiceError("--\(flag): \(error)")
      }
    }
    self.init(
      tokens: try open(configuration.authTokens, "auth-tokens", TokenFile.init),
      tokenKeys: try open(configuration.authJWT, "auth-jwt") { path, log throws(CommandError) in
        try TokenKeys(
          path,
          issuer: configuration.authJWTIssuer,
          audience: configuration.authJWTAudience,
          log
        )
      },
      cookies: try open(configuration.authCookies, "auth-cookies") {
        path,
        log throws(CommandError) in
        let ended = EndedLogins(dependencies.topics, dependencies.date)
        return try LoginCookies(path, ended, log)
      },
      header: try configuration.identityHeader,
      ask: routes.authenticate,
      date: dependencies.date,
      executor: dependencies.executor,
      log: log
    )
  }

  /// Changes the login of a request's browser; returns the value of `Set-Cookie` that tells the browser.
  @Sendable func change(_ login: Response.Login, of request: HTTPRequest) throws -> String {
    guard let cookies else {
      throw ServiceError("a login needs keys: start with --auth-cookies FILE")
    }
    let field = try cookies.field(login, for: request, at: date())
    if case .end = login { cookies.end(request, at: date()) }
    return field
  }

  /// Whether there are files that may change.
  var hasFiles: Bool { tokens != nil || tokenKeys != nil || cookies != nil }
}
