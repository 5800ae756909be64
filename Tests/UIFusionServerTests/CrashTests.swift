import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Synchronization
import Testing

/// The guarantees for clients if the process ends under load.
struct `A service that was killed or stopped` {
  private let folder = TemporaryFolder()

  @Test(arguments: StoredData.Kind.available)
  func `loses nothing acknowledged or shown, and applies no key twice`(
    in kind: StoredData.Kind
  ) throws {
    let data = try StoredData(kind)
    var service = try ServiceProcess("--data", data.flag)
    try RawClient.waitUntilReady(service.port)
    let clients = try (0..<8).map { _ in CountingClient(try service.session("counter-sync")) }
    for _ in 0..<4 {
      load(service, clients, until: Int.random(in: 50...800)) { service.kill() }
      service = try ServiceProcess("--data", data.flag)
      try data.endLeases(before: service)
      for client in clients {
        let (version, value) = try client.look(service)
        #expect(client.acknowledged <= value && value <= client.sent)
        #expect(version >= client.newestSeen)
        #expect(client.seen(version).map { $0 == value } != false)
        // Whether or not the Input was applied before the kill, now it is applied once.
        try client.sendAgain(service)
        #expect(try client.look(service).value == client.sent)
      }
    }
    #expect(clients.allSatisfy { $0.acknowledged == $0.sent && $0.newestSeen > 1 })
  }

  @Test(arguments: StoredData.Kind.available)
  func `leaves nothing in doubt if it was asked to stop`(in kind: StoredData.Kind) throws {
    let data = try StoredData(kind)
    var service = try ServiceProcess("--data", data.flag)
    try RawClient.waitUntilReady(service.port)
    let clients = try (0..<8).map { _ in CountingClient(try service.session("counter-sync")) }
    for _ in 0..<2 {
      var status: Int32 = -1
      load(service, clients, until: Int.random(in: 50...800)) {
        status = (try? service.stop().status) ?? -1
      }
      #expect(status == 0)
      service = try ServiceProcess("--data", data.flag)
      try RawClient.waitUntilReady(service.port)
      for client in clients {
        #expect(try client.look(service).value == client.acknowledged)
        client.forgetUnanswered()
      }
    }
  }

  @Test func `goes on with a stream of Inputs behind those that it applied`() throws {
    var service = try ServiceProcess("--data", folder.path)
    let session = try service.session("counter-sync")
    let head =
      "POST \(session)/inputs HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
      + "Content-Type: application/x-ndjson\r\n"
    let lines = String(repeating: "\"increase\"\n", count: 1_000)
    let chunk = "\(String(lines.utf8.count, radix: 16))\r\n\(lines)\r\n"
    for _ in 0..<2 {
      let lost = try service.connect()
      lost.send(head + "Transfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<Int.random(in: 1...15) { lost.send(chunk) }
      let watcher = try service.connect()
      repeat { watcher.request("GET \(session)") } while try watcher.response()?["ETag"] == "\"1\""
      service.kill()
      service = try ServiceProcess("--data", folder.path)
      try RawClient.waitUntilReady(service.port)
    }
    let client = try service.connect()
    client.send(head + "Content-Length: \(lines.utf8.count * 20)\r\n\r\n")
    for _ in 0..<20 { client.send(lines) }
    let text = try client.response()?.text
    #expect(text == #"{"version":20001,"applied":20000}"#, "\(text ?? "none")")
    let reader = try service.connect()
    reader.request("GET \(session)")
    #expect(try reader.response()?.text.contains(#""value":20000"#) == true)
  }

  @Test func `continues its sessions, and remembers deleted ones`() throws {
    var service = try ServiceProcess("--data", folder.path)
    let session = try service.session("todos")
    let client = try service.connect()
    _ = try client.post(#"{"add":{"title":"milk"}}"#, to: session)
    let before = try text("GET \(session)", service)
    let deleted = try service.session("counter")
    _ = try text("DELETE \(deleted)", service)
    service.kill()
    service = try ServiceProcess("--data", folder.path)
    #expect(try text("GET \(session)", service) == before)
    #expect(try text("GET \(deleted)", service).contains("ended-session"))
  }

  @Test func `restarts interrupted work when it starts`() throws {
    let session = try interruptedSession()
    let service = try ServiceProcess("--data", folder.path)
    try service.waitForLog("interrupted sessions woken sessions=1 failed=0")
    let metrics = try text("GET /metrics", service)
    #expect(metrics.contains("\nuifusion_sessions_interrupted_total 1\n"))
    #expect(metrics.contains("\nuifusion_sessions_awake 1\n"))
    #expect(try text("GET \(session)", service).contains(#""isRunning":true"#))
  }

  @Test func `restarts interrupted work at the next request if waking is off`() throws {
    let session = try interruptedSession()
    let service = try ServiceProcess("--data", folder.path, "--wake-interrupted", "off")
    #expect(try text("GET /metrics", service).contains("\nuifusion_sessions_awake 0\n"))
    #expect(try text("GET \(session)", service).contains(#""isRunning":true"#))
    let metrics = try text("GET /metrics", service)
    #expect(metrics.contains("\nuifusion_sessions_awake 1\n"))
    #expect(metrics.contains("\nuifusion_sessions_interrupted_total 0\n"))
  }

  /// Returns a session whose countdown ran when its process was killed.
  private func interruptedSession() throws -> String {
    let service = try ServiceProcess("--data", folder.path)
    let session = try service.session("countdown")
    #expect(try service.connect().post(#"["start"]"#, to: session).contains("true"))
    service.kill()
    return session
  }

  private func text(_ line: String, _ service: ServiceProcess) throws -> String {
    let client = try service.connect()
    client.request(line)
    return try client.response()?.text ?? ""
  }

  /// Sends Inputs and reads streams on all sessions at once; calls `end` when `limit` Inputs were
  /// acknowledged, and waits until all connections have ended.
  private func load(
    _ service: ServiceProcess,
    _ clients: [CountingClient],
    until limit: Int,
    end: () -> Void
  ) {
    let acknowledged = Mutex(0)
    let isReached = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for client in clients {
      thread(group) { try client.follow(service) }
      thread(group) {
        try client.sendToTheEnd(service) {
          let count = acknowledged.withLock { count in
            count += 1
            return count
          }
          if count == limit { isReached.signal() }
        }
      }
    }
    isReached.wait()
    end()
    group.wait()
  }

  private func thread(_ group: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
    group.enter()
    Thread.detachNewThread {
      // An error is the expected end of the connection.
      try? body()
      group.leave()
    }
  }
}

/// A client that increases one session's counter with successive keys, and records the answers.
private final class CountingClient: Sendable {
  private struct Memory {
    var sent = 0
    var acknowledged = 0
    var values: [Int: Int] = [:]
  }

  let session: String
  private let memory = Mutex(Memory())

  init(_ session: String) { self.session = session }

  var sent: Int { memory.withLock { $0.sent } }
  var acknowledged: Int { memory.withLock { $0.acknowledged } }
  var newestSeen: Int { memory.withLock { $0.values.keys.max() ?? 0 } }
  func seen(_ version: Int) -> Int? { memory.withLock { $0.values[version] } }

  func sendToTheEnd(_ service: ServiceProcess, acknowledged: () -> Void) throws {
    let connection = try service.connect()
    while true {
      let number = memory.withLock { memory in
        memory.sent += 1
        return memory.sent
      }
      guard try send(number, on: connection) else { return }
      acknowledged()
    }
  }

  /// Repeats the newest Input if it was not acknowledged.
  func sendAgain(_ service: ServiceProcess) throws {
    guard acknowledged < sent else { return }
    #expect(try send(sent, on: service.connect()))
  }

  func forgetUnanswered() {
    memory.withLock { $0.sent = $0.acknowledged }
  }

  private func send(_ number: Int, on connection: RawClient) throws -> Bool {
    connection.request(
      "POST \(session)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: \(UUID(number))\r\n",
      body: #""increase""#
    )
    guard let answer = try connection.response(), answer.status == 200 else { return false }
    see(answer.text)
    memory.withLock { $0.acknowledged += 1 }
    return true
  }

  /// Reads the stream to its end.
  func follow(_ service: ServiceProcess) throws {
    let connection = try service.connect()
    connection.request("GET \(session)/events")
    _ = try connection.head()
    while let chunk = try connection.chunk(), !chunk.isEmpty {
      let text = String(decoding: chunk, as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("data: ") { see(String(line)) }
    }
  }

  func look(_ service: ServiceProcess) throws -> (version: Int, value: Int) {
    let connection = try service.connect()
    connection.request("GET \(session)")
    let text = try connection.response()?.text ?? ""
    return (number("version", text), number("value", text))
  }

  /// Records a State, and expects no other State of its version.
  private func see(_ text: String) {
    let (version, value) = (number("version", text), number("value", text))
    let other = memory.withLock { $0.values.updateValue(value, forKey: version) }
    #expect(other == nil || other == value)
  }

  private func number(_ name: String, _ text: String) -> Int {
    text.range(of: "\"\(name)\":").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
      ?? -1
  }
}

extension UUID {
  /// Creates the UUID with a number.
  fileprivate init(_ number: Int) {
    self = UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number)) ?? UUID()
  }
}

/// A location of sessions that outlives a process.
struct StoredData {
  enum Kind: String, CaseIterable {
    case folder, postgreSQL

    /// The installed kinds; the contract tests of stores report a missing one.
    static let available = allCases.filter { $0 == .folder || PostgreSQLServer.isInstalled }
  }

  /// The value of `--data`.
  let flag: String
  private let folder = TemporaryFolder()
  private let isShared: Bool

  init(_ kind: Kind) throws {
    isShared = kind == .postgreSQL
    flag = isShared ? try PostgreSQLServer.shared.get().emptySchema() : folder.path
  }

  /// Waits until a new node is ready, and ends the leases of earlier nodes, as some seconds would.
  func endLeases(before service: ServiceProcess) throws {
    try RawClient.waitUntilReady(service.port)
    guard isShared else { return }
    try PostgreSQLServer.shared.get().run(
      "UPDATE node SET expires = clock_timestamp() WHERE number < (SELECT max(number) FROM node)",
      in: flag
    )
  }
}

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
  let path = URL.temporaryDirectory.appending(path: "uifusion-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
