import FoundationEssentials
import FusionStrictJSON
import Glibc

/// The front end as `dev` has it served: a copy, in which each page shows the error of a build.
///
/// The package's own folder stays as it is, and the program knows nothing of it.
final class DevPages {
  /// The copy's folder.
  let folder: String
  private let parent: String
  private let source: String
  /// How often the front end was copied: a page that has seen another number loads itself anew.
  private var copies = 0
  private var error: String?

  /// - Parameters:
  ///   - source: the package's folder of pages.
  ///   - folder: the one in which the copy is made.
  init(of source: String, in folder: String) {
    self.source = source
    parent = folder
    self.folder = folder + "/Public"
  }

  /// Copies what there is.
  ///
  /// - Throws: what the file system says of what cannot be read or written.
  func copy() throws {
    let manager = FileManager.default
    let (next, last) = (folder + ".next", folder + ".last")
    for path in [next, last] where manager.fileExists(atPath: path) {
      try manager.removeItem(atPath: path)
    }
    try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try manager.createDirectory(atPath: next, withIntermediateDirectories: false)
    // What a link leads to is copied, or the copy would be written through it.
    let source = URL(filePath: source).resolvingSymlinksInPath().path
    for path in (try? manager.subpathsOfDirectory(atPath: source)) ?? [] {
      var isFolder = false
      let original = URL(filePath: "\(source)/\(path)").resolvingSymlinksInPath().path
      guard manager.fileExists(atPath: original, isDirectory: &isFolder) else { continue }
      if isFolder {
        try manager.createDirectory(atPath: "\(next)/\(path)", withIntermediateDirectories: true)
      } else {
        try manager.copyItem(atPath: original, toPath: "\(next)/\(path)")
      }
    }
    for path in try manager.subpathsOfDirectory(atPath: next) where path.hasSuffix(".html") {
      let page = try Files.read("\(next)/\(path)")
      // Its original may be one that nobody writes to.
      try manager.removeItem(atPath: "\(next)/\(path)")
      try Files.write(page + Array(DevScript.tag.utf8), to: "\(next)/\(path)")
    }
    try Files.write(Array(DevScript.text.utf8), to: "\(next)/\(DevScript.name)")
    copies += 1
    try writeStatus(in: next)
    if manager.fileExists(atPath: folder) { try manager.moveItem(atPath: folder, toPath: last) }
    try manager.moveItem(atPath: next, toPath: folder)
    try? manager.removeItem(atPath: last)
  }

  /// Shows what a build complains of; nil takes it away.
  func show(_ error: String?) throws {
    self.error = error
    try writeStatus(in: folder)
  }

  private func writeStatus(in folder: String) throws(ToolError) {
    let status: JSONTree = [
      "error": error.map { .string($0) } ?? .null, "copies": .number("\(copies)"),
    ]
    let path = "\(folder)/\(DevScript.status)"
    try Files.write(Array(status.text.utf8), to: path + ".next")
    rename(path + ".next", path)
  }
}
