import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Synchronization
import Testing

/// A node that starts before its database, or with a wrong configuration.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `The start of a node` {
  @Test func `waits for a database that is down`() throws {
    let server = try PostgreSQLServer()
    let database = try server.emptySchema()
    try server.stop()
    let told = "cannot reach PostgreSQL yet: retrying for 30 seconds"
    // The service's log, which is read as it is written.
    let pipe = FileManager.default.temporaryDirectory.appending(path: "uifusion-\(UUID()).log").path
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    let log = Mutex("")
    let isWhole = DispatchSemaphore(value: 0)
    // Not a task: reading blocks, and the tasks of all tests share a few threads.
    Thread.detachNewThread {
      let file = FileHandle(forReadingAtPath: pipe)
      while let text = file?.availableData, !text.isEmpty {
        let isTold = log.withLock { log in
          let wasTold = log.contains(told)
          log += String(decoding: text, as: UTF8.self)
          return !wasTold && log.contains(told)
        }
        if isTold { try? server.start() }
      }
      isWhole.signal()
    }
    let service = try ServiceProcess(flags: ["--data", database], after: "exec 2>'\(pipe)'")
    #expect(try service.stop().status == 0)
    isWhole.wait()
    let text = log.withLock { $0 }
    #expect(text.components(separatedBy: told).count == 2)
    #expect(text.contains(#" started "#))
  }

  @Test func `does not wait for a database that does not exist`() throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let nothing = database.replacing("/postgres?", with: "/nothing?")
    let end = "does not exist): create it (createdb), or name another\n"
    let result = try run("serve", "--port", "0", "--public", publicFolder, "--data", nothing)
    #expect(result.status == 1)
    #expect(result.errors.hasSuffix(end), "\(result.errors)")
    #expect(!result.errors.contains("retrying"))
  }

  @Test func `logs that it has no address, and warns if there are other nodes`() throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let services = try (1...2).map { _ in try ServiceProcess("--data", database) }
    try services[0].waitForLog(" node=none ")
    try services[0].waitForLog(
      "other nodes cannot reach this one's sessions: give it a --node-address"
    )
    for service in services { #expect(try service.stop().status == 0) }
  }

  @Test func `reports secrets that differ, that others can read or that are missing`() throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let folder = FileManager.default.temporaryDirectory.appending(path: "uifusion-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let services = try ["a", "b"].map { name in
      let path = "\(folder)/\(name)"
      try String(repeating: name, count: 32).write(toFile: path, atomically: true, encoding: .utf8)
      chmod(path, name == "a" ? 0o600 : 0o604)
      return try ServiceProcess(
        "--data",
        database,
        "--node-address",
        "127.0.0.1:0",
        "--node-secret-file",
        path
      )
    }
    try services[0].waitForLog(
      "a request to --node-address was not signed by a node: each needs the same --node-secret-file, and"
        + " clocks less than 30 seconds apart"
    )
    #expect(try services[0].stop().status == 0)
    #expect(
      try services[1].stop().log.contains(
        "any user of this machine may read --node-secret-file: take that right from others (chmod o=)"
      )
    )
    let missing = try run(
      "serve",
      "--port",
      "0",
      "--public",
      publicFolder,
      "--data",
      database,
      "--node-address",
      "127.0.0.1:0",
      "--node-secret-file",
      folder + "/none"
    )
    #expect(
      missing.errors
        == "uifusion: --node-secret-file: cannot read \(folder)/none: No such file or directory\n"
    )
  }
}
