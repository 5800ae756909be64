import FusionRawHTTP
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer

/// A view model that follows a ``Tally``.
struct Shadow: ViewModelProtocol, SessionFollowing {
  enum Input: Codable, Sendable { case follow(String) }
  enum Action: Codable, Sendable { case follow(String), sum(Int), over }

  private struct Sum: Codable, Equatable, Sendable { var sum: Int }

  struct State: Codable, Equatable, Sendable {
    var source: String?
    var sums: [Int] = []
    var isOver = false
  }

  var state = State()

  var following: [Following<Action>] {
    guard let source = state.source else { return [] }
    return [Following(.id(source), as: Sum.self, ended: .over) { .sum($0.sum) }]
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .follow(let source): [.follow(source)]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .follow(let source): state = State(source: source)
    case .sum(let sum): state.sums.append(sum)
    case .over: (state.source, state.isOver) = (nil, true)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A session that follows another node's session` {
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

  /// Creates a tally on one node, and a session that follows it on another; returns their paths.
  private func follow(
    _ cluster: Cluster,
    _ nodes: [Cluster.Member]
  ) async throws -> (tally: String, shadow: String) {
    let tally = try await Client(nodes[0].port).create()
    let shadow = try await Client(nodes[1].port).create("shadow")
    let id = tally.dropFirst("/sessions/".count)
    try await Client(nodes[1].port).post("\(shadow)/inputs", #"{"follow":"\#(id)"}"#)
    try await expect(#""sums":[0]"#, in: shadow, on: nodes[1], cluster)
    return (tally, shadow)
  }

  private func expect(
    _ text: String,
    in path: String,
    on node: Cluster.Member,
    _ cluster: Cluster
  ) async throws {
    try await cluster.until { try await Client(node.port).get(path).text.contains(text) }
  }

  @Test func `gets the newest State until the followed session ends`() async throws {
    try await trio { cluster, nodes in
      let (tally, shadow) = try await follow(cluster, nodes)
      try await Client(nodes[2].port).post("\(tally)/inputs", #"{"add":3}"#)
      try await expect(#""sums":[0,3]"#, in: shadow, on: nodes[1], cluster)
      #expect(try await Client(nodes[2].port).send("DELETE \(tally)").status == 204)
      try await expect(#""isOver":true"#, in: shadow, on: nodes[1], cluster)
    }
  }

  @Test func `keeps following when either session moves to another node`() async throws {
    try await trio { cluster, nodes in
      let (tally, shadow) = try await follow(cluster, nodes)
      nodes[0].store.cut()
      await nodes[0].stop()
      _ = try await cluster.whileTimePasses {
        try await Client(nodes[2].port).post("\(tally)/inputs", #"{"add":3}"#)
      }
      try await expect(#""sums":[0,3]"#, in: shadow, on: nodes[1], cluster)
      nodes[1].store.cut()
      await nodes[1].stop()
      _ = try await cluster.whileTimePasses {
        try await Client(nodes[2].port).post("\(tally)/inputs", #"{"add":4}"#)
      }
      // After its recovery the session may get the last State once more.
      try await cluster.until {
        let text = try await Client(nodes[2].port).get(shadow).text
        return text.contains(#""sums":[0,3,7]"#) || text.contains(#""sums":[0,3,3,7]"#)
      }
    }
  }
}
