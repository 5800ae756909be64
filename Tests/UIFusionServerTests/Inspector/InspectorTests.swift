import Foundation
import FusionRawHTTP
import Testing

/// Tests of the executable over sockets, with a data folder.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The inspector` {
  private let tools = `The tools`()

  private func get(_ path: String, _ client: RawClient) throws -> RawClient.Response {
    client.request("GET \(path)")
    return try #require(try client.response())
  }

  @Test func `shows each stored version with its trace`() throws {
    defer { tools.remove() }
    let service = try tools.serve()
    let id = try tools.counter(service)
    let client = try service.connect()
    let list = try get("/sessions/\(id)/versions", client)
    #expect(list.status == 200)
    let lines = [
      #"{"version":4,"time":"TIME","entries":1,"size":63,"trace":[{"input":"reset"},{"action":"resetValue"}],"isCut":false}"#,
      #"{"version":3,"time":"TIME","entries":1,"size":64,"trace":[{"input":"increase"},{"action":"increaseValue"}]"#,
    ]
    for line in lines { #expect(tools.fixed(list.text, id).contains(line), "\(list.text)") }
    let page = try get("/sessions/\(id)/versions?limit=2&before=4", client)
    #expect(page.text.contains(#""version":3,"#) && page.text.contains(#""version":2,"#))
    #expect(!page.text.contains(#""version":4,"#) && page.text.contains(#""next":2"#))
    let inputs = [String](repeating: #""increase""#, count: 201).joined(separator: ",")
    _ = try client.post("[\(inputs)]", to: "/sessions/\(id)")
    let most = try get("/sessions/\(id)/versions?limit=500", client)
    #expect(most.text.components(separatedBy: #"{"version":"#).count == 201)
    let version = try get("/sessions/\(id)/versions/3", client)
    #expect(version.text.hasPrefix(#"{"version":3,"time":""#))
    #expect(version.text.contains(#""value":2"#), "\(version.text)")
    client.request(
      "POST /sessions/\(id)/shares",
      "Content-Type: application/json\r\n",
      body: #"{"role":"driver"}"#
    )
    let shared = try #require(try client.response()?["Location"])
    for path in ["versions", "versions/3", "versions/x"] {
      let refused = try get("\(shared)/\(path)", client)
      #expect(refused.status == 403 && refused.text.contains("/problems/share-forbids"), "\(path)")
    }
    client.request("POST \(shared)/forks", "Content-Type: application/json\r\n", body: "{}")
    #expect(try client.response()?.status == 403)
    for (path, status, type) in [
      ("\(id)/versions/999", 404, "unknown-version"), ("\(id)/versions/x", 404, "unknown-version"),
      ("\(id)/versions?limit=0", 400, "invalid-query"),
      ("AAAAAAAAAAAAAAAAAAAAAA/versions", 404, "unknown-session"),
      ("AAAAAAAAAAAAAAAAAAAAAA/versions/1", 404, "unknown-session"),
    ] {
      let answer = try get("/sessions/\(path)", client)
      #expect(answer.status == status && answer.text.contains("/problems/\(type)"), "\(path)")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `shows secrets as dots`() throws {
    defer { tools.remove() }
    let service = try tools.serve()
    let session = try service.session("login")
    let client = try service.connect()
    _ = try client.post(#"{"passwordChanged":"swordfish"}"#, to: session)
    let list = try get("\(session)/versions", client)
    let answers = try [list] + [1, 2].map { try get("\(session)/versions/\($0)", client) }
    #expect(list.text.contains("•") && list.text.contains(#""version":2"#), "\(list.text)")
    for answer in answers {
      #expect(answer.status == 200 && !answer.text.contains("swordfish"), "\(answer.text)")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `forks a session at a version, and leaves the original unchanged`() throws {
    defer { tools.remove() }
    let service = try tools.serve()
    let id = try tools.counter(service)
    let client = try service.connect()
    let json = "Content-Type: application/json\r\n"
    client.request("POST /sessions/\(id)/forks", json, body: #"{"version":3}"#)
    let fork = try #require(try client.response())
    let path = try #require(fork["Location"])
    #expect(fork.status == 201 && fork["ETag"] == "\"3\"" && !path.hasSuffix(id))
    #expect(fork.text.contains(#""value":2"#))
    #expect(try client.post(#""increase""#, to: path).contains(#""version":4,"#))
    #expect(try get(path, client).text.contains(#""value":3"#))
    let original = try get("/sessions/\(id)", client).text
    #expect(original.contains(#""version":4,"#) && original.contains(#""value":0"#))
    // Without a version, the newest is forked.
    client.request("POST /sessions/\(id)/forks", json, body: "{}")
    #expect(try client.response()?["ETag"] == "\"4\"")
    client.request("POST /sessions/\(id)/forks", json, body: #"{"version":99}"#)
    #expect(try client.response()?.status == 404)
    client.request("POST /sessions/\(id)/forks", json, body: #"{"work":"double"}"#)
    #expect(try client.response()?.status == 422)
    #expect(try service.stop().status == 0)
    // The fork is stored like any session.
    let next = try tools.serve()
    #expect(try get(path, next.connect()).text.contains(#""value":3"#))
    #expect(try next.stop().status == 0)
  }

  @Test func `is off beyond this machine unless asked for`() throws {
    defer { tools.remove() }
    let first = try tools.serve()
    let id = try tools.counter(first)
    #expect(try get("/openapi.json", first.connect()).text.contains("/sessions/{id}/forks"))
    #expect(try first.stop().status == 0)
    for flags in [
      ["--inspect", "off"], ["--trusted-proxy", "10.0.0.0/8"], ["--allow-host", "localhost"],
      ["--allow-origin", "https://example.org"],
    ] {
      let service = try ServiceProcess(flags: ["--data", tools.data] + flags)
      let client = try service.connect()
      for path in ["versions", "versions/1"] {
        let answer = try get("/sessions/\(id)/\(path)", client)
        #expect(answer.status == 404 && answer.text.contains("/problems/not-found"), "\(flags)")
      }
      client.request(
        "POST /sessions/\(id)/forks",
        "Content-Type: application/json\r\n",
        body: "{}"
      )
      #expect([404, 405].contains(try client.response()?.status))
      #expect(!(try get("/openapi.json", client).text.contains("forks")))
      #expect(try service.stop().status == 0)
    }
    let asked = try ServiceProcess(
      flags: ["--data", tools.data, "--trusted-proxy", "10.0.0.0/8", "--inspect", "on"]
    )
    #expect(try get("/sessions/\(id)/versions", asked.connect()).status == 200)
    #expect(try asked.stop().status == 0)
  }
}
