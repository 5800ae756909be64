import Foundation

/// The text of a file of this package, by its path from the package's root.
func projectFile(_ path: String) throws -> String {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}
