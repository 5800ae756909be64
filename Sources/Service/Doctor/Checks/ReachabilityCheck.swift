import FusionStrictJSON

/// The check that the URL leads to the service.
enum ReachabilityCheck: Check {
  static let name = "reach"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let request = deployment.request("/healthz")
    // `TLSCheck` judges the certificate.
    let alive = try await deployment.curl.run(request, insecure: true)
    deployment.proxy = ProxyKind(server: alive.head?["Server"])
    deployment.head = alive.head
    let ready =
      alive.status == 200
      ? try await deployment.curl.run(deployment.request("/readyz"), insecure: true) : nil
    let address = try await secureAddress(alive, deployment)
    let findings = judge(alive, ready, deployment.url, request.line, secureAddress: address)
    deployment.isUsable = findings.allSatisfy { $0.level != .failure }
    return findings
  }

  /// Returns the URL with `https` if plain HTTP was sent to a port that speaks TLS: nginx and Apache answer 400
  /// then, others hang up.
  private static func secureAddress(
    _ alive: CurlAnswer,
    _ deployment: Deployment
  ) async throws -> String? {
    let url = deployment.url
    guard url.scheme == "http", alive.head.map({ $0.status == 400 }) ?? isHungUp(alive.exit) else {
      return nil
    }
    let address = "https://\(url.host):\(url.port ?? 80)\(url.basePath)"
    let secure = CurlRequest(address + "/healthz")
    return try await deployment.curl.run(secure, insecure: true).head == nil ? nil : address
  }

  /// Judges the answers of `healthz` and, if it was asked, `readyz`; the secure address is the URL to use instead.
  static func judge(
    _ alive: CurlAnswer,
    _ ready: CurlAnswer?,
    _ url: ServiceURL,
    _ command: String,
    secureAddress: String? = nil
  ) -> [Finding] {
    if let secureAddress {
      return [.failure("this port speaks TLS", ["use https://: \(secureAddress)"], command)]
    }
    guard let head = alive.head else {
      return [
        .failure("no answer: \(alive.error)", ["\(advice(exit: alive.exit, url))"], command)
      ]
    }
    if head.status == 200, alive.isHealth {
      guard let ready, ready.status == 200 else {
        return [
          .failure(
            "healthz answers 200, readyz \(ready?.outcome ?? "nothing")",
            ["the service starts, stops, or cannot reach its store: its log says why"],
            command.replacing("/healthz", with: "/readyz")
          )
        ]
      }
      return [.ok("healthz and readyz answer 200 under \(url.text)")]
    }
    if [502, 503, 504].contains(head.status), !alive.isService {
      return [
        .failure(
          "\(head.status) of the proxy: it does not reach the service",
          [
            "is the service up, and does it listen where the proxy sends requests?",
            "look at the proxy's error log; with --socket: may the proxy's user open the file?",
          ],
          command
        )
      ]
    }
    let misled = misled(alive, head, url)
    return [.failure(misled.text, misled.advice, command)]
  }

  /// Explains a URL whose path leads elsewhere, with advice.
  private static func misled(_ alive: CurlAnswer, _ head: MessageHead, _ url: ServiceURL) -> (
    text: String, advice: [Advice]
  ) {
    let place = url.basePath.isEmpty ? "/" : url.basePath
    let path = url.basePath.split(separator: "/")
    if let file = path.last, file.lowercased().hasSuffix(".html") {
      let address = url.origin + path.dropLast().map { "/" + $0 }.joined()
      return (
        "\(file) is a page, not the address of the service",
        ["give the service's address without the page: \(address)"]
      )
    }
    // The type of a problem begins with the base path that the service has.
    let type = alive.json?["type"]?.string ?? ""
    if !url.basePath.isEmpty, head.status == 404, type.hasPrefix(url.basePath + "/problems/") {
      return (
        "the base path \(url.basePath) is right, but the proxy sends another path",
        [.path]
      )
    }
    let text =
      alive.isService
      ? "the service does not know \(url.basePath)/healthz: prefix not stripped, or no --base-path"
      : "healthz under \(place) is answered \(head.status) by something else"
    let own =
      url.basePath.isEmpty
      ? "give the whole URL: is the service below a path, as https://example.org/app is?"
      : "the service: --base-path \(url.basePath), which serves paths with the prefix and without it"
    return (text, ["\(own)", .prefix])
  }

  private static func isHungUp(_ exit: CInt) -> Bool { [1, 8, 52, 56].contains(exit) }

  /// Returns the advice for an exit code of `curl` (curl(1), EXIT CODES).
  private static func advice(exit: CInt, _ url: ServiceURL) -> String {
    switch exit {
    case 6: "the name \(url.host) has no address: look at the DNS"
    case 7: "nobody listens there: is the proxy up, and does a firewall let its port through?"
    case 28: "it does not answer in time: is the service up, and does a firewall drop packets?"
    case 35:
      "the other side does not speak TLS: is the port right, and does the proxy have a certificate?"
    case _ where isHungUp(exit):
      "the answer is not HTTP, or the connection was closed: \(url.scheme) may be the wrong scheme for this port"
    default: "see what curl says, in curl(1), EXIT CODES: \(exit)"
    }
  }
}

extension CurlAnswer {
  /// Whether the service itself answered, by its header or the type of its problems.
  var isService: Bool {
    head?["X-Request-Id"] != nil
      || head?["Content-Type"]?.hasPrefix("application/problem+json") == true
  }

  /// Whether the answer is that of `healthz`, and not a page with status 200.
  fileprivate var isHealth: Bool { head?["Content-Type"]?.hasPrefix("text/html") != true }
}
