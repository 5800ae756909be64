import FoundationEssentials

/// The front end's files, read into memory when the service starts.
///
/// A request's path is only ever looked up here: it never reaches the file system. Dot files, and
/// links that lead out of the folder, are left out.
package struct FileIndex: Sendable {
  private let files: [String: StaticFile]

  /// An index of nothing.
  package static let empty = FileIndex(files: [:])

  private init(files: [String: StaticFile]) {
    self.files = files
  }

  /// - Throws: what the file system says of a folder or file that cannot be read.
  package init(folder: String) throws {
    var files: [String: StaticFile] = [:]
    let root = URL(filePath: folder).resolvingSymlinksInPath()
    var visited: Set<String> = []
    try Self.list(root, under: root, as: "", into: &files, &visited)
    self.init(files: files)
  }

  /// Whether there is such a folder.
  package static func exists(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder)
  }

  /// How many files there are.
  package var count: Int { files.count }

  /// The file of a path such as `/app.js`; a path that ends in `/` means the `index.html` there.
  subscript(path: String) -> StaticFile? {
    files[path.hasSuffix("/") ? path + "index.html" : path]
  }

  private static func list(
    _ folder: URL,
    under root: URL,
    as path: String,
    into files: inout [String: StaticFile],
    _ visited: inout Set<String>
  ) throws {
    // A link may lead back to a folder that it lies in.
    guard visited.insert(folder.path).inserted else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasPrefix(".") {
      let item = folder.appending(path: name).resolvingSymlinksInPath()
      guard item.path.hasPrefix(root.path + "/") else { continue }
      let type = try FileManager.default.attributesOfItem(atPath: item.path)[.type]
      switch type as? FileAttributeType {
      case .typeDirectory?:
        try list(item, under: root, as: "\(path)/\(name)", into: &files, &visited)
      case .typeRegular?:
        let bytes = [UInt8](try Data(contentsOf: item))
        files["\(path)/\(name)"] = StaticFile(name: name, bytes: bytes)
      default: break
      }
    }
  }
}
