import FoundationEssentials

/// What was found in a folder: every file by its path below it.
///
/// Dot files, and links that lead out of the folder, are left out.
struct FileListing: Sendable {
  private(set) var files: [String: StaticFile] = [:]
  private var onDisk: [String: FileOnDisk] = [:]
  /// How many more bytes may be held in memory.
  private var room = Int.max
  private var limit = Int.max

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
    return next.onDisk == onDisk ? nil : next
  }

  /// Reads only what is not known.
  private init(folder: String, known: FileListing) throws {
    let root = URL(filePath: folder).resolvingSymlinksInPath()
    var visited: Set<String> = []
    limit = known.limit
    room = limit - known.files.values.reduce(0) { $0 + $1.heldBytes }
    try list(root, under: root, as: "", known, &visited)
  }

  private static func read(_ file: FileOnDisk, _ name: String, room: Int) throws -> StaticFile {
    do {
      return try StaticFile(name: name, file, room: room)
    } catch {
      // Somebody writes to it just now: a log, perhaps. That is no reason not to serve the rest.
      guard file.isReadable else { throw error }
      return StaticFile(changing: file, name: name)
    }
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
        let file = try FileOnDisk(path: item.path)
        onDisk[key] = file
        if known.onDisk[key] == file {
          files[key] = known.files[key]
        } else {
          room += known.files[key]?.heldBytes ?? 0
          let read = try Self.read(file, name, room: max(0, room))
          room -= read.heldBytes
          files[key] = read
        }
      default: break
      }
    }
  }
}
