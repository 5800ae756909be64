import Foundation
import FusionSpawning

/// The command `sessions recover` in its own process, on the data of a killed service.
struct RecoveryTool {
  let executable: URL
  /// The location of the sessions.
  let data: String

  /// Recovers a session to a version; returns whether that succeeded, nil if the tool was killed before.
  ///
  /// The tool is killed after `patience` microseconds, if given.
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
