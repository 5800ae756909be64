/// The check that compressed answers arrive whole, and compressed events at once.
enum CompressionCheck: Check {
  static let name = "compression"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    guard let session = deployment.session else { return [.skipped("no session to check")] }
    // Every service has this file, and it is large enough to compress.
    let request = deployment.request(
      "/uifusion.js",
      headers: ["Accept-Encoding: gzip"],
      options: ["--compressed"]
    )
    let answer = try await deployment.curl.run(request)
    var findings = [judge(answer).shown(by: request.line)]
    var stream = session.request(deployment.url, "/events", headers: ["Accept-Encoding: gzip"])
    stream.options = ["--compressed"]
    let observed = try await StreamObservation.make(deployment, session, stream, inputs: 1)
    findings.append(judgeStream(observed).shown(by: observed.command))
    return findings
  }

  /// Judges the answer to a request for a file with gzip.
  static func judge(_ answer: CurlAnswer) -> Finding {
    guard answer.exit == 0, answer.status == 200, !answer.body.isEmpty else {
      return .failure(
        "an answer with gzip does not arrive whole: \(answer.outcome)",
        [.gzip]
      )
    }
    guard answer.head?["Content-Encoding"] == "gzip" else {
      return .warning(
        "answers are not compressed: Accept-Encoding does not reach the service",
        [.requestHeaders(["Accept-Encoding"])]
      )
    }
    if answer.head?["ETag"]?.hasPrefix("W/") == true {
      return .warning("the proxy compresses, and makes ETags weak", [.gzip])
    }
    return .ok("answers arrive compressed")
  }

  static func judgeStream(_ observed: StreamObservation) -> Finding {
    guard observed.firstEvent != nil, observed.missing == 0 else {
      return .failure(
        "events of a compressed stream do not arrive one by one: something on the way buffers",
        [.gzip, .buffering]
      )
    }
    let coding = observed.head?["Content-Encoding"] ?? "identity"
    return .ok("a stream with gzip arrives event by event (\(coding))")
  }
}
