import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Testing

/// The tools' commands on sessions in PostgreSQL, while a node runs or after it has stopped.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `The tools for a database` {
  private let tools = `The tools`()
  private let database: String

  init() throws {
    database = try PostgreSQLServer.shared.get().emptySchema()
  }

  private func tool(
    _ command: String,
    _ flags: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let words = command.split(separator: " ").map(String.init)
    return try run(executable.path, words + ["--data", database] + flags)
  }

  /// Starts a node; returns when it has joined the store.
  private func serve(_ flags: String...) throws -> ServiceProcess {
    let service = try ServiceProcess(flags: ["--data", database] + flags)
    try service.waitForLog("joined the nodes of this store")
    return service
  }

  @Test func `list, show and replay sessions as those of a folder, while a node runs`() throws {
    defer { tools.remove() }
    let service = try serve()
    #expect(try tool("sessions list").output.hasPrefix("no sessions in postgres://fusion@/tmp/"))
    let id = try tools.counter(service)
    let list = try tool("sessions list")
    #expect(list.status == 0)
    let line = #/\nID  counter-sync  4        TIME  TIME  64 B   3        TIME  1 \(.+\)\n/#
    #expect(tools.fixed(list.output, id).contains(line))
    #expect(
      try tool("sessions list", "--format", "json").output.contains(
        #","node":{"number":1,"name":""#
      )
    )
    let node = /node +1 \(.+\)\n/
    #expect(try tool("sessions show", "--session", id).output.contains(node))
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 0)
    #expect(tools.fixed(check.output, id) == "counter-sync ID: 3 versions are the same\n")
    let all = try tool("deploy check", "--old", executable.path)
    #expect(all.status == 0, "\(all.errors)")
    #expect(all.output.hasSuffix("the session can go on. Going back is safe.\n"))

    let document = tools.folder + "/session.json"
    try FileManager.default.createDirectory(
      atPath: tools.folder,
      withIntermediateDirectories: true
    )
    #expect(try tool("sessions export", "--session", id, "--output", document).status == 0)
    #expect(try tools.tool("sessions import", "--input", document).status == 0)
    for command in ["replay", "sessions show", "replay --format json"] {
      let (here, there) = try (
        tool(command, "--session", id), tools.tool(command, "--session", id)
      )
      #expect(here.status == 0 && here.errors == "")
      let output = tools.fixed(here.output, id).replacing(node, with: "")
      #expect(output == tools.fixed(there.output, id), "\(command)")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `import a session with its keys once no node owns it`() throws {
    defer { tools.remove() }
    let service = try serve()
    let id = try tools.counter(service)
    let document = tools.folder + "/session.json"
    try FileManager.default.createDirectory(
      atPath: tools.folder,
      withIntermediateDirectories: true
    )
    #expect(try tool("sessions export", "--session", id, "--output", document).status == 0)
    for command in ["import --replace --input \(document)", "delete --session \(id)"] {
      let busy = try tool("sessions \(command)")
      #expect(busy.status == 1)
      #expect(
        busy.errors.contains(
          #/^uifusion: node 1 \(.+\) owns session .{22}, and releases it after --sleep-after without use /#
        ),
        "\(busy.errors)"
      )
    }
    _ = try service.connect().post(#""increase""#, to: "/sessions/\(id)")
    #expect(try service.stop().status == 0)
    let again = try tool("sessions import", "--input", document)
    #expect(again.status == 1 && again.errors.contains(" already: give --replace, or delete it\n"))
    let replaced = try tool("sessions import", "--input", document, "--replace")
    #expect(replaced.status == 0 && replaced.output == "imported \(id)\n")

    let next = try serve()
    let client = try next.connect()
    client.request(
      "POST /sessions/\(id)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    let answer = try #require(try client.response())
    #expect(answer["Idempotency-Replayed"] == "true")
    #expect(answer.text.hasPrefix(#"{"version":4,"state":{"value":0,"#))
    #expect(try client.post(#""increase""#, to: "/sessions/\(id)").hasPrefix(#"{"version":5,"#))
    #expect(try next.stop().status == 0)
    #expect(try tool("sessions delete", "--session", id).output == "deleted \(id)\n")
    let gone = try tool("sessions delete", "--session", id)
    #expect(gone.status == 1 && gone.errors.contains("there is no session \(id) in postgres://"))
  }

  @Test func `back up all sessions into a folder that can be served, while a node runs`() throws {
    defer { tools.remove() }
    let service = try serve()
    let (id, other) = (try tools.counter(service), try service.session("todos"))
    try FileManager.default.createDirectory(
      atPath: tools.folder,
      withIntermediateDirectories: true
    )
    let backup = try tool("sessions backup", "--output", tools.data)
    #expect(backup.status == 0 && backup.errors == "")
    #expect(backup.output == "backed up to \(tools.data)\n")
    _ = try service.connect().post(#""increase""#, to: "/sessions/\(id)")
    #expect(try service.stop().status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tools.data).sorted() == [
        "lock", "sessions.sqlite",
      ]
    )
    let check = try tools.tool("replay", "--session", id, "--check")
    #expect(tools.fixed(check.output, id) == "counter-sync ID: 3 versions are the same\n")
    let occupied = try tool("sessions backup", "--output", tools.data)
    #expect(occupied.status == 1)
    #expect(occupied.errors == "uifusion: there are sessions in \(tools.data) already\n")

    let restored = try tools.serve()
    let client = try restored.connect()
    client.request(
      "POST /sessions/\(id)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    let answer = try #require(try client.response())
    #expect(answer["Idempotency-Replayed"] == "true")
    #expect(answer.text.hasPrefix(#"{"version":4,"state":{"value":0,"#))
    client.request("GET \(other)")
    #expect(try client.response()?.status == 200)
    #expect(try restored.stop().status == 0)
  }

  @Test func `list the nodes, and count sessions that no node owns`() throws {
    let none = try tool("nodes")
    #expect(none.status == 1)
    #expect(none.errors.hasPrefix("uifusion: PostgreSQL at postgres://"))
    #expect(none.errors.hasSuffix(" has no tables yet: start a node once, or import sessions\n"))

    let a = try serve("--node-address", "127.0.0.1:0")
    let b = try serve()
    for service in [a, a, b] { _ = try service.session("counter-sync") }
    #expect(try b.stop().status == 0)
    #expect(try tool("nodes").output.split(separator: "\n").count == 3)
    let table = try tool("nodes", "--all")
    #expect(table.status == 0 && table.errors == "")
    let lines = table.output.split(separator: "\n").map { $0.split(separator: /\ {2,}/) }
    #expect(lines[0] == ["NODE", "NAME", "ADDRESS", "JOINED", "LEASE", "SESSIONS"])
    #expect(lines.dropFirst().map { $0.first } == ["1", "2", "–"])
    #expect(lines.dropFirst().map { $0.last } == ["2", "0", "1"])
    #expect(lines[1][2].hasPrefix("http://127.0.0.1:") && lines[2][2] == "–")
    #expect(lines[1][4].wholeMatch(of: /\d\.\d s/) != nil)
    #expect(lines[2][4] == "stopped")
    #expect(lines[3].prefix(2) == ["–", "nobody"])

    let json = try tool("nodes", "--all", "--format", "json").output.split(separator: "\n")
    #expect(json.count == 3)
    #expect(json[0].hasPrefix(#"{"node":1,"name":""#) && json[0].hasSuffix(#","sessions":2}"#))
    #expect(
      json[1].contains(#","address":null,"joined":"20"#)
        && json[1].hasSuffix(#","leaseLeft":null,"sessions":0}"#)
    )
    #expect(json[2] == #"{"node":null,"sessions":1}"#)
    let c = try serve()
    c.kill()
    try a.waitForLog("another node's lease expired")
    let died = try #require(
      try tool("nodes", "--all").output.split(separator: "\n").dropLast().last
    )
    #expect(died.contains(#/\ expired \d+\.\d s ago +0$/#))
    #expect(try tool("nodes").output.split(separator: "\n").count == 3)
    #expect(try a.stop().status == 0)
  }

  @Test func `read a read-only database, and report that they cannot change it`() throws {
    defer { tools.remove() }
    let service = try serve()
    let id = try tools.counter(service)
    #expect(try service.stop().status == 0)
    let standby = database.replacing(
      "search_path",
      with: "default_transaction_read_only%3Don%20-csearch_path"
    )
    for command in [
      "nodes", "sessions list", "sessions show --session \(id)", "sessions export --session \(id)",
      "sessions backup --output \(tools.folder)", "deploy check", "replay --session \(id)",
    ] {
      let words = command.split(separator: " ").map(String.init)
      let result = try run(executable.path, words + ["--data", standby])
      #expect(result.status == 0 && result.errors == "", "\(command): \(result.errors)")
    }
    let words = ["sessions", "delete", "--session", id, "--data", standby]
    let deletion = try run(executable.path, words)
    #expect(deletion.status == 1 && deletion.errors.contains("it is a standby"))
  }

  @Test func `report that a command is for a database only`() throws {
    let nodes = try run("nodes", "--data", "/var/lib/uifusion")
    #expect(nodes.status == 2)
    #expect(
      nodes.errors == "uifusion: one process alone serves "
        + "/var/lib/uifusion: name a database with --data postgres://…\n"
    )
  }

  @Test func `show no password`() throws {
    let secret = "postgres://user:hush@127.0.0.1:1/sessions"
    for command in ["nodes", "sessions list", "sessions show --session AAAAAAAAAAAAAAAAAAAAAA"] {
      let words = command.split(separator: " ").map(String.init)
      let result = try run(executable.path, words + ["--data", secret])
      #expect(result.status == 1)
      #expect(result.errors.contains("PostgreSQL at postgres://user@127.0.0.1:1/sessions"))
      #expect(!result.errors.contains("hush"))
    }
  }
}

extension `The tools for a database` {
  @Test func `fork a session, and recover sessions once no node runs`() throws {
    defer { tools.remove() }
    let service = try serve()
    let id = try tools.counter(service)
    let fork = try tool("sessions fork", "--session", id, "--version", "3")
    #expect(fork.status == 0, "\(fork.errors)")
    let new = String(fork.output.dropLast().suffix(22))
    let busy = try tool("sessions recover", "--session", id, "--version", "2")
    #expect(busy.status == 1 && busy.errors.contains("nothing was recovered: node 1 ("))
    let all = try tool("sessions recover", "--at", "2100-01-01T00:00:00.000Z")
    #expect(all.status == 1 && all.errors.contains("is at work: stop all nodes first"))
    #expect(try service.stop().status == 0)
    let none = try tool("sessions recover", "--at", "2100-01-01T00:00:00.000Z")
    #expect(none.output == "0 sessions recovered, as a new version\n2 sessions not changed since\n")
    let recovery = try tool("sessions recover", "--session", id, "--version", "2")
    #expect(recovery.output == "1 session recovered, as a new version\n", "\(recovery.errors)")
    let next = try serve()
    let client = try next.connect()
    for (session, version, value) in [(id, 5, 1), (new, 3, 2)] {
      client.request("GET /sessions/\(session)")
      let answer = try #require(try client.response())
      #expect(answer["ETag"] == "\"\(version)\"" && answer.text.contains("\"value\":\(value),"))
    }
    #expect(try client.post(#""increase""#, to: "/sessions/\(id)").contains("\"version\":6,"))
    client.request("GET /sessions/\(id)/versions")
    let versions = try #require(try client.response()?.text)
    #expect(versions.contains(#"{"recovered":{"version":2,"by":"\#(tools.user)"}}"#), "\(versions)")
    #expect(try next.stop().status == 0)
  }
}
