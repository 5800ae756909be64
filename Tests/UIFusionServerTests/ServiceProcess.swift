import Foundation
import FusionRawHTTP
import FusionSpawning
import Synchronization

/// The executable `uifusion` in its own process, on a free port.
final class ServiceProcess: Sendable {
  let port: Int
  /// The line in which the service has told where it listens.
  let announcement: String
  private let process: ChildProcess
  private let errors: FileHandle
  private let isAsked = Atomic(false)

  struct Failed: Error {
    let output: String
  }

  /// Starts `uifusion serve` and returns when it listens; the shell that becomes the service runs
  /// `preparation` first.
  convenience init(_ flags: String..., after preparation: String = "true") throws {
    try self.init(flags: flags, after: preparation)
  }

  /// Starts `uifusion serve` with `input` as descriptor 0.
  init(
    _ program: URL = executable,
    flags: [String],
    after preparation: String = "true",
    input: FileHandle? = nil
  ) throws {
    let (output, errors) = (Pipe(), Pipe())
    // A later flag overrides an earlier one.
    let process = try ChildProcess(
      "/bin/bash",
      ["-c", preparation + #"; exec "$0" "$@""#, program.path]
        + ["serve", "--port", "0", "--data", "memory", "--public", publicFolder] + flags,
      input: input,
      output: output,
      errors: errors
    )
    guard let announcement = try Announcement(in: output) else {
      let rest = try errors.fileHandleForReading.readToEnd() ?? Data()
      throw Failed(output: String(decoding: rest, as: UTF8.self))
    }
    self.process = process
    self.errors = errors.fileHandleForReading
    self.announcement = announcement.text
    port = announcement.port
  }

  deinit {
    process.signal()
  }

  func connect() throws -> RawClient { try RawClient(port) }

  /// Kills the process.
  func kill() {
    process.signal(SIGKILL)
    process.waitUntilExit()
  }

  /// Asks the service to stop.
  func terminate() {
    isAsked.store(true, ordering: .relaxed)
    process.signal()
  }

  /// Asks the service to stop, unless that was done, and waits for its end.
  func stop() throws -> (status: Int32, log: String) {
    if !isAsked.exchange(true, ordering: .relaxed) { process.signal() }
    let log = try errors.readToEnd() ?? Data()
    return (process.waitUntilExit(), String(decoding: log, as: UTF8.self))
  }

  var isRunning: Bool { process.isRunning }

  /// Waits for the end, and does not ask for it.
  func end() throws -> (status: Int32, log: String) {
    isAsked.store(true, ordering: .relaxed)
    return try stop()
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

  /// Sends SIGHUP, and waits until the log contains a text.
  func hangUp(until text: String) throws {
    process.signal(SIGHUP)
    try waitForLog(text)
  }

  /// Waits until the log contains a text.
  func waitForLog(_ text: String) throws {
    var log = ""
    while !log.contains(text), let more = try errors.read(upToCount: 1), !more.isEmpty {
      log += String(decoding: more, as: UTF8.self)
    }
  }

  /// Asks the service to stop, and waits for its end without reading its log.
  func stopUnread() -> Int32 {
    terminate()
    return process.waitUntilExit()
  }

  /// Returns the path of the file behind a descriptor of the process.
  func file(_ descriptor: Int32) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(process.id)/fd/\(descriptor)"
    )
  }

  /// The number of open descriptors (proc_pid_fd(5)).
  var descriptors: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(process.id)/fd"
      ).count
    }
  }

  /// The resident memory, in KiB (proc_pid_status(5)).
  var memory: Int {
    get throws {
      let status = try String(
        contentsOfFile: "/proc/\(process.id)/status",
        encoding: .utf8
      )
      return status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.output.1) } ?? 0
    }
  }

  /// Creates a session; returns its path.
  func session(_ viewModel: String) throws -> String {
    let client = try connect()
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"\#(viewModel)"}"#
    )
    return try client.response()?["Location"] ?? ""
  }
}

/// Runs `uifusion`; returns its exit status and output.
func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
  try run(executable.path, arguments)
}

/// Runs a program; returns its exit status and output.
func run(
  _ program: String,
  _ arguments: [String]
) throws -> (status: Int32, output: String, errors: String) {
  let (output, errors) = (Pipe(), Pipe())
  let process = try ChildProcess(program, arguments, output: output, errors: errors)
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
  return (
    process.waitUntilExit(),
    String(decoding: text, as: UTF8.self),
    String(decoding: complaint, as: UTF8.self)
  )
}

extension RawClient {
  /// Sends one Input, or a batch, and reads the answer's body.
  func post(_ inputs: String, to session: String) throws -> String {
    request("POST \(session)/inputs", "Content-Type: application/json\r\n", body: inputs)
    return try response()?.text ?? ""
  }

  /// Follows a session: reads the head and the first event.
  func follow(_ session: String) throws -> [String] {
    request("GET \(session)/events")
    _ = try head()
    return try events(through: "id:")
  }

  /// Reads chunks until one contains a text; returns their lines of data.
  func events(through text: String) throws -> [String] {
    var lines: [String] = []
    while let chunk = try chunk() {
      let received = String(decoding: chunk, as: UTF8.self)
      lines += received.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map(String.init)
      if received.contains(text) { break }
    }
    return lines
  }
}

/// The executable, which is built next to the test bundle.
let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "uifusion")

/// A folder with one page.
let publicFolder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "SmallPages").path
