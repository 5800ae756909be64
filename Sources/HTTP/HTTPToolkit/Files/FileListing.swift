import FoundationEssentials

/// The files of a folder, by their paths below it, without dot files and links that lead out of the folder.
struct FileListing: Sendable {
  private(set) var files: [String: StaticFile] = [:]
  private var onDisk: [String: FileOnDisk] = [:]
  /// The number of bytes that may still be held in memory.
  private var room = Int.max
  private var limit = Int.max
  private var markup: PageMarkup?

  static let empty = FileListing()

  private init() {}

  /// - Throws: the file system's error about a folder or file that cannot be read.
  init(folder: String, limit: Int = .max, _ markup: PageMarkup? = nil) throws {
    var nothing = FileListing.empty
    nothing.limit = limit
    nothing.markup = markup
    try self.init(folder: folder, known: nothing)
  }

  /// Returns the listing of what is there now; nil where nothing has changed.
  func renewed(from folder: String) throws -> FileListing? {
    let next = try FileListing(folder: folder, known: self)
    return next.onDisk == onDisk ? nil : next
  }

  /// Lists a folder, and reads only files that are not known.
  private init(folder: String, known: FileListing) throws {
    let root = URL(filePath: folder).resolvingSymlinksInPath()
    var visited: Set<String> = []
    limit = known.limit
    markup = known.markup
    room = limit - known.files.values.reduce(0) { $0 + $1.heldBytes }
    try list(root, under: root, as: "", known, &visited)
  }

  private func read(_ file: FileOnDisk, _ name: String, room: Int) throws -> StaticFile {
    do {
      return try StaticFile(name: name, file, room: room, markup)
    } catch {
      // A file that is being written, a log perhaps, does not keep the rest from being served.
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
          let read = try read(file, name, room: max(0, room))
          room -= read.heldBytes
          files[key] = read
        }
      default: break
      }
    }
  }
}
