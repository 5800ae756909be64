import FusionHTTPMessages
import FusionHTTPToolkit
import Testing

@testable import FusionSessionAPI

struct `The page of a problem` {
  private let client = Client()

  private func page(_ path: String, accept: String? = nil) async throws -> Answer {
    var headers: HTTPHeaders = [:]
    headers["Accept"] = accept
    return try await client.send(.get, path, headers: headers)
  }

  @Test(arguments: ProblemTable.ofService.kinds.map(\.name))
  func `stands where its type leads`(name: String) async throws {
    let answer = try await page("/problems/" + name)
    #expect(answer.status == 200)
    #expect(answer.text.contains(" /problems/\(name)\n"))
    #expect(answer.text.contains("\n\nWhat it means: "))
    #expect(answer.text.contains("\n\nWhat to do: "))
  }

  @Test(arguments: [
    (nil, false), ("*/*", false), ("application/json", false), ("text/plain", false),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
    ("text/html", true), ("text/html;q=0.5, text/plain", false),
  ])
  func `is HTML for a browser, else plain text`(accept: String?, isHTML: Bool) async throws {
    let answer = try await page("/problems/queue-full", accept: accept)
    #expect(answer.status == 200 && answer["Vary"] == "Accept")
    let type = (isHTML ? "text/html" : "text/plain") + "; charset=utf-8"
    #expect(answer["Content-Type"] == type)
    #expect(answer.text.hasPrefix("<!doctype html>") == isHTML)
  }

  @Test func `says its title, its status, what it means and what to do`() async throws {
    let text = try await page("/problems/queue-full").text
    #expect(text.hasPrefix("Too many Inputs are waiting\n429 /problems/queue-full\n"))
    let html = try await page("/problems/queue-full", accept: "text/html").text
    #expect(html.contains("<h1>Too many Inputs are waiting</h1>"))
    #expect(html.contains("429 /problems/queue-full"))
    #expect(html.contains("--max-queued-inputs"))
  }

  @Test(arguments: ["/problems/no-such", "/problems/Queue-full", "/problems/a/b", "/problems"])
  func `is not there for a name that no problem has`(path: String) async throws {
    let answer = try await page(path)
    #expect(answer.status == 404)
    #expect(answer.text.contains(#""type":"/problems/not-found""#))
  }

  @Test func `tells several statuses from one another`() async throws {
    let text = try await page("/problems/unknown-view-model").text
    #expect(text.contains("\n404 or 422 /problems/unknown-view-model\n"))
  }
}
