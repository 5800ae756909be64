import FusionHTTPMessages
import FusionSessions
import Testing
import UIFusionTesting

@testable import FusionSessionAPI

extension Reader {
  /// The snapshots that wait to be sent before the newest.
  fileprivate var backlog: Backlog? { (stream as? EventStream)?.backlog }
}

struct `A slow stream` {
  private let client = Client()

  private func versions(_ text: String) -> [Int] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
  }

  /// Sends an Input a number of times, in batches that fit the mailbox.
  private func send(_ input: String, _ count: Int, to path: String) async throws {
    for start in stride(from: 0, to: count, by: 250) {
      let batch = Array(repeating: "\"\(input)\"", count: min(250, count - start))
      let answer = try await client.send(
        .post,
        path + "/inputs",
        "[" + batch.joined(separator: ",") + "]"
      )
      #expect(answer.status == 200)
    }
  }

  @Test func `skips to the newest snapshot, except for those in which a Pulse changed`()
    async throws
  {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    for input in ["increase", "increase", "show", "increase", "increase", "show", "show"] {
      try await send(input, 1, to: path)
    }
    // 4, 7 and 8 have a new Pulse each; 2, 3, 5 and 6 were replaced.
    #expect(versions(reader.read()) == [4, 7, 8])
    try await send("increase", 2, to: path)
    #expect(versions(reader.read()) == [10])
  }

  @Test func `holds at most sixty-four frames`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    try await send("show", 64, to: path)
    #expect(versions(reader.read()) == Array(2...65))
    #expect(reader.cuts == 0)
    try await send("show", 65, to: path)
    #expect(reader.cuts == 1)
    #expect(reader.read() == "<end>")
    #expect(reader.backlog?.frames.isEmpty == true)
    reader.close()
    let resumed = try await client.follow(path + "/events", headers: ["Last-Event-ID": "65"])
    #expect(versions(resumed.read()) == [130])
  }

  @Test func `holds at most a mebibyte beside the newest frame`() {
    let large = [UInt8](repeating: 32, count: 1 << 19)
    var backlog = Backlog()
    let fits = (1...3).map { backlog.add(Snapshot(version: $0, state: large), from: 0) }
    #expect(fits == [true, true, false])
    #expect(backlog.next(from: 1) == nil)
    #expect(backlog.next(from: 0)?.version == 1)
  }

  @Test func `that is never read keeps nothing, however many States there were`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    try await send("increase", 100_000, to: path)
    #expect(reader.backlog?.frames.isEmpty == true)
    #expect(versions(reader.read()) == [100_001])
  }

  @Test func `receives the last version, like ten thousand others`() async throws {
    let path = try await client.session()
    var readers: [Reader] = []
    for _ in 0..<10_000 { readers.append(try await client.follow(path + "/events")) }
    for reader in readers.prefix(5_000) { _ = reader.read() }
    try await send("increase", 3, to: path)
    #expect(readers.allSatisfy { versions($0.read()) == [4] })
    for reader in readers { reader.close() }
    #expect(client.api.openStreams == 0)
  }
}
