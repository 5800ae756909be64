import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// Over sockets, with keys and signatures of openssl's.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A JSON Web Token` {
  private let folder = TemporaryFolder()

  private var keys: String { folder.path + "/keys.pem" }

  enum Kind: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"

    var flags: [String] {
      switch self {
      case .rs256: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
      case .es256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
      case .edDSA: ["-algorithm", "ED25519"]
      }
    }
  }

  private func openssl(_ arguments: String...) throws -> String {
    let made = try run("/usr/bin/openssl", arguments)
    try #require(made.status == 0, "\(made.errors)")
    return made.output
  }

  /// Makes a key; returns its public part in PEM.
  private func make(_ kind: Kind, _ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let key = folder.path + "/\(name)"
    let made = try run("/usr/bin/openssl", ["genpkey", "-out", key] + kind.flags)
    try #require(made.status == 0, "\(made.errors)")
    return try openssl("pkey", "-in", key, "-pubout")
  }

  private func write(_ text: String) throws {
    try text.write(toFile: keys, atomically: true, encoding: .utf8)
  }

  private func encoded(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private func signed(_ text: String, _ kind: Kind, _ name: String) throws -> Data {
    let (input, output) = (folder.path + "/input", folder.path + "/output")
    try text.write(toFile: input, atomically: true, encoding: .utf8)
    let key = folder.path + "/\(name)"
    if kind == .edDSA {
      _ = try openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", input, "-out", output)
    } else {
      _ = try openssl("dgst", "-sha256", "-sign", key, "-out", output, input)
    }
    let bytes = try Data(contentsOf: URL(filePath: output))
    return kind == .es256 ? numbers(of: Array(bytes)) : bytes
  }

  /// Returns the two numbers of a signature in DER, with 32 bytes each.
  private func numbers(of der: [UInt8]) -> Data {
    var rest = der.dropFirst(2)
    var numbers = Data()
    while rest.count > 2 {
      let count = Int(rest[rest.startIndex + 1])
      let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
      numbers += Data(count: 32 - digits.count) + digits
      rest = rest.dropFirst(2 + count)
    }
    return numbers
  }

  private func token(
    _ claims: String,
    _ kind: Kind = .edDSA,
    header: String? = nil,
    by name: String = "key"
  ) throws -> String {
    let header = header ?? #"{"alg":"\#(kind.rawValue)","typ":"JWT"}"#
    let text = encoded(Data(header.utf8)) + "." + encoded(Data(claims.utf8))
    return text + "." + encoded(try signed(text, kind, name))
  }

  private func claims(_ more: String = "", expiringIn seconds: Int = 600) -> String {
    #"{"sub":"ada","exp":\#(Int(Date.now.timeIntervalSince1970) + seconds)\#(more)}"#
  }

  private func hosted(_ configure: (inout Configuration) -> Void = { _ in }) throws -> HostedRoutes
  {
    try HostedRoutes {
      $0.authJWT = keys
      configure(&$0)
    } _: { routes in
      routes.get("/me") { request in
        guard let me = request.identity else { return "nobody" }
        return "\(me.id) \(me.name ?? "-") \(me.roles.sorted()) \(me.claims)"
      }
    }
  }

  private func status(_ hosted: HostedRoutes, _ token: String) async throws -> Int? {
    let fields = "Authorization: Bearer \(token)\r\n"
    return try await hosted.ask("POST /sessions", fields, body: #"{"viewModel":"tally"}"#)?.status
  }

  @Test(arguments: Kind.allCases)
  func `identifies its sender if it is signed with any of the file's keys`(kind: Kind) async throws
  {
    let others = try Kind.allCases.map { try make($0, "other-\($0)") }
    try write("# keys\n" + others.joined() + (try make(kind, "key")))
    let hosted = try hosted()
    let more = #","name":"Ada L.","roles":["editor","admin"],"email":"a@b.c","level":3"#
    let token = try token(claims(more), kind)
    let me = try await hosted.ask("GET /me", "Authorization: Bearer \(token)\r\n")
    #expect(me?.text == #"ada Ada L. ["admin", "editor"] ["email": "a@b.c"]"#)
    #expect(try await status(hosted, token) == 201)
    #expect(try await status(hosted, token) == 201)
    // Another signature, another text, and no signature.
    let parts = token.split(separator: ".")
    let stranger = try self.token(claims(#","x":"y""#), kind).split(separator: ".")
    for forged in [
      "\(parts[0]).\(parts[1]).\(stranger[2])", "\(parts[0]).\(stranger[1]).\(parts[2])",
      "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "\(token).x", "\(token)=", "x.y.z",
    ] {
      #expect(try await status(hosted, forged) == 401, "\(forged)")
    }
    #expect(try await hosted.ask("POST /sessions", body: #"{"viewModel":"tally"}"#)?.status == 401)
    await hosted.service.stop()
  }

  @Test func `is refused if it names another algorithm than its key's`() async throws {
    let pem = try make(.rs256, "key")
    try write(pem)
    let hosted = try hosted()
    let good = try token(claims(), .rs256)
    #expect(try await status(hosted, good) == 201)
    // The public key as the secret of a MAC.
    let text =
      encoded(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + encoded(Data(claims().utf8))
    let (input, output) = (folder.path + "/input", folder.path + "/output")
    try text.write(toFile: input, atomically: true, encoding: .utf8)
    let secret = Data(pem.utf8).map { String(format: "%02x", $0) }.joined()
    _ = try openssl(
      "dgst",
      "-sha256",
      "-mac",
      "HMAC",
      "-macopt",
      "hexkey:\(secret)",
      "-binary",
      "-out",
      output,
      input
    )
    let mac = text + "." + encoded(try Data(contentsOf: URL(filePath: output)))
    #expect(try await status(hosted, mac) == 401)
    for header in [
      #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS256"}"#, #"{"alg":"ES256"}"#,
      #"{"alg":"EdDSA"}"#, #"{"alg":"RS384"}"#, #"{"alg":"rs256"}"#, #"{"alg":7}"#, "{}",
      #"{"alg":"RS256","crit":["x"]}"#, #"{"alg":"RS256","alg":"RS256"}"#, "[]",
    ] {
      let token = try token(claims(), .rs256, header: header)
      #expect(try await status(hosted, token) == 401, "\(header)")
    }
    let unsigned = encoded(Data(#"{"alg":"none"}"#.utf8)) + "." + encoded(Data(claims().utf8)) + "."
    #expect(try await status(hosted, unsigned) == 401)
    await hosted.service.stop()
  }

  @Test func `is valid only in its time, from its issuer and for its audience`() async throws {
    try write(try make(.edDSA, "key"))
    let now = Int(Date.now.timeIntervalSince1970)
    let any = try hosted()
    let strict = try hosted {
      $0.authJWTIssuer = "https://login.example"
      $0.authJWTAudience = "board"
    }
    let rows: [(claims: String, any: Int, strict: Int)] = [
      (claims(), 201, 401),
      (claims(expiringIn: -1), 401, 401),
      (#"{"sub":"ada"}"#, 401, 401),
      (#"{"sub":"ada","exp":"\#(now + 600)"}"#, 401, 401),
      (#"{"exp":\#(now + 600)}"#, 401, 401),
      (#"{"sub":"","exp":\#(now + 600)}"#, 401, 401),
      (#"{"sub":7,"exp":\#(now + 600)}"#, 401, 401),
      (claims(#","nbf":\#(now + 300)"#), 401, 401),
      (claims(#","iat":\#(now + 300)"#), 401, 401),
      (claims(#","nbf":\#(now - 1),"iat":\#(now + 5)"#), 201, 401),
      (claims(#","nbf":\#(now - 1),"iat":\#(now + 300)"#), 401, 401),
      (claims(#","nbf":"soon""#), 401, 401),
      (claims(#","iss":"https://login.example""#), 201, 401),
      (claims(#","iss":"https://login.example","aud":"board""#), 401, 201),
      (claims(#","iss":"https://login.example","aud":["x","board"]"#), 401, 201),
      (claims(#","iss":"https://login.example","aud":["x"]"#), 401, 401),
      (claims(#","iss":"https://login.example","aud":7"#), 401, 401),
      (claims(#","iss":"https://other.example","aud":"board""#), 401, 401),
      (claims(#","iss":7"#), 401, 401),
      (claims(#","roles":"admin""#), 201, 401),
      (claims(#","roles":[1]"#), 401, 401),
    ]
    for row in rows {
      let token = try token(row.claims)
      #expect(try await status(any, token) == row.any, "\(row.claims)")
      #expect(try await status(strict, token) == row.strict, "\(row.claims)")
    }
    await any.service.stop()
    await strict.service.stop()
  }

  @Test func `is verified with the keys that the file has now`() async throws {
    let old = try make(.edDSA, "key")
    let new = try make(.es256, "new")
    try write(old)
    let hosted = try hosted()
    let (first, second) = (try token(claims()), try token(claims(), .es256, by: "new"))
    #expect(try await status(hosted, first) == 201)
    #expect(try await status(hosted, second) == 401)
    try write(new)
    while try await status(hosted, second) != 201 {}
    #expect(try await status(hosted, first) == 401)
    // A damaged key does not keep the removed one, nor spoil the others.
    try write(new.replacing("MF", with: "MG") + old)
    while try await status(hosted, first) != 201 {}
    #expect(try await status(hosted, second) == 401)
    try write("nothing")
    while try await status(hosted, first) != 401 {}
    await hosted.service.stop()
  }

  @Test func `needs a file of strong public keys only`() throws {
    let good = try make(.edDSA, "key")
    _ = try openssl(
      "genpkey",
      "-out",
      folder.path + "/weak",
      "-algorithm",
      "RSA",
      "-pkeyopt",
      "rsa_keygen_bits:1024"
    )
    _ = try openssl(
      "genpkey",
      "-out",
      folder.path + "/p384",
      "-algorithm",
      "EC",
      "-pkeyopt",
      "ec_paramgen_curve:P-384"
    )
    let files: [(text: String, error: String)] = [
      ("", "not a JWKS"),
      (#"{"keys":[]}"#, "no keys in"),
      ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "openssl x509 -pubkey"),
      ("-----BEGIN RSA PUBLIC KEY-----\nAAAA\n", "openssl rsa -RSAPublicKey_in -pubout"),
      (
        good + (try String(contentsOfFile: folder.path + "/key", encoding: .utf8)),
        "PEM public keys (BEGIN PUBLIC KEY)"
      ),
      (good + (try openssl("pkey", "-in", folder.path + "/weak", "-pubout")), "key 2 of"),
      (try openssl("pkey", "-in", folder.path + "/p384", "-pubout"), "key 1 of"),
      ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "key 1 of"),
      (String(good.dropLast(30)), "no keys in"),
    ]
    for file in files {
      try write(file.text)
      let started = try run(executable.path, ["serve", "--port", "0", "--auth-jwt", keys])
      #expect(started.status == 1 && started.errors.contains(file.error), "\(started.errors)")
      #expect(started.errors.contains("--auth-jwt"))
    }
  }
}
