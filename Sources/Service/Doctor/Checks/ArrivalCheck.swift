import FusionStrictJSON

/// The check that requests arrive at the service as they were sent.
enum ArrivalCheck: Check {
  static let name = "arrival"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let request = deployment.request("/connection")
    let answer = try await deployment.curl.run(request)
    deployment.route = Route(answer.json)
    guard let route = deployment.route else {
      let finding = judge(untold: answer, deployment.url).shown(by: request.line)
      deployment.isUsable = finding.level != .failure
      return [finding]
    }
    return judge(route, deployment.url).shown(by: request.line)
  }

  /// Judges an answer that is not that of `/connection`.
  static func judge(untold answer: CurlAnswer, _ url: ServiceURL) -> Finding {
    if answer.status == 404, answer.isService {
      return .skipped("this version of the service does not tell how requests arrive")
    }
    // `/healthz` is answered whatever the host.
    if answer.status == 421, answer.isService {
      return .failure(
        "the service refuses the host that arrives: 421",
        [
          .host,
          "the service: --trusted-proxy ADDRESS of the proxy, or --allow-host \(url.authority)",
        ]
      )
    }
    return .failure(
      "connection is answered \(answer.outcome)",
      ["the proxy hands on healthz, and not all below \(url.text)/"]
    )
  }

  static func judge(_ route: Route, _ url: ServiceURL) -> [Finding] {
    var findings: [Finding] = []
    func fail(_ text: String, _ advice: [Advice]) {
      findings.append(.failure(text, advice))
    }
    if route.protocolVersion == "HTTP/1.0" {
      fail(
        "the proxy speaks HTTP/1.0 to the service: a connection for each request",
        [.protocolVersion]
      )
    }
    if route.basePath != url.basePath {
      fail(
        "the service takes \(named(route.basePath)) for its base path, not \(named(url.basePath))",
        [basePathAdvice(url)]
      )
    }
    let isForeign = route.scheme != url.scheme || !isSame(route.host, url)
    if route.forwarded == .ignored {
      let seen = isForeign ? ": it sees \(route.scheme)://\(route.host)" : ""
      fail(
        "the service ignores what the proxy forwards\(seen)",
        ["the service: --trusted-proxy ADDRESS, the one from which the proxy connects"]
      )
    } else {
      if route.scheme != url.scheme {
        fail(
          "the service sees \(route.scheme), not \(url.scheme): missing forwarded scheme",
          [.scheme, "the service: --trusted-proxy ADDRESS of the proxy"]
        )
      }
      if !isSame(route.host, url) {
        fail(
          "the service sees the host \(route.host), not \(url.authority)",
          [
            .host,
            "or X-Forwarded-Host, and the service with --trusted-proxy ADDRESS of the proxy",
          ]
        )
      }
    }
    if route.forwarded == .believed, route.client == nil {
      fail("the client's address does not arrive: all clients share one limit", [.client])
    }
    guard findings.isEmpty else { return findings }
    let through = route.forwarded == .believed ? ", as a trusted proxy forwards it" : ""
    return [
      .ok("\(route.protocolVersion), \(route.scheme)://\(route.host)\(route.basePath)\(through)")
    ]
  }

  private static func named(_ path: String) -> String { path.isEmpty ? "/" : path }

  private static func basePathAdvice(_ url: ServiceURL) -> Advice {
    url.basePath.isEmpty
      ? "the service: no --base-path, or give doctor the URL with it"
      : "the service: --base-path \(url.basePath), or Location and links lead elsewhere"
  }

  /// Whether a host is the URL's; the scheme's default port may be left out (RFC 9110 §4.2.3).
  private static func isSame(_ host: String, _ url: ServiceURL) -> Bool {
    ServiceURL("\(url.scheme)://\(host)")?.authority == url.authority
  }
}
