import FusionRawHTTP
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A chat between sessions of several nodes` {
  /// A session that is in the room.
  private struct Guest {
    let name: String
    let path: String
    /// The port of the node that it uses.
    let port: Int

    init(_ name: String, at port: Int) async throws {
      (self.name, self.port) = (name, port)
      path = try await Client(port).create("chat")
      try await connect()
    }

    func connect() async throws {
      try await Client(port).post("\(path)/inputs", #"{"connect":{"name":"\#(name)"}}"#)
      while try await !text.contains(#""isConnected":true"#) {}
    }

    func say(_ text: String) async throws {
      let answer = try await Client(port).post("\(path)/inputs", #"{"send":"\#(text)"}"#)
      #expect(answer.status == 200)
    }

    var text: String {
      get async throws { try await Client(port).get(path).text }
    }

    /// The messages that it received, without the greetings.
    var heard: [String] {
      get async throws {
        try await text.matches(of: /"from":"([^"]*)","text":"([^"]*)"/)
          .map { "\($0.output.1) \($0.output.2)" }.filter { !$0.hasSuffix(" hello?") }
      }
    }
  }

  private func withNodes(
    _ names: String...,
    test: (_ cluster: Cluster, _ nodes: [Cluster.Member]) async throws -> Void
  ) async throws {
    let cluster = Cluster()
    var nodes: [Cluster.Member] = []
    do {
      for name in names { nodes.append(try await cluster.start(name)) }
      try await test(cluster, nodes)
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }

  /// Returns when all nodes know each other: each guest has received a greeting of every guest.
  private func meet(_ guests: [Guest], in cluster: Cluster) async throws {
    try await cluster.until {
      for guest in guests { try await guest.say("hello?") }
      for guest in guests {
        let text = try await guest.text
        let known = guests.filter { text.contains(#""from":"\#($0.name)""#) }
        if known.count < guests.count { return false }
      }
      return true
    }
  }

  @Test func `delivers each message to all once, in each sender's order`() async throws {
    try await withNodes("a", "b", "c") { cluster, nodes in
      var guests: [Guest] = []
      for (name, node) in zip(["Ada", "Bob", "Eve"], nodes) {
        guests.append(try await Guest(name, at: node.port))
      }
      try await meet(guests, in: cluster)
      let speakers = Array(guests.prefix(2))
      try await withThrowingTaskGroup { group in
        for speaker in speakers {
          group.addTask { for number in 1...20 { try await speaker.say("\(number)") } }
        }
        try await group.waitForAll()
      }
      for guest in guests {
        try await cluster.until { try await guest.heard.count >= 40 }
        let heard = try await guest.heard
        for speaker in speakers {
          let own = heard.filter { $0.hasPrefix(speaker.name) }
          #expect(own == (1...20).map { "\(speaker.name) \($0)" })
        }
      }
    }
  }

  @Test func `can be rejoined by a session whose node has died`() async throws {
    try await withNodes("a", "b") { cluster, nodes in
      let ada = try await Guest("Ada", at: nodes[0].port)
      let bob = try await Guest("Bob", at: nodes[1].port)
      try await meet([ada, bob], in: cluster)
      nodes[0].store.cut()
      await nodes[0].stop()
      // The session shows that it has left the room.
      try await cluster.until {
        let answer = try await Client(bob.port).get(ada.path)
        return answer.status == 200 && answer.text.contains(#""isConnected":false"#)
      }
      try await Client(bob.port).post("\(ada.path)/inputs", #"{"connect":{"name":"Ada"}}"#)
      try await bob.say("welcome back")
      try await cluster.until {
        try await Client(bob.port).get(ada.path).text.contains("welcome back")
      }
    }
  }

  @Test func `refuses unsigned messages, and any message at the clients' port`()
    async throws
  {
    try await withNodes("a", "b") { cluster, nodes in
      let ada = try await Guest("Ada", at: nodes[0].port)
      let port = try await nodes[0].store.nodePort
      let value = #"{"from":"Eve","text":"I am Ada"}"#
      let body = "1 1 9 \(value.utf8.count)\nchat/room\(value)"
      let fields = "Content-Type: application/x-uifusion-topics\r\n"
      #expect(try await Client(port).send("POST /topics", fields, body: body).status == 403)
      let forged =
        fields + "UIFusion-Node-Stamp: 1-1-1-\(Int64.max)\r\nUIFusion-Node-Signature: 00\r\n"
      #expect(try await Client(port).send("POST /topics", forged, body: body).status == 403)
      let open = try await Client(nodes[0].port).send("POST /topics", fields, body: body)
      #expect(open.status == 404 || open.status == 405)
      #expect(try await ada.heard == [])
    }
  }
}

extension SeverableStore {
  /// The port on which the first node listens for others.
  fileprivate var nodePort: Int {
    get async throws {
      let found: Result<[Node], StoreError> = await withCheckedContinuation { continuation in
        livingNodes { continuation.resume(returning: $0) }
      }
      return try unwrap(found.get().first?.address.split(separator: ":").last.flatMap { Int($0) })
    }
  }
}
