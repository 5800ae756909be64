import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A login` {
  private let folder = TemporaryFolder()
  private let old = String(repeating: "old-", count: 8)
  private let new = String(repeating: "new-", count: 8)
  private let body = #"{"viewModel":"tally"}"#

  private var keys: String { folder.path + "/keys" }

  private func write(_ lines: String...) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try lines.joined(separator: "\n").write(toFile: keys, atomically: true, encoding: .utf8)
  }

  private func hosted(
    configure: (inout Configuration) -> Void = { _ in }
  ) throws -> HostedRoutes {
    try HostedRoutes {
      $0.authCookies = keys
      configure(&$0)
    } _: { routes in
      routes.post("/login/{id}/{seconds}") { request in
        var identity = Identity(id: try request.parameter("id"), roles: ["editor", "admin"])
        identity.claims["text"] = request.headers["X-Claim"]
        identity.expires = request.headers["X-Left"].flatMap(Double.init).map { .now + $0 }
        var response = Response(204)
        response.logIn(identity, for: .seconds(try request.parameter("seconds", as: Int.self)))
        return response
      }
      routes.post("/logout") { _ in
        var response = Response(204)
        response.logOut()
        return response
      }
      routes.get("/me") { request in
        request.identity.map { "\($0.id) \($0.roles.sorted())" } ?? "nobody"
      }
    }
  }

  /// Returns the field `Cookie` that a browser sends after a login.
  private func logIn(
    _ hosted: HostedRoutes,
    _ id: String = "ada",
    for seconds: Int = 3_600,
    _ fields: String = ""
  ) async throws -> String {
    let response = try await hosted.ask("POST /login/\(id)/\(seconds)", fields)
    let cookie = try #require(response?["Set-Cookie"])
    return "Cookie: theme=dark; \(cookie.prefix { $0 != ";" }); x=y\r\n"
  }

  @Test func `is a cookie that no script reads and no other site sends`() async throws {
    try write("# the newest first", "", new)
    let hosted = try hosted()
    let response = try #require(try await hosted.ask("POST /login/ada/3600"))
    let cookie = try #require(response["Set-Cookie"])
    #expect(cookie.hasPrefix("uifusion-login=") && response["Cache-Control"] == "no-store")
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600"))
    let known = try await logIn(hosted)
    #expect(try await hosted.ask("GET /me", known)?.text == #"ada ["admin", "editor"]"#)
    let created = try await hosted.ask("POST /sessions", known, body: body)
    let path = try #require(created?["Location"])
    #expect(try await hosted.ask("GET \(path)", known)?.status == 200)
    let bob = try await logIn(hosted, "bob")
    #expect(try await hosted.ask("GET \(path)", bob)?.status == 404)
    #expect(try await hosted.ask("GET \(path)")?.status == 401)
    let foreign = known + "Origin: https://elsewhere.example\r\n"
    #expect(
      try await hosted.ask("POST \(path)/inputs", foreign, body: #"{"add":1}"#)?.status == 403
    )
    let ended = try await hosted.ask("POST /logout")
    #expect(
      ended?["Set-Cookie"] == "uifusion-login=out; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000"
    )
    #expect(try await hosted.ask("GET /me", "Cookie: uifusion-login=\r\n")?.text == "nobody")
    await hosted.service.stop()
  }

  @Test func `is ignored if a token is sent, too`() async throws {
    try write(new)
    let tokens = folder.path + "/tokens"
    try "".write(toFile: tokens, atomically: true, encoding: .utf8)
    let hosted = try hosted { $0.authTokens = tokens }
    let known = try await logIn(hosted)
    #expect(try await hosted.ask("POST /sessions", known, body: body)?.status == 201)
    let revoked = known + "Authorization: Bearer revoked\r\n"
    #expect(try await hosted.ask("POST /sessions", revoked, body: body)?.status == 401)
    await hosted.service.stop()
  }

  @Test func `ends with the identity, and after 400 days at most`() async throws {
    try write(new)
    let hosted = try hosted()
    let soon = try await hosted.ask("POST /login/ada/3600", "X-Left: 60\r\n")
    let age = try #require(soon?["Set-Cookie"]?.split(separator: "Max-Age=").last)
    #expect(try #require(Int(age)) <= 60)
    let late = try await hosted.ask("POST /login/ada/99999999")
    #expect(late?["Set-Cookie"]?.hasSuffix("Max-Age=34560000") == true)
    await hosted.service.stop()
  }

  @Test func `is bound to the host over TLS`() async throws {
    try write(new)
    let hosted = try hosted { $0.trustedProxies = ["127.0.0.1"] }
    let secure = "X-Forwarded-Proto: https\r\n"
    let response = try await hosted.ask("POST /login/ada/60", secure)
    let cookie = try #require(response?["Set-Cookie"])
    #expect(cookie.hasPrefix("__Host-uifusion-login="))
    #expect(cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60"))
    let known = try await logIn(hosted, for: 60, secure)
    #expect(try await hosted.ask("GET /me", secure + known)?.text.hasPrefix("ada") == true)
    // A page without TLS may set the other name, so neither name is accepted for the other.
    let renamed = known.replacing("__Host-", with: "")
    #expect(try await hosted.ask("GET /me", secure + renamed)?.text == "nobody")
    #expect(try await hosted.ask("GET /me", renamed)?.text == "nobody")
    #expect(try await hosted.ask("GET /me", known)?.text == "nobody")
    await hosted.service.stop()
  }

  @Test func `is ignored if it is forged, doubled, changed or expired`() async throws {
    try write(new)
    let hosted = try hosted()
    let known = try await logIn(hosted)
    let value = try #require(known.firstMatch(of: /uifusion-login=([^;]*)/)?.1)
    let parts = value.split(separator: ".")
    let mallory = Data(#"{"id":"eve","expires":9999999999}"#.utf8).base64EncodedString()
      .replacing("=", with: "")
    let forged = [
      "\(mallory).\(parts[1])", "\(mallory).", mallory, "\(parts[0])", "\(parts[0]).",
      ".\(parts[1])", "\(value)x", "\(value).x", "\(parts[1]).\(parts[0])", "", ".",
      value.lowercased(), "é", "\(value); uifusion-login=\(value)",
    ]
    for value in forged {
      let fields = "Cookie: uifusion-login=\(value)\r\n"
      #expect(try await hosted.ask("GET /me", fields)?.text == "nobody", "\(value)")
      #expect(try await hosted.ask("POST /sessions", fields, body: body)?.status == 401)
    }
    let over = try await logIn(hosted, for: 0)
    #expect(try await hosted.ask("GET /me", over)?.text == "nobody")
    await hosted.service.stop()
  }

  @Test func `inherits neither a login nor sessions that were planted in the browser`()
    async throws
  {
    try write(new)
    let hosted = try hosted()
    let planted = try await logIn(hosted, "mallory")
    let trap = try await hosted.ask("POST /sessions", planted, body: body)
    let path = try #require(trap?["Location"])
    // The victim's browser has the attacker's cookie, logs in, and opens the attacker's link.
    let known = try await logIn(hosted, "ada", for: 3_600, planted)
    #expect(known != planted)
    #expect(try await hosted.ask("GET /me", known)?.text.hasPrefix("ada") == true)
    #expect(try await hosted.ask("GET /me", planted)?.text.hasPrefix("mallory") == true)
    #expect(try await hosted.ask("GET \(path)", known)?.status == 404)
    let own = try await hosted.ask("POST /sessions", known, body: body)
    let mine = try #require(own?["Location"])
    #expect(try await hosted.ask("GET \(mine)", planted)?.status == 404)
    await hosted.service.stop()
  }

  @Test func `is valid while its key is anywhere in the file`() async throws {
    try write(old)
    let before = try hosted()
    let known = try await logIn(before)
    await before.service.stop()
    try write(new, old)
    let both = try hosted()
    #expect(try await both.ask("GET /me", known)?.text.hasPrefix("ada") == true)
    let signed = try await logIn(both)
    await both.service.stop()
    try write(new)
    let after = try hosted()
    #expect(try await after.ask("GET /me", known)?.text == "nobody")
    #expect(try await after.ask("GET /me", signed)?.text.hasPrefix("ada") == true)
    await after.service.stop()
  }

  @Test(arguments: ["too short", "short\nNEW", "NEW\nalso too short\n", "", "# none"])
  func `is invalid once its key has left the file, whatever else is there`(
    text: String
  ) async throws {
    try write(old, new)
    let hosted = try hosted()
    let known = try await logIn(hosted)
    try write(text.replacing("NEW", with: new))
    while try await hosted.ask("GET /me", known)?.text != "nobody" {}
    // What is valid in the file is used.
    if text.contains("NEW") {
      let signed = try await logIn(hosted)
      #expect(try await hosted.ask("GET /me", signed)?.text.hasPrefix("ada") == true)
    }
    await hosted.service.stop()
  }

  @Test func `is the route's error if it is too large, has an invalid id or no key`() async throws {
    try write(new)
    let hosted = try hosted()
    let long = "X-Claim: \(String(repeating: "x", count: 4_000))\r\n"
    let response = try #require(try await hosted.ask("POST /login/ada/60", long))
    #expect(response.status == 500 && response["Set-Cookie"] == nil)
    #expect(try await hosted.ask("POST /login/a%0Ab/60")?.status == 500)
    await hosted.service.stop()
    let keyless = try HostedRoutes { routes in
      routes.post("/login") { _ in
        var response = Response(204)
        response.logIn(Identity(id: "ada"), for: .seconds(60))
        return response
      }
    }
    #expect(try await keyless.ask("POST /login")?.status == 500)
    await keyless.service.stop()
  }

  @Test(arguments: ["", "# no key\n", "too short"])
  func `needs keys that cannot be guessed`(text: String) throws {
    try write(text)
    let error = #expect(throws: ServiceError.self) { try hosted() }
    #expect(error?.description.contains("openssl rand -hex 32") == true)
  }
}
