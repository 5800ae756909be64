import FoundationEssentials

/// What was found in a folder: every file by its path below it, in memory.
///
/// Dot files, and links that lead out of the folder, are left out.
struct FileListing: Sendable {
  private(set) var files: [String: StaticFile] = [:]
  private var marks: [String: Mark] = [:]
  /// How many bytes may still come to those that are there.
  private var room = Int.max
  private var limit = Int.max

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
  init(folder: String, limit: Int = .max) throws {
    var nothing = FileListing.empty
    nothing.limit = limit
    try self.init(folder: folder, known: nothing)
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
    limit = known.limit
    room = limit
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
        // Before it is read: memory may not be enough for that.
        room -= Int(clamping: mark.size ?? 0)
        guard room >= 0 else { throw FileIndex.TooLarge() }
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
    size = (attributes[.size] as? UInt).map { UInt64($0) }
    number = attributes[.systemFileNumber] as? UInt64
  }
}
