import FusionCommandLine
import Testing

@testable import UIFusionServer
@testable import UIFusionTools

struct `The environment variable of a flag` {
  private func configuration(
    _ arguments: [String] = [],
    _ environment: [String: String]
  ) throws -> Configuration {
    let command = try CommandParser(.all, program: "shop").command(
      ["serve"] + arguments,
      environment: environment
    )
    return try #require(command as? ServeCommand).configuration
  }

  /// As `echo`, editors and other systems end a text.
  @Test(arguments: ["\n", "\r\n", " ", "\t", "\n\n", "\u{A0}", "\u{2028}", "\u{FEFF}"])
  func `is read without the white space around it`(end: String) throws {
    let values = [
      "UIFUSION_DATA": "/srv/a b", "UIFUSION_HOST": "::1", "UIFUSION_PORT": "9000",
      "UIFUSION_LOG": "json", "UIFUSION_ACCESS_LOG": "on", "UIFUSION_DRAIN": "1.5",
      "UIFUSION_ALLOW_HOST": "a.example, b.example", "UIFUSION_NODE_SECRET_FILE": "/secret",
    ]
    let configuration = try configuration([], values.mapValues { end + $0 + end })
    #expect(configuration.data == .folder("/srv/a b"))
    #expect(configuration.host == "::1")
    #expect(configuration.port == 9000)
    #expect(configuration.logFormat == .json)
    #expect(configuration.accessLog)
    #expect(configuration.drain == .milliseconds(1_500))
    #expect(configuration.allowHosts == ["a.example", "b.example"])
    #expect(configuration.nodeSecretFile == "/secret")
    let address = "postgres://user@host/x"
    let database = try self.configuration([], ["UIFUSION_DATA": address + end])
    #expect(database.data == .postgresql(address))
  }

  @Test(arguments: [
    ("ALLOW_ORIGIN", "https://exa mple.org"), ("ALLOW_HOST", "exa mple.org"),
    ("TRUSTED_PROXY", "10.0. 0.1"), ("NODE_ADDRESS", "10.0.0.3: 7946"), ("BASE_PATH", "/a b"),
    ("AUTH_HEADER", "X User"), ("PORT", "80 80"), ("LOG_LEVEL", "warn ing"),
  ])
  func `is refused with white space within a word`(name: String, text: String) {
    #expect(throws: UsageError.self) { try configuration([], ["UIFUSION_\(name)": text]) }
  }

  @Test(arguments: Flag<Configuration>.all.map(\.name))
  func `is not read if the flag is given`(name: String) throws {
    let flag = try #require(Flag<Configuration>.all.first { $0.name == name })
    // What Kubernetes and mistakes leave in it.
    for text in ["tcp://10.0.0.1:80", "", "\n", "\"", "postgres://user:geheim@ho st/x"] {
      _ = try Configuration(
        ["--\(name)", Self.value(of: flag)],
        [flag.environmentName: text],
        nil,
        Flag<Configuration>.all,
        "shop"
      )
    }
  }

  /// A value that the flag takes.
  private static func value(of flag: Flag<Configuration>) -> String {
    switch flag.name {
    case "allow-host": "example.org"
    case "allow-origin": "https://example.org"
    case "trusted-proxy": "10.0.0.0/8"
    case "csp": "img-src https://example.org"
    case "history-days": "1"
    default: flag.defaultValue
    }
  }

  @Test(arguments: Flag<Configuration>.all.map(\.environmentName))
  func `is refused if it is empty, as a lost setting would be`(name: String) {
    for text in ["", " ", "\r\n"] {
      let error = #expect(throws: UsageError.self) { try configuration([], [name: text]) }
      #expect(error?.description.hasPrefix("\(name) must be ") == true)
      #expect(error?.description.hasSuffix(", not empty") == true)
    }
  }

  @Test func `takes the word for no value`() throws {
    let names = [
      "SOCKET", "ADMIN_PORT", "AUTH_TOKENS", "AUTH_JWT", "AUTH_HEADER", "NODE_ADDRESS",
      "NODE_SECRET_FILE", "TLS_CERT",
    ]
    let variables = names.map { ("UIFUSION_\($0)", "none") } + [("UIFUSION_AUTH_JWT_ISSUER", "any")]
    let configuration = try configuration([], Dictionary(uniqueKeysWithValues: variables))
    #expect(configuration.socket == nil && configuration.adminPort == nil)
    #expect(configuration.authTokens == nil && configuration.authJWT == nil)
    #expect(configuration.authHeader == nil && configuration.authJWTIssuer == nil)
    #expect(configuration.nodeAddress == nil && configuration.nodeSecretFile == nil)
    #expect(configuration.tlsCertificate == nil)
  }

  @Test(arguments: ["tcp://10.96.0.7:80", "udp://10.0.0.1:53", "sctp://[fd00::1]:9", "tcp://db:1"])
  func `is ignored if Kubernetes has set it for a Service of that name`(address: String) throws {
    let service = [
      "UIFUSION_SERVICE_HOST": "10.96.0.7", "UIFUSION_SERVICE_PORT": "80",
      "UIFUSION_PORT": address, "UIFUSION_PORT_80_TCP": address,
      "UIFUSION_ADMIN_SERVICE_HOST": "10.96.0.8", "UIFUSION_ADMIN_PORT": address,
    ]
    let configuration = try configuration([], service)
    #expect(configuration.port == 8080)
    #expect(configuration.adminPort == nil)
    let health = try CommandParser(program: "shop").command(["health"], environment: service)
    #expect((health as? HealthCommand)?.configuration.port == 8080)
  }

  @Test func `says where such an address comes from if it is the only one`() {
    let error = #expect(throws: UsageError.self) {
      try configuration([], ["UIFUSION_PORT": "tcp://172.17.0.5:8080"])
    }
    #expect(
      error?.description
        == "UIFUSION_PORT is tcp://172.17.0.5:8080, as Kubernetes or a link of containers sets it for a service of"
        + " this name: unset it, or give --port"
    )
  }
}
