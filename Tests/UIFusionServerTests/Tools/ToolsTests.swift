import Foundation
import FusionRawHTTP
import Testing

/// Tests of the executable on a service's data, while the service runs or after it has stopped.
///
/// The tests are in the other files of this folder, by command.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The tools` {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "uifusion-tools-\(UUID().uuidString)"
  ).path

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  var data: String { folder + "/data" }

  func serve(_ flags: String...) throws -> ServiceProcess {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try ServiceProcess(flags: ["--data", data] + flags)
  }

  func id(of session: String) -> String { String(session.split(separator: "/").last ?? "") }

  /// Runs a tool on the folder.
  func tool(
    _ command: String,
    _ flags: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let words = command.split(separator: " ").map(String.init)
    return try run(executable.path, words + ["--data", data] + flags)
  }

  /// The user who runs the tools.
  var user: String {
    let process = ProcessInfo.processInfo
    return process.environment["SUDO_USER"] ?? process.userName
  }

  /// Creates a session, and counts it up with a key and resets it; returns its id.
  func counter(_ service: ServiceProcess) throws -> String {
    let session = try service.session("counter-sync")
    let client = try service.connect()
    client.request(
      "POST \(session)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    #expect(try client.response()?.status == 200)
    _ = try client.post(#"["increase","reset"]"#, to: session)
    return id(of: session)
  }

  /// Returns a text with placeholders for the id and the times.
  func fixed(_ text: String, _ id: String) -> String {
    text.replacing(id, with: "ID")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, with: "TIME")
  }
}
