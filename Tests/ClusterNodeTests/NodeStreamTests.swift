import FusionRawHTTP
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A stream of a session of another node` {
  private func trio(
    _ test: (_ cluster: Cluster, _ nodes: [Cluster.Member]) async throws -> Void
  ) async throws {
    let cluster = Cluster()
    var nodes: [Cluster.Member] = []
    for name in ["a", "b", "c"] { nodes.append(try await cluster.start(name)) }
    do {
      try await test(cluster, nodes)
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }

  private func upstreams(of node: Cluster.Member) async throws -> String? {
    try await Client(node.port).get("/metrics").text.split(separator: "\n")
      .first { $0.hasPrefix("uifusion_node_streams ") }.map { String($0.dropFirst(22)) }
  }

  @Test func `shows the State at once, and then each newer one`() async throws {
    try await trio { _, nodes in
      let path = try await Client(nodes[0].port).create()
      let stream = try await Client(nodes[1].port).stream("\(path)/events")
      #expect(stream.head.status == 200)
      let first = try await stream.next()
      #expect(first?.hasPrefix(#"{"event":"state","version":1,"state":{"sum":0"#) == true)
      try await Client(nodes[2].port).post("\(path)/inputs", #"{"add":3}"#)
      let next = try await stream.next()
      #expect(next?.hasPrefix(#"{"event":"state","version":2,"state":{"sum":3"#) == true)
      #expect(try await upstreams(of: nodes[1]) == "1")
    }
  }

  @Test func `skips the version its client has, and sends patches if asked`() async throws {
    try await trio { _, nodes in
      let path = try await Client(nodes[0].port).create()
      let text = String(repeating: "long ", count: 100)
      try await Client(nodes[0].port).post("\(path)/inputs", #"{"write":"\#(text)"}"#)
      let stream = try await Client(nodes[1].port).stream("\(path)/events?after=2&format=patch")
      try await Client(nodes[0].port).post("\(path)/inputs", #"{"add":3}"#)
      #expect(try await stream.next()?.contains(#""version":3,"state":"#) == true)
      try await Client(nodes[0].port).post("\(path)/inputs", #"{"add":3}"#)
      #expect(try await stream.next()?.contains(#""from":3,"version":4,"patch":"#) == true)
    }
  }

  @Test func `needs one stream between the nodes, however many clients it has`() async throws {
    try await trio { _, nodes in
      let path = try await Client(nodes[0].port).create()
      var streams: [EventLines] = []
      for _ in 0..<200 {
        streams.append(try await Client(nodes[1].port).stream("\(path)/events"))
        _ = try await streams.last?.next()
      }
      #expect(try await upstreams(of: nodes[1]) == "1")
      try await Client(nodes[1].port).post("\(path)/inputs", #"{"add":3}"#)
      for stream in streams {
        #expect(try await stream.next()?.contains(#""version":2"#) == true)
      }
    }
  }

  @Test func `ends if the session is deleted on any node`() async throws {
    try await trio { _, nodes in
      let path = try await Client(nodes[0].port).create()
      let stream = try await Client(nodes[1].port).stream("\(path)/events")
      _ = try await stream.next()
      #expect(try await Client(nodes[2].port).send("DELETE \(path)").status == 204)
      #expect(try await stream.next() == #"{"event":"end","reason":"deleted"}"#)
      #expect(try await stream.next() == nil)
      #expect(try await Client(nodes[1].port).stream("\(path)/events").head.status == 410)
    }
  }

  @Test func `may carry sessions of several nodes`() async throws {
    try await trio { _, nodes in
      let paths = [
        try await Client(nodes[0].port).create(), try await Client(nodes[1].port).create(),
      ]
      let ids = paths.map { String($0.dropFirst(10)) }
      let stream = try await Client(nodes[1].port)
        .stream("/events?session=\(ids[0])&session=\(ids[1])")
      var seen: Set<String> = []
      for _ in 0..<2 {
        let event = try unwrap(try await stream.next())
        seen.formUnion(ids.filter { event.contains("\"session\":\"\($0)\"") })
      }
      #expect(seen == Set(ids))
      try await Client(nodes[2].port).post("\(paths[0])/inputs", #"{"add":3}"#)
      #expect(try await stream.next()?.contains(#""version":2"#) == true)
      let unknown = try await Client(nodes[1].port)
        .stream("/events?session=\(ids[0])&session=AAAAAAAAAAAAAAAAAAAAAA")
      #expect(unknown.head.status == 404)
    }
  }

  @Test func `continues with the next version when the session's node dies, even twice`()
    async throws
  {
    try await trio { cluster, nodes in
      let path = try await Client(nodes[0].port).create()
      let stream = try await Client(nodes[1].port).stream("\(path)/events")
      _ = try await stream.next()
      nodes[0].store.cut()
      await nodes[0].stop()
      try await cluster.whileTimePasses {
        try await Client(nodes[2].port).post("\(path)/inputs", #"{"add":3}"#)
        #expect(try await stream.next()?.contains(#""version":2,"state":{"sum":3"#) == true)
      }
      // Either node may own the session now; the streaming node survives.
      nodes[2].store.cut()
      await nodes[2].stop()
      try await cluster.whileTimePasses {
        try await Client(nodes[1].port).post("\(path)/inputs", #"{"add":4}"#)
        #expect(try await stream.next()?.contains(#""version":3,"state":{"sum":7"#) == true)
      }
      #expect(try await upstreams(of: nodes[1]) == "0")
    }
  }

  @Test func `ends if its node has lost the store, and can be resumed on another`() async throws {
    try await trio { cluster, nodes in
      let path = try await Client(nodes[0].port).create()
      let stream = try await Client(nodes[0].port).stream("\(path)/events")
      _ = try await stream.next()
      nodes[0].store.cut()
      let end = try await cluster.whileTimePasses { try await stream.next() }
      #expect(end == nil)
      let next = try await Client(nodes[1].port).stream("\(path)/events?after=1")
      #expect(next.head.status == 200)
      try await Client(nodes[2].port).post("\(path)/inputs", #"{"add":3}"#)
      #expect(try await next.next()?.contains(#""version":2,"state":{"sum":3"#) == true)
    }
  }

  @Test func `is refused for an unknown session`() async throws {
    try await trio { _, nodes in
      let stream = try await Client(nodes[1].port).stream("/sessions/AAAAAAAAAAAAAAAAAAAAAA/events")
      #expect(stream.head.status == 404)
    }
  }
}
