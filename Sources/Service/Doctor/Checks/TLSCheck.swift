import Glibc

/// The check of TLS between client and proxy.
enum TLSCheck: Check {
  static let name = "tls"

  /// The observed facts about TLS.
  struct Observation {
    /// The reason why the certificate does not verify; nil if it does.
    var complaint: String?
    /// The start of the certificate in Unix time, like its expiry; nil if `curl` does not tell.
    var start: Int?
    var expiry: Int?
    var version: String?
    /// Whether the answer has `Strict-Transport-Security`; nil for a loopback name, for which the service does not
    /// send it, since browsers would apply it to every service there.
    var hasStrictTransport: Bool? = true
    /// The answer of plain HTTP; nil if it was not asked, or nothing listens there.
    var plain: Plain?

    struct Plain: Equatable {
      let status: Int
      let location: String
    }
  }

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let url = deployment.url
    guard url.scheme == "https" else {
      return [
        .skipped(
          "plain http: traffic can be read and changed on its way; use it in a trusted network only"
        )
      ]
    }
    let request = deployment.request("/healthz", options: ["-v"])
    var log = try await deployment.curl.log(request)
    var observation = Observation()
    if !deployment.curl.isInsecure, log.exit != 0 {
      observation.complaint = log.error
      log = try await deployment.curl.log(request, insecure: true)
      deployment.isUsable = false
    } else if deployment.curl.isInsecure {
      let strict = Curl(time: deployment.curl.time, isInsecure: false)
      let verdict = try await strict.log(request)
      if verdict.exit != 0 { observation.complaint = verdict.error }
    }
    observation.start = log.start
    observation.expiry = log.expiry
    observation.version = log.tlsVersion
    if url.isLoopback {
      observation.hasStrictTransport = nil
    } else {
      observation.hasStrictTransport =
        deployment.head?["Strict-Transport-Security"].map(isStrict) ?? false
    }
    if url.port == nil {
      let plain = CurlRequest("http://\(url.host)\(url.basePath)/")
      if let head = try await deployment.curl.run(plain).head {
        observation.plain = .init(status: head.status, location: head["Location"] ?? "")
      }
    }
    return judge(observation, now: time(nil), request.line)
  }

  /// Judges an observation at a Unix time.
  static func judge(_ observed: Observation, now: Int, _ command: String) -> [Finding] {
    [
      verdict(observed, command), expiry(observed, now: now, command),
      version(observed, command), strictTransport(observed, command),
      redirect(observed),
    ].compactMap { $0 }
  }

  private static func verdict(_ observed: Observation, _ command: String) -> Finding {
    guard let complaint = observed.complaint else { return .ok("the certificate verifies") }
    return .failure(
      "the certificate does not verify: \(complaint)",
      [
        "serve it with its whole chain, for this name; a CA of one's own: CURL_CA_BUNDLE=ca.pem",
        "--insecure goes on with the other checks all the same",
      ],
      command
    )
  }

  private static func expiry(_ observed: Observation, now: Int, _ command: String) -> Finding? {
    guard let expiry = observed.expiry else { return nil }
    let (day, left) = (86_400, expiry - now)
    let time = left < 2 * day ? "\(left / 3600) hours" : "\(left / day) days"
    let text = left < 0 ? "the certificate has expired" : "the certificate expires in \(time)"
    let advice: [Advice] = [
      "renew it, and reload the proxy: is the job that renews it running?"
    ]
    // A certificate for few days is usually renewed when a third of them is left.
    let life = observed.start.map { expiry - $0 } ?? .max
    if left < min(7 * day, life / 10) { return .failure(text, advice, command) }
    return left < min(30 * day, life / 3) ? .warning(text, advice, command) : .ok(text)
  }

  private static func version(_ observed: Observation, _ command: String) -> Finding? {
    guard let version = observed.version else { return nil }
    if ["TLSv1.2", "TLSv1.3"].contains(version) { return .ok(version) }
    return .warning("\(version) is out of use", [.tlsVersion], command)
  }

  private static func strictTransport(_ observed: Observation, _ command: String) -> Finding? {
    guard let hasStrictTransport = observed.hasStrictTransport else { return nil }
    if hasStrictTransport { return .ok("Strict-Transport-Security is there") }
    return .warning(
      "no Strict-Transport-Security: a browser's first request may go out in plain http",
      [.strictTransport],
      command.replacing("-s -v", with: "-si")
    )
  }

  /// Whether a value of `Strict-Transport-Security` has an effect: with `max-age=0` a browser forgets the host, and
  /// it ignores a value without an age or with two (RFC 6797 §6.1).
  static func isStrict(_ value: String) -> Bool {
    let ages = value.lowercased().matches(of: /(?:^|;)\s*max-age\s*=\s*("?)(\d+)\1\s*(?=;|$)/)
    return ages.count == 1 && ages[0].output.2.contains { $0 != "0" }
  }

  private static func redirect(_ observed: Observation) -> Finding? {
    guard let plain = observed.plain else { return nil }
    if [301, 302, 307, 308].contains(plain.status), plain.location.hasPrefix("https://") {
      return .ok("plain http leads to https")
    }
    return .warning(
      "plain http is answered \(plain.status), and does not lead to https",
      [.redirect]
    )
  }
}
