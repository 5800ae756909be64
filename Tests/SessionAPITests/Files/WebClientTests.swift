import FusionHTTPMessages
import FusionSessionAPI
import Synchronization
import Testing

struct `The client of the service` {
  private static let paths = [
    ("/uifusion.js", "text/javascript; charset=utf-8", "export"),
    ("/uifusion-more.js", "text/javascript; charset=utf-8", "install"),
    ("/uifusion-gestures.js", "text/javascript; charset=utf-8", "longpress"),
    ("/uifusion-login.js", "text/javascript; charset=utf-8", "export"),
    ("/uifusion.d.ts", "text/plain; charset=utf-8", "export function session"),
  ]

  @Test(arguments: paths)
  func `is served without a front end, with its type`(path: String, type: String, text: String)
    async throws
  {
    let client = Client()
    let answer = try await client.send(.get, path)
    #expect(answer.status == 200 && answer["Content-Type"] == type)
    #expect(answer["Cache-Control"] == "no-cache" && answer["Vary"] == "Accept-Encoding")
    #expect(answer.text.contains(text))
    #expect(try await client.send(.head, path)["ETag"] == answer["ETag"])
    #expect(try await client.send(.post, path).status == 405)
  }

  @Test(arguments: paths.map(\.0))
  func `is sent again only if it has changed`(path: String) async throws {
    let client = Client()
    let tag = try #require(try await client.send(.get, path)["ETag"])
    #expect(try await Client().send(.get, path)["ETag"] == tag)
    let again = try await client.send(.get, path, headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again["ETag"] == tag && again.bytes == [])
    #expect(try await client.send(.get, path, headers: ["If-None-Match": "\"1\""]).status == 200)
  }

  @Test(arguments: paths.map(\.0))
  func `is compressed for browsers that accept gzip`(path: String) async throws {
    let client = Client()
    let plain = try await client.send(.get, path)
    let small = try await client.send(.get, path, headers: ["Accept-Encoding": "gzip"])
    #expect(small["Content-Encoding"] == "gzip" && small["ETag"] != plain["ETag"])
    #expect(try #require(small.bytes).count < #require(plain.bytes).count / 2)
  }

  @Test func `gives way to a file of its name, even to a later one`() async throws {
    let folder = try FilesFolder()
    let time = Mutex(Duration.zero)
    let index = try folder.index(renewedBy: { time.withLock { $0 } })
    let client = Client(files: index)
    #expect(try await client.send(.get, "/uifusion.js").text.contains("export"))
    try folder.write("mine", to: "uifusion.js")
    try folder.write("types", to: "uifusion.d.ts")
    time.withLock { $0 += .seconds(1) }
    let module = try await client.send(.get, "/uifusion.js")
    #expect(module.text == "mine" && module["Content-Type"] == "text/javascript; charset=utf-8")
    let types = try await client.send(.get, "/uifusion.d.ts")
    #expect(types.text == "types" && types["Content-Type"] == "text/plain; charset=utf-8")
    try folder.remove("uifusion.js")
    time.withLock { $0 += .seconds(1) }
    #expect(try await client.send(.get, "/uifusion.js").text.contains("export"))
  }
}
