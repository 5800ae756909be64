import Foundation
import FusionSpawning

/// `sessions recover` as a process of its own, on what a dead service has left.
struct RecoveryTool {
  let executable: URL
  /// The place of the sessions.
  let data: String

  /// Takes a session back to a version; returns whether it was, nil where the tool was killed before it said so.
  ///
  /// It is killed after some microseconds of patience, if there are any.
  func recover(
    _ session: History.SessionPath,
    to version: Int,
    patience: UInt32? = nil
  ) throws -> Bool? {
    let output = Pipe()
    let tool = try ChildProcess(
      executable.path,
      [
        "sessions", "recover", "--data", data, "--session", String(session.dropFirst(10)),
        "--version", "\(version)",
      ],
      output: output
    )
    if let patience {
      usleep(patience)
      tool.signal(SIGKILL)
    }
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    tool.waitUntilExit()
    let said = String(decoding: text, as: UTF8.self)
    guard said.isEmpty else { return said.hasPrefix("1 session recovered") }
    return patience == nil ? false : nil
  }
}
