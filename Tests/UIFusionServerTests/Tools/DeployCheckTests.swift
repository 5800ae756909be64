import Foundation
import FusionRawHTTP
import Testing

extension `The tools` {
  private var traps: String {
    executable.deletingLastPathComponent().appending(path: "traps").path
  }

  @Test func `check all sessions before a deploy, while the service runs`() throws {
    defer { remove() }
    let service = try serve()
    _ = try counter(service)
    _ = try counter(service)
    _ = try service.session("counter")
    let check = try tool("deploy check", "--jobs", "3", "--old", executable.path)
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.errors == "")
    let lines = check.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "counter: 1 session")
    #expect(lines.contains("  1 session can be read; what led to their States cannot be checked"))
    #expect(lines.contains("  2 sessions can be read and come out the same in 6 versions"))
    #expect(lines.last == "all 3 sessions can go on. Going back is safe.")
    _ = try service.stop()
    #expect(
      try tool("deploy check").output == check.output.replacing(" Going back is safe.", with: "")
    )
  }

  @Test func `name a session with which the next build ends the process, and check the others`()
    throws
  {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let service = try ServiceProcess(URL(filePath: traps), flags: ["--data", data])
    let session = try service.session("trapping")
    for _ in 1...5 { _ = try service.session("trapping") }
    _ = try service.connect().post(#""increase""#, to: session)
    _ = try service.stop()
    let next = ["TRAPPING_BUILD=next", "SWIFT_BACKTRACE=enable=no", traps]
    let check = try run(
      "/usr/bin/env",
      next + ["deploy", "check", "--data", data, "--format", "json", "--old", traps]
    )
    #expect(check.status == 1, "\(check.errors)")
    #expect(check.output.contains(#""same":5,"#) && check.output.contains(#""crashed":1,"#))
    #expect(check.output.contains(id(of: session)))
    #expect(check.output.contains("the process ended with signal "))
    #expect(check.output.contains(#"{"result":"refused","sessions":6,"refused":1,"#))
    // Only of what the next build could store.
    #expect(check.output.contains(#""goingBack":"safe""#))
    #expect(try run(traps, ["deploy", "check", "--data", data]).status == 0)
  }

  @Test func `find that the old program cannot go on with what the new one stores`() throws {
    defer { remove() }
    let service = try serve()
    _ = try counter(service)
    _ = try service.stop()
    // It hosts no counter.
    let check = try tool("deploy check", "--old", traps)
    #expect(check.status == 4, "\(check.errors)")
    #expect(
      check.output.contains("going back, the old program finds:\n  counter-sync: 1 session\n")
    )
    #expect(check.output.hasSuffix("\nthe session can go on. Going back is NOT safe.\n"))
    let older = try tool("deploy check", "--old", "/bin/false")
    #expect(older.status == 1 && older.output == "")
    #expect(older.errors.contains("/bin/false cannot check what this program stores"))
  }

  @Test func `check a part in one process, and refuse what does not go together`() throws {
    defer { remove() }
    let service = try serve()
    _ = try counter(service)
    _ = try service.stop()
    let parts = try ["1/2", "2/2"].map {
      try tool("deploy check", "--format", "sessions", "--part", $0).output
    }
    #expect(parts.joined().split(separator: "\n").count == 2)
    for flags in [["--part", "1/2"], ["--output", folder + "/new"]] {
      let refusal = try run(executable.path, ["deploy", "check", "--data", data] + flags)
      #expect(refusal.status == 2)
      #expect(refusal.errors == "uifusion: --part and --output need --format sessions\n")
    }
  }
}
