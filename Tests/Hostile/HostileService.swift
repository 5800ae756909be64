import Foundation
import FusionRawHTTP
import FusionSpawning

/// The service in a process of its own, which is killed and started again on the same folder.
final class HostileService {
  struct Died: Error {}

  private let seed: UInt64
  private let folder: String
  private var process: ChildProcess?
  private var connection: RawClient?
  private(set) var port = 0
  /// The number of times that the process has ended by itself.
  private(set) var deaths = 0

  init(seed: UInt64, folder: String) {
    self.seed = seed
    self.folder = folder
  }

  /// The arguments that select the stored sessions.
  var data: [String] { ["--data", folder + "/data"] }

  func start() throws {
    let output = Pipe()
    let arguments = [
      "serve", "--port", "0", "--public", folder, "--log-level", "error", "--sleep-after", "1",
      "--inspect", "on",
    ]
    process = try child(arguments + data, output: output)
    guard let announcement = try Announcement(in: output) else { throw Died() }
    port = announcement.port
    connection = nil
  }

  func kill() {
    process?.signal(SIGKILL)
    process?.waitUntilExit()
    process = nil
  }

  /// Runs a command of the program; returns its status and output.
  func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let output = Pipe()
    let child = try child(arguments + data, output: output)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return (child.waitUntilExit(), text)
  }

  /// Sends a request; if the process has died, it is started again.
  ///
  /// - Throws: ``Died`` if the process ended instead of an answer.
  func answer(_ line: String, _ body: [UInt8]? = nil) throws -> RawClient.Response {
    do {
      let client = try connection ?? RawClient(port)
      connection = client
      var head = "\(line) HTTP/1.1\r\nHost: localhost\r\n"
      if let body {
        head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
      }
      client.send(Array((head + "\r\n").utf8) + (body ?? []))
      if let response = try client.response() { return response }
    } catch is RawClient.Silence {}
    connection = nil
    guard process?.isRunning == true else {
      deaths += 1
      try start()
      throw Died()
    }
    return try answer(line, body)
  }

  private func child(_ arguments: [String], output: Pipe) throws -> ChildProcess {
    let environment = ProcessInfo.processInfo.environment
      .merging(["HOSTILE_SEED": "\(seed)", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    return try ChildProcess(
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path,
      arguments,
      environment: environment,
      output: output
    )
  }
}
