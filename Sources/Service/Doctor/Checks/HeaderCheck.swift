/// The check that headers pass the proxy in both directions.
enum HeaderCheck: Check {
  static let name = "headers"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    guard let session = deployment.session else { return [.skipped("no session to check")] }
    let (url, curl) = (deployment.url, deployment.curl)
    let id = "doctor-\(UInt64.random(in: 0..<1 << 60))"
    let request = session.request(url, headers: ["X-Request-Id: \(id)"])
    let plain = try await curl.run(request)
    var findings = [judge(plain, sentID: id).shown(by: request.line)]
    // As browsers ask: a proxy that compresses makes tags weak only then.
    var compressed = session.request(url, headers: ["Accept-Encoding: gzip"])
    compressed.options = ["--compressed"]
    let tag = try await curl.run(compressed).head?["ETag"] ?? ""
    let isVersion = tag.wholeMatch(of: Self.version) != nil
    let conditional =
      isVersion ? session.request(url, headers: ["If-None-Match: \(tag)"]) : compressed
    let again = isVersion ? try await curl.run(conditional) : nil
    findings.append(judgeTag(tag, again: again?.status ?? 0).shown(by: conditional.line))
    let headers = ["Idempotency-Key: \(id)", "Prefer: return=minimal"]
    guard let input = session.inputRequest(url, headers: headers) else {
      return findings + [
        .skipped("Idempotency-Key: \(session.viewModel) has no Input without values")
      ]
    }
    let first = try await curl.run(input)
    let second = try await curl.run(input)
    findings.append(judgeInputs(first, second).shown(by: input.line))
    return findings
  }

  /// The ETag of a session.
  private static var version: Regex<Substring> { /"[0-9]+"/ }

  private static let expected = [
    "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy", "X-Request-Id",
  ]

  /// Judges the headers of an answer; a proxy may replace the `X-Request-Id` that was sent by its own.
  static func judge(_ answer: CurlAnswer, sentID: String) -> Finding {
    let missing = expected.filter { answer.head?[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.joined(separator: ", ")
      return .failure("answers lose \(names)", [.answerHeaders(missing)])
    }
    let id = answer.head?["X-Request-Id"] ?? ""
    // The service's own rule.
    guard id.wholeMatch(of: /[A-Za-z0-9._\-]{1,128}/) != nil else {
      return .warning(
        "X-Request-Id is \(id): no single id of letters, digits, '.', '_' and '-'",
        [.requestID]
      )
    }
    let origin = id == sentID ? "X-Request-Id comes back" : "the proxy makes the id of a request"
    return .ok("security headers come through; \(origin)")
  }

  /// Judges a session's ETag and the status of a request with that tag as `If-None-Match`.
  static func judgeTag(_ tag: String, again: Int) -> Finding {
    if tag.isEmpty {
      return .failure("answers lose ETag", [.answerHeaders(["ETag"])])
    }
    if tag.wholeMatch(of: version) == nil {
      let change = tag.hasPrefix("W/") ? "makes ETags weak" : "changes ETags to \(tag)"
      return .warning(
        "the proxy compresses, and \(change): sent as If-Match, they never match",
        [.gzip]
      )
    }
    if again != 304 {
      return .warning(
        "If-None-Match is answered \(again), not 304",
        [.requestHeaders(["If-None-Match"])]
      )
    }
    return .ok("ETag and If-None-Match work: 304")
  }

  /// Judges the answers to an Input with a key and `return=minimal` that was sent twice.
  static func judgeInputs(_ first: CurlAnswer, _ second: CurlAnswer) -> Finding {
    guard (200..<300).contains(first.status) else {
      return .failure("an Input is answered \(first.outcome)")
    }
    var lost: [String] = []
    if second.head?["Idempotency-Replayed"] != "true" { lost.append("Idempotency-Key") }
    if first.head?["Preference-Applied"] == nil { lost.append("Prefer") }
    guard lost.isEmpty else {
      let names = lost.joined(separator: " and ")
      let verb = lost.count == 1 ? "does" : "do"
      return .failure(
        "\(names) \(verb) not reach the service: an Input that is sent again may be applied twice",
        [.requestHeaders(lost)]
      )
    }
    return .ok("Idempotency-Key and Prefer reach the service")
  }
}
