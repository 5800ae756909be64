import FusionCommandLine
import FusionStrictJSON

/// The check that a page may make a session, and that `Location` leads to it.
enum OriginCheck: Check {
  static let name = "origin"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let url = deployment.url
    let names = try await candidates(deployment)
    guard !names.isEmpty else { return [.failure("no view model is hosted there")] }
    var request = deployment.request("/sessions", headers: ["Origin: \(url.origin)"])
    request.method = "POST"
    for name in names {
      request.body = JSONTree.object([.init("viewModel", .string(name))]).text
      // Not cancelled with the examination: a session that was made has to be deleted.
      let made = try await Task { [curl = deployment.curl, request] in
        try await curl.run(request)
      }.value
      deployment.session = TrialSession(made, senderHeaders: deployment.senderHeaders)
      // A view model with parameters is skipped, unless it was asked for.
      if made.status == 422, deployment.options.viewModel == nil { continue }
      var found: CurlAnswer?
      if let session = deployment.session {
        found = try await deployment.curl.run(session.request(url))
        let spec = try await deployment.curl.run(deployment.request("/view-models/\(name)")).json
        deployment.session?.input = spec.flatMap(TrialSession.input(in:))
      }
      return judge(made, found, url).shown(by: request.line)
    }
    return [
      .skipped("every view model takes parameters: name one that does not, with --view-model")
    ]
  }

  private static func candidates(_ deployment: Deployment) async throws -> [String] {
    let list = try await deployment.curl.run(deployment.request("/view-models")).json
    let hosted = (list?["viewModels"]?.elements ?? []).compactMap { $0["name"]?.string }
    return try candidates(of: hosted, wanted: deployment.options.viewModel)
  }

  /// Returns the names of view models to try, the best one first.
  ///
  /// - Throws: ``UsageError`` if the wanted one is not hosted.
  static func candidates(of hosted: [String], wanted: String?) throws(UsageError) -> [String] {
    guard let wanted else {
      return hosted.filter { $0 == "counter" } + hosted.filter { $0 != "counter" }
    }
    guard hosted.isEmpty || hosted.contains(wanted) else {
      let names = hosted.joined(separator: ", ")
      throw UsageError("--view-model \(wanted): the service hosts no such view model, but \(names)")
    }
    return [wanted]
  }

  /// Judges the answer to the creation of a session, with the `Origin` of a page of this URL, and the answer of the
  /// new session, if there is one.
  static func judge(_ made: CurlAnswer, _ found: CurlAnswer?, _ url: ServiceURL) -> [Finding] {
    if made.status == 403, made.isProblem("foreign-origin") {
      return [
        .failure(
          "a page of \(url.origin) is refused: 403 foreign-origin",
          [
            .host,
            "or X-Forwarded-Host and X-Forwarded-Proto, and the service with --trusted-proxy ADDRESS",
          ]
        )
      ]
    }
    if made.status == 401 {
      return [
        .failure(
          "a session cannot be made: \(made.outcome)",
          [
            "the service wants to know who asks: --headers FILE, with a line Authorization: Bearer TOKEN"
          ]
        )
      ]
    }
    guard made.status == 201 else {
      let advice =
        made.isService ? "the answer's detail says why" : "this is not the service's answer"
      return [.failure("a session cannot be made: \(made.outcome)", ["\(advice)"])]
    }
    var findings = [Finding.ok("a page of \(url.origin) may make a session")]
    let location = made.head?["Location"] ?? ""
    if location.isEmpty || url.path(of: location) == nil {
      let place =
        location.isEmpty ? "is missing" : "leads out of \(url.text): \(pathOnly(location))"
      findings.append(
        .failure(
          "Location \(place)",
          [
            url.basePath.isEmpty
              ? "the service: no --base-path" : "the service: --base-path \(url.basePath)"
          ]
        )
      )
    } else if found?.status != 200 {
      findings.append(.failure("the new session is answered \(found?.outcome ?? "nothing")"))
    } else {
      findings.append(.ok("Location leads to the session"))
    }
    return findings
  }

  /// Returns a link without its session id.
  private static func pathOnly(_ location: String) -> String {
    guard let end = location.lastIndex(of: "/") else { return location }
    return location[...end] + "ID"
  }
}
