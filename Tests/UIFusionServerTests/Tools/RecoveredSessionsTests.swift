import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import FusionStrictJSON
import Testing

/// `UIFUSION_RECOVERY_COUNT` sessions, by default 300.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct `Many sessions that are recovered to a moment` {
  /// A session as its client knows it.
  private struct Known {
    let path: String
    /// The State of each acknowledged version.
    var states: [Int: String] = [:]
    /// The newest version at the moment.
    var kept = 1

    var newest: Int { states.count }
  }

  private struct Answer {
    let version: Int
    let state: String

    init(_ text: String) throws {
      let root = try JSONDocument(Array(text.utf8)).root
      version = try #require(try root["version"]?.decode(Int.self))
      state = JSONTree(try #require(root["state"])).text
    }
  }

  private let tools = `The tools`()
  private let count =
    ProcessInfo.processInfo.environment["UIFUSION_RECOVERY_COUNT"].flatMap(Int.init) ?? 300

  private var milliseconds: Int { Int(Date().timeIntervalSince1970 * 1_000) }

  private func create(_ client: RawClient) throws -> Known {
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"todos"}"#
    )
    let created = try #require(try client.response())
    var session = Known(path: try #require(created["Location"]))
    session.states[1] = try Answer(created.text).state
    return session
  }

  private func send(_ count: Int, to session: inout Known, _ client: RawClient) throws {
    for _ in 0..<count {
      let title = "\(session.path) \(session.newest)"
      let answer = try Answer(
        try client.post(#"{"add":{"title":"\#(title)"}}"#, to: session.path)
      )
      #expect(answer.version == session.newest + 1)
      session.states[answer.version] = answer.state
    }
  }

  @Test(arguments: PostgreSQLServer.isInstalled ? [false, true] : [false])
  func `have the State of that moment as a new version above all others`(
    inDatabase isInDatabase: Bool
  ) throws {
    defer { tools.remove() }
    let data = isInDatabase ? try PostgreSQLServer.shared.get().emptySchema() : tools.data
    func serve() throws -> ServiceProcess {
      try FileManager.default.createDirectory(
        atPath: tools.folder,
        withIntermediateDirectories: true
      )
      let service = try ServiceProcess(flags: [
        "--data", data, "--history-days", "1", "--max-sessions-per-client", "\(count + 1)",
      ])
      if isInDatabase { try service.waitForLog("joined the nodes of this store") }
      return service
    }
    let service = try serve()
    let client = try service.connect()
    var sessions: [Known] = []
    for index in 0..<count {
      var session = try create(client)
      try send(index % 4, to: &session, client)
      session.kept = session.newest
      sessions.append(session)
    }
    // The service's monotonic clock may differ by some milliseconds from the calendar.
    let moment = milliseconds + 25
    while milliseconds <= moment + 25 {}
    for index in sessions.indices { try send(index / 4 % 3, to: &sessions[index], client) }
    let later = try create(client)
    #expect(try service.stop().status == 0)
    let time = try #require(Timestamp(milliseconds: moment)?.text)
    let recovery = try run(
      executable.path,
      ["sessions", "recover", "--data", data, "--at", time]
    )
    let changed = sessions.count { $0.newest > $0.kept }
    #expect(recovery.status == 0, "\(recovery.errors)")
    #expect(
      recovery.output == """
        \(changed) sessions recovered, as a new version
        \(count - changed) sessions not changed since
        1 session created later, and left alone
        session \(later.path.dropFirst("/sessions/".count)) left alone: it was created later

        """
    )
    let next = try serve()
    try check(sessions, try next.connect())
    try check([later], try next.connect())
    #expect(try next.stop().status == 0)
  }

  private func check(_ sessions: [Known], _ client: RawClient) throws {
    for session in sessions {
      let isRecovered = session.newest > session.kept
      let version = isRecovered ? session.newest + 1 : session.newest
      let now = try Answer(try get(session.path, client))
      #expect(now.version == version, "\(session.path)")
      #expect(now.state == session.states[isRecovered ? session.kept : session.newest])
      for (version, state) in session.states {
        let answer = try Answer(try get("\(session.path)/versions/\(version)", client))
        #expect(answer.version == version && answer.state == state, "\(session.path) \(version)")
      }
    }
  }

  private func get(_ path: String, _ client: RawClient) throws -> String {
    client.request("GET \(path)")
    return try #require(try client.response()).text
  }
}
