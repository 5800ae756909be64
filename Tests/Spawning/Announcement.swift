package import Foundation

/// The line by which a service tells where it listens: `listening on http://127.0.0.1:8080`.
package struct Announcement {
  package let text: String

  package var port: Int { text.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// Waits for the line, and reads nothing beyond it; nil if the output ends before.
  package init?(in output: Pipe) throws {
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
      guard byte != Data("\n".utf8) else {
        text = String(decoding: line, as: UTF8.self)
        return
      }
      line += byte
    }
    return nil
  }
}
