import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Testing

/// All sessions of one store, moved to another by one command.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `A move of all sessions` {
  private let tools = `The tools`()
  private let database: String

  init() throws {
    database = try PostgreSQLServer.shared.get().emptySchema()
  }

  private var data: String { tools.data }

  private func move(
    _ source: String,
    to target: String,
    _ flags: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    try run(
      executable.path,
      ["sessions", "import", "--from", source, "--data", target] + flags
    )
  }

  /// Returns the ids of the listed sessions.
  private func ids(in place: String) throws -> [String] {
    try run("sessions", "list", "--data", place).output.split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// Returns the times at which the listed sessions were last used.
  private func uses(in place: String) throws -> [String] {
    try run("sessions", "list", "--data", place, "--format", "json").output
      .matches(of: /"used":"([^"]+)"/).map { String($0.1) }
  }

  /// Sends an Input with the key of ``The tools``' counter.
  private func send(
    _ input: String,
    to id: String,
    of service: ServiceProcess
  ) throws -> RawClient.Response {
    let client = try service.connect()
    client.request(
      "POST /sessions/\(id)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: input
    )
    return try #require(try client.response())
  }

  /// Starts a node; returns when it has joined the store.
  private func node() throws -> ServiceProcess {
    let service = try ServiceProcess("--data", database)
    try service.waitForLog("joined the nodes of this store")
    return service
  }

  private func expectKeys(of id: String, _ service: ServiceProcess) throws {
    let repetition = try send(#""increase""#, to: id, of: service)
    #expect(repetition["Idempotency-Replayed"] == "true")
    #expect(repetition.text.hasPrefix(#"{"version":4,"state":{"value":0,"#))
    #expect(try send(#""decrease""#, to: id, of: service).status == 422)
  }

  @Test func `from a folder to a database keeps State, history and keys`() throws {
    defer { tools.remove() }
    let service = try tools.serve()
    let id = try tools.counter(service)
    let other = tools.id(of: try service.session("todos"))
    let replay = try run("replay", "--data", data, "--session", id).output
    let served = try move(data, to: database)
    #expect(served.status == 1)
    #expect(
      served.errors == "uifusion: nothing was imported: another process serves the sessions in "
        + "\(data): stop it first\n"
    )
    #expect(try service.stop().status == 0)
    let moved = try move(data, to: database)
    #expect(moved.status == 0)
    #expect(moved.errors == "")
    #expect(moved.output == "imported 2 sessions from \(data)\n")
    #expect(try ids(in: database).sorted() == [id, other].sorted())
    // Their idle time begins anew.
    let (before, after) = (try uses(in: data), try uses(in: database))
    #expect(after.count == 2 && after.allSatisfy { $0 > before.max() ?? "~" })
    #expect(try run("replay", "--data", database, "--session", id).output == replay)

    let node = try node()
    try expectKeys(of: id, node)
    #expect(try node.connect().post(#""increase""#, to: "/sessions/\(id)").contains(#"version":5"#))
    #expect(try node.stop().status == 0)
  }

  @Test func `from a database to a folder needs all nodes to be stopped`() throws {
    defer { tools.remove() }
    let node = try node()
    let id = try tools.counter(node)
    try FileManager.default.createDirectory(
      atPath: tools.folder,
      withIntermediateDirectories: true
    )
    let served = try move(database, to: data)
    #expect(served.status == 1)
    #expect(
      served.errors.contains(
        #/^uifusion: nothing was imported: node 1 \(.+\) serves the sessions in postgres:.+: stop all nodes first\n$/#
      ),
      "\(served.errors)"
    )
    let unused = try node.session("todos")
    #expect(try node.stop().status == 0)
    let server = try PostgreSQLServer.shared.get()
    try server.run("UPDATE session SET used = now() - interval '30 days'", in: database)
    let moved = try move(database, to: data)
    #expect(moved.status == 0)
    #expect(moved.errors == "")
    #expect(moved.output.hasPrefix("imported 2 sessions from postgres://"))
    let service = try tools.serve()
    try expectKeys(of: id, service)
    // The unused session did not expire at the start.
    let client = try service.connect()
    client.request("GET \(unused)")
    #expect(try client.response()?.status == 200)
    #expect(try service.stop().status == 0)

    let again = try move(database, to: data, "--replace")
    #expect(again.status == 1)
    #expect(
      again.errors == "uifusion: nothing was imported: \(data) contains sessions already: "
        + "name a new folder with --data\n"
    )
  }

  @Test func `imports all sessions or none if one of them exists already`() throws {
    defer { tools.remove() }
    let service = try tools.serve()
    let created = try (1...5).map { _ in tools.id(of: try service.session("todos")) }
    #expect(try service.stop().status == 0)
    let document = tools.folder + "/third.json"
    let third = created[2]
    #expect(
      try tools.tool("sessions export", "--session", third, "--output", document).status == 0
    )
    #expect(try run("sessions", "import", "--data", database, "--input", document).status == 0)
    let refused = try move(data, to: database)
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix("uifusion: nothing was imported: session \(third) exists in ")
    )
    #expect(refused.errors.hasSuffix(" already: give --replace, or delete it\n"))
    #expect(try ids(in: database) == [third])
    let replaced = try move(data, to: database, "--replace")
    #expect(replaced.status == 0)
    #expect(replaced.output == "imported 5 sessions from \(data)\n")
    #expect(try ids(in: database).sorted() == created.sorted())
  }

  @Test func `has interrupted work restarted, even while a node runs`() throws {
    defer { tools.remove() }
    let node = try node()
    let service = try tools.serve()
    let session = try service.session("countdown")
    #expect(try service.connect().post(#"["start"]"#, to: session).contains("true"))
    service.kill()
    #expect(try move(data, to: database).status == 0)
    try node.waitForLog("interrupted sessions woken sessions=1 failed=0")
    #expect(try node.stop().status == 0)
  }

  @Test(
    arguments: [
      (
        "TRIGGER ending BEFORE INSERT ON session",
        "nothing was imported: cannot write the sessions in "
      ),
      (
        "CONSTRAINT TRIGGER ending AFTER INSERT ON session INITIALLY DEFERRED",
        "the commit was not confirmed: either all sessions are in "
      ),
    ]
  )
  func `reports what was imported if the connection ends`(trigger: String, told: String) throws {
    defer { tools.remove() }
    let service = try tools.serve()
    _ = try service.session("todos")
    #expect(try service.stop().status == 0)
    #expect(try node().stop().status == 0)
    try PostgreSQLServer.shared.get().run(
      """
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE \(trigger) FOR EACH ROW EXECUTE FUNCTION end_connection()
      """,
      in: database
    )
    let moved = try move(data, to: database)
    #expect(moved.status == 1)
    #expect(moved.errors.hasPrefix("uifusion: \(told)"), "\(moved.errors)")
    #expect(try ids(in: database) == [])
  }

  @Test func `names a session that cannot be read, and imports none`() throws {
    let node = try node()
    _ = try node.session("todos")
    let broken = try node.session("todos")
    _ = try node.connect().post(#"{"add":{"title":"milk"}}"#, to: broken)
    #expect(try node.stop().status == 0)
    let server = try PostgreSQLServer.shared.get()
    // Turns a whole State, which follows its time and version, into a patch that is not JSON.
    try server.run("UPDATE entry SET body = set_byte(set_byte(body, 16, 2), 21, 0)", in: database)
    let target = try server.emptySchema()
    let moved = try move(database, to: target)
    #expect(moved.status == 1)
    #expect(
      moved.errors.hasPrefix(
        "uifusion: nothing was imported: the log of session \(tools.id(of: broken)) in postgres://"
      ),
      "\(moved.errors)"
    )
    #expect(try ids(in: target) == [])
  }

  @Test func `succeeds if there are no sessions`() throws {
    defer { tools.remove() }
    #expect(try tools.serve().stop().status == 0)
    let moved = try move(data, to: database)
    #expect(moved.status == 0)
    #expect(moved.output == "imported 0 sessions from \(data)\n")
    #expect(try ids(in: database) == [])
  }

  @Test func `from a missing folder creates nothing`() throws {
    let missing = try move(data, to: database)
    #expect(missing.status == 1)
    #expect(
      missing.errors == "uifusion: nothing was imported: there are no sessions in \(data): "
        + "name their folder with --from\n"
    )
    #expect(
      try PostgreSQLServer.shared.get().run("SELECT to_regclass('service')", in: database) == nil
    )
  }

  @Test func `needs two different locations, and no file`() throws {
    defer { tools.remove() }
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    for (flags, fault) in [
      (
        ["--from", data, "--input", "session.json"],
        "--from imports all sessions of a place, --input one from a file: give one of them"
      ),
      (["--from", data], "--from and --data are the same place, \(data): name two different ones"),
      (
        ["--from", data + "/../data/"],
        "--from and --data are both folders: sessions backup copies \(data)/../data/ as it is"
      ),
      (["--from", "memory"], "--from must be a folder, or postgres://…, not memory"),
    ] {
      let result = try run(executable.path, ["sessions", "import", "--data", data] + flags)
      #expect(result.status == 2)
      #expect(result.errors == "uifusion: \(fault)\n")
    }
  }
}
