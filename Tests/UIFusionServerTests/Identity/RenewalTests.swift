import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A login that ends` {
  enum Kind: CaseIterable, Sendable { case token, signedToken, cookie, function }

  private let seconds = 60

  /// Logs Ada in for a minute; returns the service and the fields of her requests.
  private func logIn(_ kind: Kind) async throws -> (LoginService, String) {
    switch kind {
    case .token:
      let hosted = try LoginService()
      let expires = (hosted.date + TimeInterval(seconds)).formatted(Date.ISO8601FormatStyle())
      let line = #"{"sha256":"\#(digestOfSecret)","id":"ada","expires":"\#(expires)"}"#
      try hosted.write(tokens: [line])
      let fields = "Authorization: Bearer secret\r\n"
      while try await hosted.ask("GET /sessions/x", fields).status == 401 {
        await hosted.clock.advance(by: .seconds(1))
      }
      return (hosted, fields)
    case .signedToken:
      let folder = TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path,
        withIntermediateDirectories: true
      )
      let (key, open) = (folder.path + "/key", folder.path + "/key.pem")
      try openssl("genpkey", "-algorithm", "ED25519", "-out", key)
      try openssl("pkey", "-in", key, "-pubout", "-out", open)
      let hosted = try LoginService { $0.authJWT = open }
      let end = Int(hosted.date.timeIntervalSince1970) + seconds
      let parts = [#"{"alg":"EdDSA"}"#, #"{"sub":"ada","exp":\#(end)}"#]
      let signed = parts.map { encoded(Data($0.utf8)) }.joined(separator: ".")
      let (input, output) = (folder.path + "/input", folder.path + "/output")
      try signed.write(toFile: input, atomically: true, encoding: .utf8)
      try openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", input, "-out", output)
      let signature = encoded(try Data(contentsOf: URL(filePath: output)))
      return (hosted, "Authorization: Bearer \(signed).\(signature)\r\n")
    case .cookie:
      let hosted = try LoginService()
      return (hosted, try await hosted.logIn("ada", for: seconds))
    case .function:
      let hosted = try LoginService()
      let end = hosted.date.timeIntervalSince1970 + TimeInterval(seconds)
      return (hosted, "X-Until: \(end)\r\n")
    }
  }

  private func openssl(_ arguments: String...) throws {
    let made = try run("/usr/bin/openssl", arguments)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func encoded(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  @Test(arguments: Kind.allCases)
  func `ends its streams with a reason, and keeps the sessions`(_ kind: Kind) async throws {
    let (hosted, fields) = try await logIn(kind)
    let path = try await hosted.create(fields)
    let id = path.dropFirst("/sessions/".count)
    let streams = [
      try await hosted.follow("\(path)/events", fields),
      try await hosted.follow("/events?session=\(id)", fields),
    ]
    let another = try await hosted.follow(
      "\(path)/events",
      try await hosted.logIn("ada", for: 600)
    )
    hosted.pass(TimeInterval(seconds + 1))
    for stream in streams {
      #expect(try await hosted.rest(of: stream) == #"{"event":"end","reason":"signed-out"}"#)
    }
    #expect(try await hosted.ask("GET \(path)", fields).status == 401)
    // The stream of the valid login goes on.
    let known = try await hosted.logIn("ada", for: 600)
    let sent = try await hosted.ask("POST \(path)/inputs", known, body: #"{"note":7}"#)
    #expect(sent.status == 200)
    var text = ""
    while !text.contains("7") {
      text += String(decoding: try #require(try await another.chunk()), as: UTF8.self)
    }
    await hosted.service.stop()
  }

  @Test func `ends its streams if its token is removed, but not if the file is only reread`()
    async throws
  {
    let hosted = try LoginService()
    let line = #"{"sha256":"\#(digestOfSecret)","id":"ada"}"#
    try hosted.write(tokens: [line])
    let fields = "Authorization: Bearer secret\r\n"
    while try await hosted.ask("GET /sessions/x", fields).status == 401 {
      await hosted.clock.advance(by: .seconds(1))
    }
    let path = try await hosted.create(fields)
    let stream = try await hosted.follow("\(path)/events", fields)
    try hosted.write(tokens: ["# still", line])
    for _ in 1...3 { await hosted.clock.advance(by: .seconds(1)) }
    #expect(try await hosted.ask("POST \(path)/inputs", fields, body: #"{"note":1}"#).status == 200)
    try await hosted.read(stream, until: #""note"#)
    try hosted.write(tokens: [])
    let rest = try await hosted.rest(of: stream)
    #expect(rest.hasSuffix(#"{"event":"end","reason":"signed-out"}"#))
    await hosted.service.stop()
  }

  @Test(arguments: [30, 600])
  func `ends its streams if its expiry changes, and the token lasts until the new expiry`(
    seconds: Int
  ) async throws {
    let (hosted, fields) = try await logIn(.token)
    let path = try await hosted.create(fields)
    let stream = try await hosted.follow("\(path)/events", fields)
    let end = (hosted.date + TimeInterval(seconds)).formatted(Date.ISO8601FormatStyle())
    try hosted.write(tokens: [#"{"sha256":"\#(digestOfSecret)","id":"ada","expires":"\#(end)"}"#])
    #expect(try await hosted.rest(of: stream) == #"{"event":"end","reason":"signed-out"}"#)
    let next = try await hosted.follow("\(path)/events", fields)
    hosted.pass(TimeInterval(seconds - 10))
    #expect(try await hosted.ask("GET \(path)", fields).status == 200)
    hosted.pass(11)
    #expect(try await hosted.rest(of: next) == #"{"event":"end","reason":"signed-out"}"#)
    await hosted.service.stop()
  }

  @Test func `gets 401 for a held request, without the new State`() async throws {
    let hosted = try LoginService()
    let fields = try await hosted.logIn("ada", for: 60)
    let path = try await hosted.create(fields)
    let poll = try hosted.connect()
    poll.request("GET \(path)", fields + "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n")
    #expect(poll.raw.isQuiet(milliseconds: 50))
    hosted.pass(61)
    let known = try await hosted.logIn("ada", for: 600)
    _ = try await hosted.ask("POST \(path)/inputs", known, body: #"{"note":70707}"#)
    let answer = try #require(try await poll.response())
    #expect(answer.status == 401 && !answer.text.contains("70707"))
    await hosted.service.stop()
  }

  @Test func `ends a held request when it expires`() async throws {
    let hosted = try LoginService()
    let fields = try await hosted.logIn("ada", for: 10)
    let path = try await hosted.create(fields)
    let poll = try hosted.connect()
    poll.request("GET \(path)", fields + "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n")
    #expect(poll.raw.isQuiet(milliseconds: 50))
    hosted.pass(11)
    await hosted.clock.advance(by: .seconds(11))
    #expect(try await poll.response()?.status == 401)
    await hosted.service.stop()
  }

  @Test func `has its own Sender, with which If-Sender refuses other identities`()
    async throws
  {
    let hosted = try LoginService()
    let (ada, bob) = (
      try await hosted.logIn("ada-lovelace", for: 60), try await hosted.logIn("bob", for: 60)
    )
    let path = try await hosted.create(ada, scope: "shared")
    let mark = try #require(try await hosted.ask("GET \(path)", ada)["Sender"])
    #expect(
      try await hosted.ask("GET \(path)", bob)["Sender"] != mark && !mark.contains("ada-lovelace")
    )
    let condition = "If-Sender: \(mark)\r\n"
    func send(_ fields: String) async throws -> RawClient.Response {
      try await hosted.ask("POST \(path)/inputs", fields + condition, body: #"{"note":1}"#)
    }
    #expect(try await send(ada).status == 200)
    let refused = try await send(bob)
    #expect(refused.status == 412 && refused.text.contains("/problems/other-sender"))
    #expect(try await send("").status == 401)
    // Sessions that Bob may not know of are refused, too.
    let own = try await hosted.create(ada)
    #expect(try await hosted.ask("GET \(own)", bob + condition).status == 412)
    let unknown = try await hosted.ask("GET \(own)", bob)
    #expect(unknown.status == 404 && unknown["Sender"] == refused["Sender"])
    #expect(try await hosted.ask("PUT \(path)", bob + condition).status == 405)
    let state = try await hosted.ask("GET \(path)", ada + condition)
    #expect(state.text.contains(#"{"ada-lovelace":[1]}"#))
    await hosted.service.stop()
  }

  @Test func `is reported as logged out if the user ended it`() async throws {
    let hosted = try LoginService()
    let path = try await hosted.create(try await hosted.logIn("ada", for: 60))
    let cookie = try #require(try await hosted.ask("POST /logout")["Set-Cookie"])
    let fields = "Cookie: \(cookie.prefix { $0 != ";" })\r\n"
    let refused = try await hosted.ask("GET \(path)", fields)
    #expect(refused.status == 401 && refused.text.contains("/problems/logged-out"))
    #expect(try await hosted.ask("GET \(path)").text.contains("/problems/unauthenticated"))
    await hosted.service.stop()
    let open = try LoginService { $0.anonymous = true }
    #expect(
      try await open.ask("POST /sessions", fields, body: #"{"viewModel":"notes"}"#).status == 201
    )
    await open.service.stop()
  }

  @Test func `is reported as ended even where anonymous sessions are allowed`() async throws {
    let open = try LoginService { $0.anonymous = true }
    let ada = try await open.logIn("ada", for: 60)
    let path = try await open.create(ada, scope: "shared")
    let mark = try #require(try await open.ask("GET \(path)", ada)["Sender"])
    func send(_ fields: String) async throws -> RawClient.Response {
      try await open.ask("POST \(path)/inputs", fields, body: #"{"note":1}"#)
    }
    let condition = "If-Sender: \(mark)\r\n"
    open.pass(61)
    let expired = try await send(ada + condition)
    #expect(expired.status == 401 && expired.text.contains("/problems/unauthenticated"))
    let cookie = try #require(try await open.ask("POST /logout")["Set-Cookie"])
    let out = "Cookie: \(cookie.prefix { $0 != ";" })\r\n"
    let refused = try await send(out + condition)
    #expect(refused.status == 401 && refused.text.contains("/problems/logged-out"))
    #expect(try await send(out).status == 200)
    await open.service.stop()
  }

  @Test func `is refused with the current Sender, whose beginning differs between services`()
    async throws
  {
    var beginnings: Set<Substring> = []
    for _ in 1...2 {
      let hosted = try LoginService()
      let (ada, bob) = (
        try await hosted.logIn("ada", for: 60), try await hosted.logIn("bob", for: 60)
      )
      let path = try await hosted.create(ada, scope: "shared")
      let mark = try #require(try await hosted.ask("GET \(path)", ada)["Sender"])
      let refused = try await hosted.ask("GET \(path)", bob + "If-Sender: \(mark)\r\n")
      let other = try #require(refused["Sender"])
      #expect(refused.status == 412 && other != mark && other.prefix(8) == mark.prefix(8))
      beginnings.insert(mark.prefix(8))
      await hosted.service.stop()
    }
    #expect(beginnings.count == 2)
  }

  @Test(arguments: ["1e19", "1e300", "inf"])
  func `may end later than can be counted`(_ end: String) async throws {
    let hosted = try LoginService()
    let fields = "X-Until: \(end)\r\n"
    let path = try await hosted.create(fields)
    let answer = try await hosted.ask("GET \(path)", fields + "Prefer: wait=1\r\n")
    #expect(answer.status == 200)
    await hosted.service.stop()
  }
}

/// The SHA-256 digest of `secret`.
private let digestOfSecret = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
