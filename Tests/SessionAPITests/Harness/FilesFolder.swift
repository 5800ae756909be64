import Foundation
import FusionHTTPToolkit
import FusionSessionAPI

/// A temporary folder of files for one test.
final class FilesFolder {
  let url = URL.temporaryDirectory.appending(path: UUID().uuidString)

  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }

  /// Indexes the folder, and keeps it alive meanwhile.
  func index(
    limit: Int = .max,
    renewedBy now: (@Sendable () -> Duration)? = nil
  ) throws -> FileIndex {
    try withExtendedLifetime(self) {
      try FileIndex(folder: url.path, limit: limit, markup: .client, renewedBy: now)
    }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: name))
  }
}
