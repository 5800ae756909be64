import FusionRawHTTP
import Testing
import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A name on several nodes` {
  private let body = #"{"viewModel":"tally","name":"team-42"}"#

  @Test func `stands for one session, whichever node is asked`() async throws {
    let cluster = Cluster()
    let nodes = [try await cluster.start("a"), try await cluster.start("b")]
    let body = body
    let answers = try await withThrowingTaskGroup { group in
      for index in 0..<20 {
        let port = nodes[index % 2].port
        group.addTask { try await Client(port).post("/sessions", body) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.map(\.status).sorted() == Array(repeating: 200, count: 19) + [201])
    let paths = Set(answers.map { $0["Location"] })
    #expect(paths.count == 1)
    let path = try unwrap(paths.first.flatMap { $0 })
    try await Client(nodes[0].port).post("\(path)/inputs", #"{"add":3}"#)
    for node in nodes {
      let found = try await Client(node.port).post("/sessions", body)
      #expect(found.status == 200 && found["ETag"] == "\"2\"" && found["Location"] == path)
      #expect(found.text.contains(#""state":{"sum":3"#))
      #expect(try await node.service.sessions.find("tally", name: "team-42")?.version == 2)
      #expect(try await node.service.sessions.find("tally", name: "team-43") == nil)
    }
    await cluster.stop()
  }

  @Test func `is free on all nodes once its session was deleted on one`() async throws {
    let cluster = Cluster()
    let (a, b) = (try await cluster.start("a"), try await cluster.start("b"))
    let path = try unwrap(try await Client(a.port).post("/sessions", body)["Location"])
    #expect(try await Client(b.port).post("/sessions", body).status == 200)
    #expect(try await Client(b.port).send("DELETE \(path)").status == 204)
    let next = try await Client(b.port).post("/sessions", body)
    #expect(next.status == 201 && next["Location"] != path)
    #expect(try await Client(a.port).post("/sessions", body)["Location"] == next["Location"])
    await cluster.stop()
  }
}
