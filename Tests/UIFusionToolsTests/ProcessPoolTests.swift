import Foundation
import FusionCommandLine
import FusionSessions
import Testing
import UIFusionServer

@testable import UIFusionTools

/// Tests with a script in place of the program: what it is called with decides what it says.
@Suite(.timeLimit(.minutes(1))) struct `Processes that check sessions` {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "uifusion-pool-\(UUID().uuidString)"
  ).path

  private let ids = (1...4).map { SessionID(high: 0, low: $0) }

  /// Writes the script, runs it in the given number of parts, and returns the findings.
  private func findings(
    parts: Int = 1,
    timeout: Duration = .seconds(60),
    writes: Bool = false,
    _ script: String
  ) throws -> [SessionFinding] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = folder + "/program"
    try "#!/bin/bash\n\(script)".write(
      toFile: folder + "/script",
      atomically: true,
      encoding: .utf8
    )
    // By another process: one that is forked meanwhile would keep this one's file open, which cannot be run then.
    try Subprocess(["install", "-m", "700", folder + "/script", program]).waitUntilEnd()
    let pool = ProcessPool(
      program: program,
      store: StoreLocation(storage: .folder("the data")),
      parts: (1...parts).map { Part(number: $0, count: parts) },
      timeout: timeout,
      folder: folder,
      writes: writes
    )
    var found: [SessionFinding] = []
    try pool.run {
    } found: {
      found.append($0)
    }
    return found
  }

  /// The start of a script: `check ID` checks a session unless it is to be left out, `$part` is the part's number.
  private var functions: String {
    """
    while [ $# -gt 0 ]; do
      case $1 in
        --part) part=${2%/*};;
        --skip) skip=$2;;
        --output) mkdir "$2" || exit 1;;
      esac
      shift
    done
    begin() { grep -q "session $1" "$skip" && return 1; echo '{"checking":"'$1'","viewModel":"shop"}'; }
    finish() {
      echo '{"session":"'$1'","viewModel":"shop","result":"same","lines":[],"same":1,"skipped":[],'\\
    '"changes":{"added":[],"dropped":[],"renamed":[]}}'
    }
    check() { begin $1 && finish $1; }

    """
  }

  @Test func `are told where the sessions are, not by a flag, and what to do`() throws {
    let error = #expect(throws: CommandError.self) {
      try findings(
        #"echo "$UIFUSION_DATA $UIFUSION_OLD $UIFUSION_OUTPUT $1 $2 $3 $4 $5 $6 $7" >&2; exit 1"#
      )
    }
    #expect(
      error?.description == "the data none none deploy check --format sessions --part 1/1 --skip"
    )
  }

  @Test func `find something of each session of their parts`() throws {
    let found = try findings(
      parts: 2,
      functions + """
        if [ $part = 1 ]; then check \(ids[0]); check \(ids[1]); else check \(ids[2]); fi
        """
    )
    #expect(Set(found.map(\.session)) == Set(ids.prefix(3)))
    #expect(found.allSatisfy { $0.kind == .same })
  }

  @Test func `are understood, whatever a view model prints between the lines`() throws {
    let found = try findings(
      functions + """
        printf 'half a line'; check \(ids[0])
        begin \(ids[1]); printf '{"half":"an object"'; finish \(ids[1])
        echo '["a line"]'; check \(ids[2])
        """
    )
    #expect(found.map(\.session) == Array(ids.prefix(3)))
    #expect(found.allSatisfy { $0.kind == .same })
  }

  @Test(arguments: [false, true])
  func `go on behind a session that ends the process, and name it once`(writes: Bool) throws {
    let found = try findings(
      writes: writes,
      functions + """
        check \(ids[0])
        begin \(ids[1]) && { echo 'main.swift:1: Fatal error: Index out of range' >&2; kill -TRAP $$; }
        check \(ids[2])
        """
    )
    #expect(found.map(\.session) == Array(ids.prefix(3)))
    #expect(found.map(\.kind) == [.same, .crashed, .same])
    #expect(
      found[1].lines == [
        "the process ended with signal 5", "main.swift:1: Fatal error: Index out of range",
      ]
    )
  }

  @Test func `give a view model up that ends the process three times`() throws {
    let found = try findings(
      functions + """
        for id in \(ids.map(\.description).joined(separator: " ")); do
          grep -q 'view-model shop' "$skip" || { begin $id && kill -SEGV $$; }
        done
        """
    )
    #expect(found.map(\.kind) == [.crashed, .crashed, .crashed])
  }

  @Test func `are ended if a session takes too long`() throws {
    let found = try findings(
      timeout: .milliseconds(50),
      functions + """
        begin \(ids[0]) && exec sleep 600
        check \(ids[1])
        """
    )
    #expect(found.map(\.session) == Array(ids.prefix(2)))
    #expect(found.map(\.kind) == [.crashed, .same])
    #expect(found[0].lines == ["no result after 0 s"])
  }

  @Test func `fail with the error of a process that fails between sessions`() throws {
    let error = #expect(throws: CommandError.self) {
      try findings(functions + "check \(ids[0]); echo 'program: no such folder' >&2; exit 1")
    }
    #expect(error?.description == "program: no such folder")
  }
}

@Suite struct `The sessions that a check leaves out` {
  private let id = SessionID(high: 3, low: 4)

  private func read(_ text: String) throws -> SkippedSessions {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try SkippedSessions(file: file)
  }

  @Test func `are read from a file as they are written`() throws {
    var skipped = SkippedSessions()
    skipped.insert(id)
    skipped.insert(viewModel: "my shop")
    #expect(try read(skipped.text) == skipped)
    #expect(try read("\n" + skipped.text + "\n\n") == skipped)
  }

  @Test(arguments: ["session", "session 1", "sessions", "view-model", "view-model "])
  func `name a line that is wrong`(line: String) throws {
    let error = #expect(throws: CommandError.self) { try read("session \(id)\n\(line)\n") }
    #expect(error?.description.hasPrefix("line 2 of ") == true)
  }

  @Test(arguments: ["", "1", "0/2", "3/2", "1/2/3", "a/b", "1/", "-1/2", "1/1001"])
  func `are no part that is not a number of a count`(text: String) {
    #expect(Part(text) == nil)
  }

  @Test func `are in one of the parts otherwise`() {
    let parts = (1...3).map { Part(number: $0, count: 3) }
    for number in 0..<100 as Range<UInt64> {
      let id = SessionID(high: 7, low: number &* 0x9E37_79B9_7F4A_7C15)
      #expect(parts.filter { $0.contains(id) }.count == 1)
    }
    #expect(Part("2/3") == parts[1] && parts[1].description == "2/3")
  }
}
