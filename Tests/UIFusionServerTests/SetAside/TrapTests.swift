import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import FusionSessions
import Testing

/// A kind of user code that traps, and so ends the process.
enum Trap: CaseIterable {
  case input, decoding, recursion, alarm, message, restored, effect

  /// Whether the session traps again by itself after a restart.
  var isRepeatedAlone: Bool {
    switch self {
    case .alarm, .message, .restored: true
    case .input, .decoding, .recursion, .effect: false
    }
  }

  /// The log's words for what the session did.
  var words: String {
    switch self {
    case .input, .recursion: "handled an Input"
    case .decoding: "read an Input"
    case .alarm: "handled the alarm 'b'"
    case .message: "handled a message"
    case .restored: "handled restored"
    case .effect: "ran an effect"
    }
  }

  /// Makes a session trap; `other` sends it a message.
  func provoke(_ session: String, by other: String, at service: ServiceProcess) throws {
    let client = try service.connect()
    switch self {
    case .input: _ = try? client.post(#""trap""#, to: session)
    case .decoding: _ = try? client.post(#"{"unreadable":[7,7]}"#, to: session)
    case .recursion: _ = try? client.post(#""recurse""#, to: session)
    case .alarm: _ = try? client.post(#"{"setAlarm":{"id":"b"}}"#, to: session)
    case .message: _ = try? client.post(#"{"send":{"to":"\#(id(session))"}}"#, to: other)
    case .effect: _ = try? client.post(#""runEffect""#, to: session)
    case .restored:
      _ = try client.post(#""work""#, to: session)
      service.kill()
    }
  }
}

/// Starts a service whose view models trap; without Swift's backtraces, which take longer than all else.
private func serveTraps(_ flags: [String]) throws -> ServiceProcess {
  try ServiceProcess(traps, flags: flags, after: "export SWIFT_BACKTRACE=enable=no")
}

private struct ServiceEnded: Error {}

private func get(_ target: String, _ service: ServiceProcess) throws -> RawClient.Response {
  let client = try service.connect()
  client.request("GET \(target)")
  guard let response = try client.response() else { throw ServiceEnded() }
  return response
}

/// The executable whose view models trap.
private let traps = executable.deletingLastPathComponent().appending(path: "traps")

private func id(_ session: String) -> String { String(session.dropFirst("/sessions/".count)) }

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A session whose view model traps` {
  private let folder = TemporaryFolder()

  private func serve(_ flags: String...) throws -> ServiceProcess {
    try serveTraps(["--data", folder.path] + flags)
  }

  /// Starts the service, which may end before or after it listens; returns its log.
  private func logOfEnd(_ act: (ServiceProcess) throws -> Void) throws -> String {
    do {
      let service = try serve()
      try act(service)
      return try service.end().log
    } catch let failure as ServiceProcess.Failed {
      return failure.output
    }
  }

  @Test(arguments: Trap.allCases)
  func `is named, and set aside after the second time`(by trap: Trap) async throws {
    try await onThread {
      let service = try serve()
      let (bystander, other) = (try service.session("trapping"), try service.session("trapping"))
      let victim = try service.session("trapping")
      #expect(try service.connect().post(#""increase""#, to: bystander).contains(#""value":1"#))
      try trap.provoke(victim, by: other, at: service)
      let words = "while session \(id(victim).prefix(6))… (trapping) \(trap.words)"
      var log = try service.end().log
      // A signal from outside counts for nobody; the first start after it traps.
      if trap == .restored { log = try logOfEnd { _ in } }
      #expect(log.contains("the process ends \(words)"), "\(log)")
      log = try logOfEnd { service in
        if !trap.isRepeatedAlone { try trap.provoke(victim, by: other, at: service) }
      }
      #expect(log.contains("the last run ended \(words)"), "\(log)")
      #expect(!log.contains(id(victim)))

      let third = try serve()
      try third.waitForLog("is set aside")
      #expect(try third.connect().post(#""increase""#, to: bystander).contains(#""value":2"#))
      let refusal = try get(victim, third)
      #expect(refusal.status == 503 && refusal["Retry-After"] != nil)
      #expect(refusal.text.contains("/problems/session-set-aside"), "\(refusal.text)")
      let answer = try third.connect().post(#""trap""#, to: victim)
      #expect(answer.contains("session-set-aside"), "\(answer)")
      #expect(try get("/metrics", third).text.contains("\nuifusion_sessions_set_aside 1\n"))
      let listing = ["sessions", "list", "--data", folder.path, "--format", "json"]
      let list = try run(traps.path, listing).output
      let line = list.split(separator: "\n").first { $0.contains(id(victim)) }
      #expect(line?.contains(#""setAside":"2"#) == true, "\(list)")
      #expect(list.components(separatedBy: #""setAside":null"#).count == 3, "\(list)")

      // Beside the running service, which then tries it again.
      let resume = ["sessions", "resume", "--data", folder.path, "--session", id(victim)]
      #expect(try run(traps.path, resume).output == "resumed \(id(victim))\n")
      if trap.isRepeatedAlone {
        log = try third.end().log
        #expect(log.contains("the process ends \(words)"), "\(log)")
      } else {
        #expect(try get(victim, third).status == 200)
        #expect(try run(traps.path, resume).output == "\(id(victim)) was not set aside\n")
        #expect(try third.stop().status == 0)
      }
    }
  }

  @Test(arguments: [SIGKILL, SIGSEGV])
  func `is not to blame for a signal from outside`(_ signal: Int32) async throws {
    try await onThread {
      var service = try serve()
      let session = try service.session("trapping")
      for _ in 1...2 {
        let answer = try service.connect().post(#"["idle","increase"]"#, to: session)
        #expect(answer.contains(#""value""#))
        service.signal(signal)
        #expect(try service.end().status == signal)
        service = try serve()
      }
      #expect(try get(session, service).status == 200)
      #expect(try !service.stop().log.contains("the last run ended"))
    }
  }

  @Test func `is never set aside if the setting says so`() async throws {
    try await onThread {
      var service = try serve("--set-aside-within", "0")
      let session = try service.session("trapping")
      for _ in 1...2 {
        _ = try? service.connect().post(#""trap""#, to: session)
        #expect(try service.end().log.contains("the process ends while session"))
        service = try serve("--set-aside-within", "0")
      }
      #expect(try get(session, service).status == 200)
      #expect(try service.stop().log.contains("the last run ended while session"))
    }
  }

  @Test func `works without last words, which the log then says`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/last-words",
      withIntermediateDirectories: true
    )
    try await onThread {
      let service = try serve()
      let session = try service.session("trapping")
      #expect(try service.connect().post(#""increase""#, to: session).contains(#""value":1"#))
      let log = try service.stop().log
      #expect(log.contains("there will be no last words after a crash"), "\(log)")
    }
  }

  @Test func `is named where sessions are in memory`() async throws {
    try await onThread {
      let service = try serveTraps(["--data", "memory"])
      let session = try service.session("trapping")
      _ = try? service.connect().post(#""trap""#, to: session)
      let log = try service.end().log
      #expect(log.contains("the process ends while session \(id(session).prefix(6))…"), "\(log)")
    }
  }
}

/// Three nodes, as a supervisor that is slow to restart them leaves them to each other.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `A session on several nodes whose view model traps` {
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try PostgreSQLServer.shared.get()
    database = try server.emptySchema()
  }

  private func serve() throws -> ServiceProcess {
    let service = try serveTraps(["--data", database, "--node-address", "127.0.0.1:0"])
    try RawClient.waitUntilReady(service.port)
    return service
  }

  @Test(arguments: [Trap.input, .alarm, .message, .restored])
  func `ends two of them, and not the third`(by trap: Trap) async throws {
    try await onThread {
      // Of four, if one is killed: that one is none of those that the session ends.
      let nodes = try (0..<(trap == .restored ? 4 : 3)).map { _ in try serve() }
      let (bystander, other) = (try nodes[1].session("trapping"), try nodes[0].session("trapping"))
      let victim = try nodes[0].session("trapping")
      _ = try nodes[1].connect().post(#""increase""#, to: bystander)
      try trap.provoke(victim, by: other, at: nodes[0])
      _ = try nodes[0].end()
      // The sessions of a node that has ended stay its own until its lease does.
      try server.run(
        "UPDATE node SET expires = clock_timestamp() WHERE number = (SELECT min(number) FROM node)",
        in: database
      )
      var refusal = ""
      while !refusal.contains("session-set-aside") {
        let node = try #require(nodes.first { $0.isRunning })
        if !trap.isRepeatedAlone { try? trap.provoke(victim, by: other, at: node) }
        refusal = (try? get(victim, node).text) ?? ""
      }
      #expect(nodes.count { $0.isRunning } == 1)
      let last = try #require(nodes.first { $0.isRunning })
      // Until the lease of the node that has ended is over, the session counts as its own.
      while try get(bystander, last).status != 200 {}
      #expect(try last.connect().post(#""increase""#, to: bystander).contains(#""value":2"#))
      let tool = ["sessions", "resume", "--data", database, "--session", id(victim)]
      #expect(try run(traps.path, tool).output == "resumed \(id(victim))\n")
      if trap.isRepeatedAlone {
        #expect(try last.end().log.contains("(trapping) \(trap.words)"))
      } else {
        #expect(try get(victim, last).status == 200)
      }
    }
  }
}
