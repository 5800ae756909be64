import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import Testing

private func client(_ path: String, files: FileIndex = .empty) throws -> Client {
  var options = SessionAPI.Options()
  options.basePath = try #require(BasePath(path))
  return Client(options: options, files: files)
}

struct `A service below a path` {
  @Test(arguments: ["/app", "/app/", "/tools/app"])
  func `answers with the prefix and without, and writes it into addresses`(path: String)
    async throws
  {
    let api = try client(path)
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    for prefix in [base, ""] {
      let created = try await api.send(
        .post,
        prefix + "/sessions",
        #"{"viewModel":"counter-sync"}"#
      )
      let location = try #require(created["Location"])
      #expect(created.status == 201 && location.hasPrefix(base + "/sessions/"))
      #expect(try await api.send(.post, location + "/inputs", #""increase""#).status == 200)
      let bare = String(location.dropFirst(base.count))
      #expect(try await api.send(.get, bare).text.contains(#""version":2"#))
      #expect(try await api.send(.get, prefix + "/healthz").status == 200)
      let list = try await api.send(.get, prefix + "/view-models").text
      #expect(list.contains(#""href":"\#(base)/view-models/counter""#))
    }
  }

  @Test func `has the types of its problems below the path`() async throws {
    let api = try client("/app")
    let answer = try await api.send(.get, "/app/sessions/AAAAAAAAAAAAAAAAAAAAAA")
    let type = try #require(try answer.member("type"))
    #expect(type == "/app/problems/unknown-session")
    #expect(try await api.send(.get, type).status == 200)
    let types = try await api.send(.get, "/openapi.json").text
    #expect(types.contains(#""/app/problems/unknown-session""#))
    #expect(types.contains(#""servers":[{"url":"/app"}]"#))
  }

  @Test func `has its pages below the path, and redirects the path itself to them`() async throws {
    let folder = try FilesFolder(["index.html": "front", "a/b.html": "page", "app/c.html": "own"])
    let api = try client("/app", files: folder.index())
    #expect(try await api.send(.get, "/app/").text == "front")
    #expect(try await api.send(.get, "/app/a/b.html").text == "page")
    #expect(try await api.send(.get, "/app/app/c.html").text == "own")
    let answer = try await api.send(.get, "/app")
    #expect(answer.status == 308 && answer["Location"] == "/app/")
    let shown = try await api.send(.get, "/app?session=a-b&x=%C3%A9%26&y")
    #expect(shown["Location"] == "/app/?session=a-b&x=%C3%A9%26&y=")
    #expect(try await api.send(.get, "/application").status == 404)
    #expect(try await api.send(.get, "/app/app").status == 404)
    #expect(try await api.send(.post, "/app").status == 404)
  }

  @Test func `shows commands to copy that work below the path`() async throws {
    let text = try await client("/app").send(
      .get,
      "/app/view-models/counter",
      headers: ["Accept": "text/markdown", "Host": "app.example"]
    ).text
    #expect(
      text.contains(
        "url=http://app.example/app\nsession=http://app.example$(curl -si $url/sessions"
      )
    )
  }

  @Test(arguments: [
    "", "app", "/a//b", "//", "/..", "/a/../b", "/a b", "/a?b", "/é", "/a%20b", "/./a", "/sessions",
    "/sessions/a", "/events", "/view-models/a", "/uifusion.js",
  ])
  func `takes no path that is reserved, or would have to be escaped or resolved`(path: String) {
    #expect(BasePath(path) == nil)
  }
}
