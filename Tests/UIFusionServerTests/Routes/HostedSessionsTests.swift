import FusionHTTPMessages
import FusionRawHTTP
import Testing
import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A service's sessions, used by its program` {
  @Test func `are created, sent Inputs, read and deleted`() async throws {
    let hosted = try HostedRoutes { _ in }
    let sessions = hosted.service.sessions
    let new = try await sessions.create("tally", parameters: Tally.Parameters(start: 5))
    #expect(try new.decode(as: Tally.State.self) == Tally.State(sum: 5))
    #expect(new.version == 1)
    let next = try await sessions.send(Tally.Input.add(2), to: new.id)
    #expect(next.version == 2)
    #expect(String(decoding: next.json, as: UTF8.self) == #"{"sum":7}"#)
    let batch: [Tally.Input] = [.add(1), .add(2)]
    #expect(try await sessions.send(batch, to: new.id).decode(as: Tally.State.self).sum == 10)
    let settled = try await sessions.send(
      Tally.Input.later,
      to: new.id,
      settledWithin: .seconds(10)
    )
    #expect(settled.isSettled)
    #expect(try settled.decode(as: Tally.State.self).sum == 1_010)
    // A client sees the same State.
    let seen = try await hosted.ask("GET /sessions/\(new.id)")
    #expect(seen?.text.contains(#""state":{"sum":1010}"#) == true)
    #expect(try await sessions.state(of: new.id).version == settled.version)
    try await sessions.delete(new.id)
    let error = await #expect(throws: HTTPError.self) { try await sessions.state(of: new.id) }
    #expect(error?.status == 410)
    #expect(error?.type == "/problems/ended-session")
    await hosted.service.stop()
  }

  @Test func `apply an Input with a key once`() async throws {
    let hosted = try HostedRoutes { _ in }
    let sessions = hosted.service.sessions
    let id = try await sessions.create("tally").id
    for _ in 0..<3 {
      let sent = try await sessions.send(Tally.Input.add(2), to: id, key: "payment-7")
      #expect(try sent.decode(as: Tally.State.self).sum == 2)
    }
    let error = await #expect(throws: HTTPError.self) {
      try await sessions.send(Tally.Input.add(3), to: id, key: "payment-7")
    }
    #expect(error?.status == 422)
    await hosted.service.stop()
  }

  @Test func `throw errors that say why a call failed`() async throws {
    let hosted = try HostedRoutes { _ in }
    let sessions = hosted.service.sessions
    let id = try await sessions.create("tally").id
    func status(_ body: () async throws -> Void) async throws -> Int? {
      do {
        try await body()
        return nil
      } catch let error as HTTPError {
        return error.status
      }
    }
    #expect(try await status { _ = try await sessions.create("nothing") } == 422)
    #expect(try await status { _ = try await sessions.state(of: "no id at all/..") } == 404)
    #expect(try await status { _ = try await sessions.send("nothing", to: id) } == 422)
    let tooLate = try await status {
      _ = try await sessions.send(Tally.Input.add(1), to: id, ifVersion: 7)
    }
    #expect(tooLate == 412)
    #expect(try await sessions.state(of: id).version == 1)
    await hosted.service.stop()
  }

  @Test func `throw store-in-doubt for an Input that was not processed in time`()
    async throws
  {
    let answer = Array(#"{"version":1,"settled":false,"state":{"sum":0}}"#.utf8)
    let sessions = HostedSessions({ $1(HTTPResponse(202, json: answer)) }, for: nil)
    let error = await #expect(throws: HTTPError.self) {
      try await sessions.send(Tally.Input.add(2), to: "id", settledWithin: .seconds(1))
    }
    #expect(error?.type == "/problems/store-in-doubt")
  }

  @Test func `pass a problem on to the client of the route`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/sums/{id}") { request in
        try await request.sessions.state(of: request.parameter("id"))
          .decode(as: Tally.State.self).sum
      }
    }
    let id = try await hosted.service.sessions.create("tally", parameters: ["start": 3]).id
    #expect(try await hosted.ask("GET /sums/\(id)")?.text == "3")
    let unknown = try await hosted.ask(
      "GET /sums/AAAAAAAAAAAAAAAAAAAAAA",
      "X-Request-Id: abc\r\n"
    )
    #expect(unknown?.status == 404)
    #expect(unknown?.text.contains(#""type":"/problems/unknown-session""#) == true)
    #expect(unknown?.text.contains(#""requestId":"abc""#) == true)
    await hosted.service.stop()
  }

  @Test func `are followed at a route, in the form that its client asks for`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/hall/{id}") { request in
        try await request.sessions.events(of: request.parameter("id"), for: request)
      }
    }
    let sessions = hosted.service.sessions
    let id = try await sessions.create("tally").id
    let (events, lines) = (try hosted.connect(), try hosted.connect())
    events.request("GET /hall/\(id)", "Accept: text/event-stream\r\n")
    #expect(try await events.head()?["Content-Type"] == "text/event-stream")
    lines.request("GET /hall/\(id)?after=1", "Accept: application/x-ndjson\r\n")
    #expect(try await lines.head()?["Content-Type"] == "application/x-ndjson")
    _ = try await sessions.send(Tally.Input.add(2), to: id)
    #expect(try await events.text(until: #""state":{"sum":2}"#).contains("data: {\"version\":2,"))
    let shown = try await lines.text(until: #""sum":2"#)
    #expect(shown.contains(#""version":2,"#) && !shown.contains(#""sum":0"#))
    let form = try await hosted.ask("GET /hall/\(id)?format=other")
    #expect(form?.status == 400)
    let unknown = try await hosted.ask("GET /hall/AAAAAAAAAAAAAAAAAAAAAA")
    #expect(unknown?.status == 404)
    try await sessions.delete(id)
    #expect(try await hosted.ask("GET /hall/\(id)")?.status == 410)
    await hosted.service.stop()
  }

  @Test func `answer for a stored Input with a key even in the next process`() async throws {
    let folder = TemporaryFolder()
    func start() throws -> HostedRoutes {
      try HostedRoutes(configure: { $0.data = .folder(folder.path) }) { _ in }
    }
    var hosted = try start()
    let id = try await hosted.service.sessions.create("tally").id
    _ = try await hosted.service.sessions.send(Tally.Input.add(2), to: id, key: "once")
    await hosted.service.stop()
    hosted = try start()
    let again = try await hosted.service.sessions.send(Tally.Input.add(2), to: id, key: "once")
    #expect(try again.decode(as: Tally.State.self).sum == 2)
    await hosted.service.stop()
  }
}

extension `A service's sessions, used by its program` {
  @Test func `are found by their names`() async throws {
    let hosted = try HostedRoutes { _ in }
    let sessions = hosted.service.sessions
    #expect(try await sessions.find("tally", name: "é & /") == nil)
    let start = Tally.Parameters(start: 5)
    let new = try await sessions.create("tally", name: "é & /", parameters: start)
    #expect(try await sessions.create("tally", name: "é & /").id == new.id)
    let found = try #require(try await sessions.find("tally", name: "é & /"))
    #expect(try found.id == new.id && found.decode(as: Tally.State.self).sum == 5)
    let client = try await hosted.ask(
      "POST /sessions",
      body: #"{"viewModel":"tally","name":"é & /"}"#
    )
    #expect(client?.status == 200 && client?["Location"] == "/sessions/\(new.id)")
    // Clients have no list of sessions.
    #expect(try await hosted.ask("GET /sessions?viewModel=tally&name=a")?.status == 405)
    await #expect(throws: HTTPError.self) { try await sessions.find("nothing", name: "a") }
    await hosted.service.stop()
  }
}
