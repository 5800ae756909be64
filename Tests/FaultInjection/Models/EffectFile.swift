import Foundation

/// A log of external effects, which persist even if the process dies.
package protocol EffectLog: Sendable {
  func begin(_ number: InputNumber)
}

/// An effect log in a file that outlives the process; each line has an Input's number and a time.
package final class EffectFile: EffectLog {
  /// The environment variable that names the file.
  package static let variable = "FAULTS_EFFECTS"

  private let descriptor: Int32

  /// Opens or creates the file; nil if that fails.
  package init?(_ path: String) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Appends a line with one call of write(2), so that with O_APPEND lines do not interleave.
  package func begin(_ number: InputNumber) {
    let line = Array("\(number.value) \(now())\n".utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  package static func read(_ path: String) throws -> [Effect] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
      let parts = $0.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[0]), let moment = Moment(parts[1]) else {
        return nil
      }
      return Effect(InputNumber(number), began: moment)
    }
  }
}
