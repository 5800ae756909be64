import FoundationEssentials

/// What was found in a folder: every file by its path below it, in memory.
///
/// Dot files, and links that lead out of the folder, are left out.
struct FileListing: Sendable {
  private(set) var files: [String: StaticFile] = [:]
  private var marks: [String: Mark] = [:]

  /// What changes when a file does.
  fileprivate struct Mark: Equatable {
    let path: String
    let modified: Date?
    let size: UInt64?
    let number: UInt64?
  }

  static let empty = FileListing()

  private init() {}

  /// - Throws: what the file system says of a folder or file that cannot be read.
  init(folder: String) throws {
    try self.init(folder: folder, known: .empty)
  }

  /// What is there now; nil where nothing has changed.
  func renewed(from folder: String) throws -> FileListing? {
    let next = try FileListing(folder: folder, known: self)
    return next.marks == marks ? nil : next
  }

  /// Reads only what is not known.
  private init(folder: String, known: FileListing) throws {
    let root = URL(filePath: folder).resolvingSymlinksInPath()
    var visited: Set<String> = []
    try list(root, under: root, as: "", known, &visited)
  }

  private mutating func list(
    _ folder: URL,
    under root: URL,
    as path: String,
    _ known: FileListing,
    _ visited: inout Set<String>
  ) throws {
    // A link may lead back to a folder that it lies in.
    guard visited.insert(folder.path).inserted else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasPrefix(".") {
      let item = folder.appending(path: name).resolvingSymlinksInPath()
      guard item.path.hasPrefix(root.path + "/") else { continue }
      let attributes = try FileManager.default.attributesOfItem(atPath: item.path)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?:
        try list(item, under: root, as: "\(path)/\(name)", known, &visited)
      case .typeRegular?:
        let key = "\(path)/\(name)"
        let mark = Mark(item.path, attributes)
        marks[key] = mark
        if let file = known.files[key], known.marks[key] == mark {
          files[key] = file
        } else {
          files[key] = StaticFile(name: name, bytes: [UInt8](try Data(contentsOf: item)))
        }
      default: break
      }
    }
  }
}

extension FileListing.Mark {
  fileprivate init(_ path: String, _ attributes: [FileAttributeKey: Any]) {
    self.path = path
    modified = attributes[.modificationDate] as? Date
    size = attributes[.size] as? UInt64
    number = attributes[.systemFileNumber] as? UInt64
  }
}
