import FoundationEssentials
import FusionCommandLine
import FusionHTTPMessages
import FusionKeyedDigest
import FusionStrictJSON
import UIFusionKit

/// Cookies that say who a browser's user is, signed with the keys of a file.
///
/// The value is the identity as JSON and the HMAC-SHA-256 of it and of the cookie's name, both in base64url. The file's
/// first key signs, and every key verifies: a new key goes on top, and an old one is removed once its logins are over.
struct LoginCookies: Sendable {
  /// The identity as a cookie has it.
  private struct Login: Codable {
    let id: String
    let name: String?
    let roles: [String]?
    let claims: [String: String]?
    /// The end, in seconds since 1970.
    let expires: Int
  }

  /// The fewest bytes of a key, as many as the digest has (RFC 2104 §3).
  private static let leastKey = 32
  /// The most bytes of a cookie that browsers keep (RFC 6265 §6.1).
  private static let mostBytes = 4_096

  /// The longest time for which browsers keep a cookie, in seconds (RFC 6265bis §5.5).
  private static let longestAge = 400 * 86_400
  /// The value of a cookie whose user has logged out, so that the client tells that from a login that has expired.
  private static let loggedOut = "out"
  /// The claim that no two logins have alike, and that no identity gets.
  private static let number = "uifusion-login"

  let keys: ReloadedFile<[KeyedDigest]>
  let ended: EndedLogins

  init(_ path: String, _ ended: EndedLogins, _ log: Log) throws(CommandError) {
    self.ended = ended
    keys = try ReloadedFile(path, "cookie keys", log) { bytes, report throws(CommandError) in
      var keys: [KeyedDigest] = []
      for (place, key) in bytes.numberedLines {
        guard key.count >= Self.leastKey else {
          try report(
            CommandError(
              "line \(place) of \(path) has less than \(Self.leastKey) characters: make a key with openssl rand -hex 32"
            )
          )
          continue
        }
        keys.append(KeyedDigest(secret: Array(key)))
      }
      if keys.isEmpty {
        try report(CommandError("\(path) has no key: make one with openssl rand -hex 32"))
      }
      log.info("cookie keys read", ("file", path), ("keys", "\(keys.count)"))
      return keys
    }
  }

  /// Returns the name of the cookie.
  ///
  /// Over TLS its prefix keeps pages of other hosts, and those without TLS, from setting it (RFC 6265bis §4.1.3.2).
  private static func name(for connection: ConnectionInfo) -> String {
    connection.isEncrypted ? "__Host-uifusion-login" : "uifusion-login"
  }

  /// Returns a request's cookie, with its name; nil where it has none, or two.
  func cookie(of request: HTTPRequest) -> String? {
    let cookies = cookies(of: request)
    return cookies.count == 1 ? cookies.first : nil
  }

  private func cookies(of request: HTTPRequest) -> [String] {
    let name = Self.name(for: request.connection)
    return request.headers.all("Cookie").flatMap { $0.split(separator: ";") }
      .map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("\(name)=") }
      .map(String.init)
  }

  /// Returns whether a request's cookie says that the browser's user has logged out, or is one of theirs from before.
  func isLoggedOut(_ request: HTTPRequest) -> Bool {
    guard let cookie = cookie(of: request) else { return false }
    return cookie.hasSuffix("=\(Self.loggedOut)") || hasEnded(cookie)
  }

  /// Returns whether a cookie's login has ended before it expires.
  private func hasEnded(_ cookie: String) -> Bool {
    !ended.isEmpty && name(of: cookie).map(ended.contains) == true
  }

  /// Returns the name by which a cookie's login is known; nil if no key verifies the cookie.
  func name(of cookie: String) -> String? {
    login(in: cookie).map { Self.name(of: $0.0, $0.signature) }
  }

  /// Ends the logins of a request's cookies that are valid at a time.
  func end(_ request: HTTPRequest, at date: Date) {
    for cookie in cookies(of: request) {
      guard let (login, signature) = login(in: cookie), identity(of: cookie, at: date) != nil
      else { continue }
      // Renewals of the login may expire later than the cookie.
      let expires = date + TimeInterval(Self.longestAge)
      ended.end(Self.name(of: login, signature), expiring: expires)
    }
  }

  /// Returns the name by which a login is known: its number, or the signature of an earlier build's cookie.
  private static func name(of login: Login, _ signature: [UInt8]) -> String {
    login.claims?[number] ?? Base64URL.encoded(signature)
  }

  /// Returns what a cookie contains that a key verifies, and its signature.
  private func login(in cookie: String) -> (Login, signature: [UInt8])? {
    guard let (value, signed, signature) = Self.parts(of: cookie) else { return nil }
    let isSigned = keys.contents.reduce(false) { isSigned, key in
      KeyedDigest.areEqual(key.digest(of: signed), signature) || isSigned
    }
    guard isSigned, let bytes = Base64URL.decoded(value),
      let login = try? JSONDocument(bytes).root.decode(Login.self)
    else { return nil }
    return (login, signature)
  }

  /// Splits a cookie into its value, what of it is signed, and the signature; nil if it has another form.
  private static func parts(
    of cookie: String
  ) -> (value: Substring, signed: [UInt8], signature: [UInt8])? {
    guard let start = cookie.firstIndex(of: "="), let point = cookie.firstIndex(of: "."),
      start < point, let signature = Base64URL.decoded(cookie[cookie.index(after: point)...])
    else { return nil }
    return (cookie[cookie.index(after: start)..<point], Array(cookie[..<point].utf8), signature)
  }

  /// Returns the identity in a cookie; nil if no key verifies it, or it has expired or ended.
  func identity(of cookie: String, at date: Date) -> Identity? {
    guard let (login, signature) = login(in: cookie),
      ended.isEmpty || !ended.contains(Self.name(of: login, signature))
    else { return nil }
    let expires = Date(timeIntervalSince1970: TimeInterval(login.expires))
    guard expires > date else { return nil }
    var claims = login.claims ?? [:]
    claims[Self.number] = nil
    return Identity(
      id: login.id,
      name: login.name,
      roles: Set(login.roles ?? []),
      claims: claims,
      expires: expires
    )
  }

  /// Returns the value of `Set-Cookie` that logs a request's browser in, or out.
  ///
  /// A login of the user that the browser's cookie names already is a renewal: a logout ends both.
  ///
  /// - Throws: an error for an identity with no valid id, and for one that is too long for a cookie.
  func field(
    _ login: Response.Login,
    for request: HTTPRequest,
    at date: Date
  ) throws -> String {
    let name = Self.name(for: request.connection)
    let attributes =
      "; Path=/\(request.connection.isEncrypted ? "; Secure" : ""); HttpOnly; SameSite=Lax"
    guard case .begin(let identity, let duration) = login else {
      return "\(name)=\(Self.loggedOut)\(attributes); Max-Age=\(Self.longestAge)"
    }
    guard identity.isValid else {
      throw CommandError("an identity is not valid: \(Identity.rule)")
    }
    let seconds = min(
      duration / .seconds(1),
      identity.expires.map { $0.timeIntervalSince(date) } ?? .infinity
    )
    let age = Int(max(0, min(seconds, TimeInterval(Self.longestAge))))
    // As a claim, since earlier builds refuse members that they do not know.
    let before = cookie(of: request).flatMap { cookie in
      self.identity(of: cookie, at: date)?.id.utf8.elementsEqual(identity.id.utf8) == true
        ? self.login(in: cookie)?.0.claims : nil
    }
    let number = before?[Self.number] ?? String(UInt64.random(in: .min ... .max), radix: 36)
    let json = try StrictJSON.encode(
      Login(
        id: identity.id,
        name: identity.name,
        roles: identity.roles.isEmpty ? nil : identity.roles.sorted(),
        claims: identity.claims.merging([Self.number: number]) { $1 },
        expires: Int(date.milliseconds / 1_000) + age
      )
    )
    let signed = "\(name)=\(Base64URL.encoded(json))"
    guard let key = keys.contents.first else { throw CommandError("there is no key") }
    let cookie = "\(signed).\(Base64URL.encoded(key.digest(of: Array(signed.utf8))))"
    guard cookie.utf8.count <= Self.mostBytes else {
      throw CommandError(
        "the cookie would have \(cookie.utf8.count) bytes, and browsers keep \(Self.mostBytes)"
      )
    }
    return "\(cookie)\(attributes); Max-Age=\(age)"
  }
}
