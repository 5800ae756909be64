import FusionRawHTTP
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A TLS connection` {
  private func offers(
    _ lists: [(list: [String], isTaken: Bool)],
    _ algorithm: String
  ) throws {
    let files = try Certificate(algorithm)
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    for (offer, isTaken) in lists {
      let address = "127.0.0.1:\(service.port)"
      let client = try run("/usr/bin/openssl", ["s_client", "-connect", address] + offer)
      #expect((client.status == 0) == isTaken, "\(offer): \(client.errors)")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `uses version 1.2 or 1.3, ephemeral keys and authenticated ciphers`()
    throws
  {
    try offers(
      [
        (["-tls1_3"], true), (["-tls1_2"], true),
        (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], false),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"], true),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES256-GCM-SHA384"], true),
        (["-tls1_2", "-cipher", "ECDHE-RSA-CHACHA20-POLY1305"], true),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384"], false),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA"], false),
        (["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"], false),
        (["-tls1_2", "-cipher", "kRSA"], false),
        (["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"], true),
        (["-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256"], false),
        (["-tls1_3", "-groups", "X25519"], true), (["-tls1_3", "-groups", "P-256"], true),
        (["-tls1_3", "-groups", "ffdhe2048"], false),
      ],
      "rsa:2048"
    )
  }

  @Test func `uses the same with an elliptic curve certificate`() throws {
    try offers(
      [
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"], true),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], true),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-CCM"], false),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384"], false),
      ],
      "ec"
    )
  }

  /// Returns the `max-age` of Strict-Transport-Security in the answer to each path; nil if the answer does
  /// not have the header once.
  private func securities(
    _ flags: [String],
    host: String = "localhost",
    paths: [String] = ["/"]
  ) throws -> [Int?] {
    let files = try Certificate()
    let service = try ServiceProcess(
      flags: ["--tls-cert", files.certificate, "--tls-key", files.key] + flags
    )
    defer { service.kill() }
    return try paths.map { path in
      let url = "https://127.0.0.1:\(service.port)\(path)"
      let curl = try run(
        "/usr/bin/curl",
        ["-ksSi", "--max-time", "20", "--path-as-is", "-H", "Host: \(host)", url]
      )
      let text = curl.output.lowercased()
      let ages = text.matches(of: /strict-transport-security: max-age=([0-9]+)\r\n/)
      return ages.count == 1 ? Int(ages[0].output.1) : nil
    }
  }

  @Test func `has HSTS in every answer`() throws {
    let paths = ["/", "/healthz", "/nothing", "/%zz", "/sessions/x/events", "/metrics"]
    #expect(try securities(["--host", "0.0.0.0"], paths: paths) == paths.map { _ in 31_536_000 })
    #expect(try securities(["--allow-host", "a.example"], host: "a.example") == [31_536_000])
    #expect(try securities(["--host", "0.0.0.0", "--hsts", "600"]) == [600])
  }

  /// HSTS would apply to all services on localhost.
  @Test func `has HSTS for a minute at most if only this machine is served`() throws {
    #expect(try securities([]) == [60])
    #expect(try securities(["--hsts", "30"]) == [30])
  }

  @Test func `has no HSTS if it is turned off, nor has plain HTTP`() throws {
    #expect(try securities(["--host", "0.0.0.0", "--hsts", "0"]) == [nil])
    let service = try ServiceProcess("--host", "0.0.0.0")
    let client = try service.connect()
    client.request("GET /")
    #expect(try client.response()?["Strict-Transport-Security"] == nil)
  }
}
