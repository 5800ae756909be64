/// Whether the front page comes, and the client that it names.
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
    return judge(page, link: link, module, deployment.url, deployment.proxy, request.line)
  }

  /// The client's module as a page names it.
  static func client(in page: String) -> String? {
    page.firstMatch(of: /<script[^>]*\ssrc\s*=\s*["']?([^"'\s>]*uifusion\.js[^"'\s>]*)/)
      .map { String($0.output.1) }
  }

  /// The link is where the page says that the client is, nil where it names none; the module is what came
  /// from there, nil where that is out of the deployment.
  static func judge(
    _ page: CurlAnswer,
    link: String?,
    _ module: CurlAnswer?,
    _ url: ServiceURL,
    _ proxy: ProxyKind,
    _ command: String
  ) -> [Finding] {
    guard page.status == 200, page.head?["Content-Type"]?.hasPrefix("text/html") == true else {
      if page.status == 404, page.isService {
        return [.skipped("there is no front page: the service has no index.html")]
      }
      return [.failure("the front page is answered \(page.outcome)", [], command)]
    }
    guard let module else {
      return [
        .failure(
          "the front page loads \(link ?? ""), which is not under \(url.text)",
          ["the service: --base-path \(url.basePath); pages: links without a / at their beginning"],
          command
        )
      ]
    }
    let type = module.head?["Content-Type"] ?? "no type"
    guard module.status == 200, type.contains("javascript") else {
      return [
        .failure(
          "the client \(link ?? "uifusion.js") is answered \(module.outcome), \(type)",
          [Remedy.prefix.line(for: proxy)],
          command
        )
      ]
    }
    let isNamed = link == nil ? ", which it does not name," : ""
    return [.ok("the front page comes, and its client\(isNamed) as a module")]
  }
}
