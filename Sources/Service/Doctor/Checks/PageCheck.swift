/// The check that the front page and its client module arrive.
enum PageCheck: Check {
  static let name = "page"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let request = deployment.request("/")
    let page = try await deployment.curl.run(request)
    let link = client(in: page.text)
    var module: CurlAnswer?
    if let path = deployment.url.path(of: link ?? "uifusion.js") {
      module = try await deployment.curl.run(deployment.request(path))
    }
    return judge(page, link: link, module, deployment.url).shown(by: request.line)
  }

  /// Returns the link of the client module in a page.
  static func client(in page: String) -> String? {
    page.firstMatch(of: /<script[^>]*\ssrc\s*=\s*["']?([^"'\s>]*uifusion\.js[^"'\s>]*)/)
      .map { String($0.output.1) }
  }

  /// Judges the front page and the answer for the client module.
  ///
  /// The link is the one in the page, nil if there is none; the module is nil if the link leads out of the
  /// deployment.
  static func judge(_ page: CurlAnswer, link: String?, _ module: CurlAnswer?, _ url: ServiceURL)
    -> [Finding]
  {
    guard page.status == 200, page.head?["Content-Type"]?.hasPrefix("text/html") == true else {
      if page.status == 404, page.isService {
        return [.skipped("there is no front page: the service has no index.html")]
      }
      return [.failure("the front page is answered \(page.outcome)")]
    }
    guard let module else {
      return [
        .failure(
          "the front page loads \(link ?? ""), which is not under \(url.text)",
          ["the service: --base-path \(url.basePath); pages: links without a / at their beginning"]
        )
      ]
    }
    let type = module.head?["Content-Type"] ?? "no type"
    guard module.status == 200, type.contains("javascript") else {
      return [
        .failure(
          "the client \(link ?? "uifusion.js") is answered \(module.outcome), \(type)",
          [.prefix]
        )
      ]
    }
    let isNamed = link == nil ? ", which it does not name," : ""
    return [.ok("the front page arrives, and its client\(isNamed) as a module")]
  }
}
