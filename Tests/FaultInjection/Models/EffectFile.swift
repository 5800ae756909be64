import Foundation

/// Effects as lines of a file, which outlives the process: a number, and when its effect began.
package final class EffectFile: EffectLog {
  /// The environment variable that names the file.
  package static let variable = "FAULTS_EFFECTS"

  private let descriptor: Int32

  /// Nil where it cannot be made.
  package init?(_ path: String) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// One call of write(2): with O_APPEND lines do not mix.
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
