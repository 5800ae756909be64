import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Testing

struct `Server-Timing` {
  private let page = "https://example.org"

  private func client(isTiming: Bool) -> Client {
    var options = SessionAPI.Options()
    options.isTiming = isTiming
    options.access = AccessPolicy(origins: AllowedOrigins([page]))
    return Client(options: options)
  }

  @Test(arguments: [
    (HTTPMethod.get, "/healthz"), (.get, "/nothing/there"), (.options, "/sessions"),
  ])
  func `tells how many milliseconds an answer took`(method: HTTPMethod, path: String) async throws {
    let answer = try await client(isTiming: true).send(method, path)
    #expect(answer["Server-Timing"]?.wholeMatch(of: /total;dur=\d+\.\d{3}/) != nil)
    #expect(answer["Timing-Allow-Origin"] == nil)
  }

  @Test func `is sent with streams and rejections, too`() async throws {
    let client = client(isTiming: true)
    let session = try await client.session()
    #expect(try await client.send(.get, session + "/events")["Server-Timing"] != nil)
    let rejected = RejectedRequest(.badHost, id: .new(), method: nil, headers: [:])
    #expect(client.api.answer(to: rejected).headers["Server-Timing"] != nil)
  }

  @Test(arguments: ["https://example.org", "https://evil.example"])
  func `is readable only for pages of allowed origins`(origin: String) async throws {
    let headers: HTTPHeaders = ["Origin": origin]
    let answer = try await client(isTiming: true).send(.get, "/healthz", headers: headers)
    #expect(answer["Timing-Allow-Origin"] == (origin == page ? page : nil))
  }

  @Test func `is sent only if it is enabled`() async throws {
    let headers: HTTPHeaders = ["Origin": page]
    let answer = try await client(isTiming: false).send(.get, "/healthz", headers: headers)
    #expect(answer["Server-Timing"] == nil && answer["Timing-Allow-Origin"] == nil)
  }
}
