import FoundationEssentials
import Synchronization

/// The files of a folder: small ones in memory, large ones read as they are sent.
///
/// A request's path is only looked up in the index and never reaches the file system. With a clock, changes
/// in the folder are noticed without a restart.
package final class FileIndex: Sendable {
  private struct Contents {
    var listing: FileListing
    var lastLook: Duration
  }

  private let folder: String
  /// The clock; nil if changes are not noticed.
  private let now: (@Sendable () -> Duration)?
  private let contents: Mutex<Contents>

  /// An index without files.
  package static let empty = FileIndex(.empty, folder: "", renewedBy: nil)

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - folder: the path of the folder, which is read at once.
  ///   - limit: the maximum number of bytes that files and their compressed forms take in memory.
  ///   - markup: the marks of pages that the service completes; nil to complete none.
  ///   - now: a clock; with it, the first request after a second notices changes in the folder.
  /// - Throws: the file system's error about a folder or file that cannot be read.
  package convenience init(
    folder: String,
    limit: Int = .max,
    markup: PageMarkup? = nil,
    renewedBy now: (@Sendable () -> Duration)? = nil
  ) throws {
    let listing = try FileListing(folder: folder, limit: limit, markup)
    self.init(listing, folder: folder, renewedBy: now)
  }

  private init(_ listing: FileListing, folder: String, renewedBy now: (@Sendable () -> Duration)?) {
    self.folder = folder
    self.now = now
    contents = Mutex(Contents(listing: listing, lastLook: now?() ?? .zero))
  }

  /// Returns whether the folder exists.
  package static func exists(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder)
  }

  /// The number of files.
  package var count: Int { contents.withLock { $0.listing.files.count } }

  /// The file of a path such as `/app.js`; a path that ends in `/` stands for its `index.html`.
  package subscript(path: String) -> StaticFile? {
    renew()
    return contents.withLock { $0.listing[path.hasSuffix("/") ? path + "index.html" : path] }
  }

  /// Returns whether a path, without a slash at its end, is that of a folder with a page.
  package func isFolder(_ path: String) -> Bool { !path.hasSuffix("/") && self[path + "/"] != nil }

  /// Returns the path of a page by its first value of an attribute that the markup records; nil if there is none.
  ///
  /// Of several pages, the one with the shortest path.
  package func page(with attribute: String, _ value: String) -> String? {
    renew()
    return contents.withLock { $0.listing.page(with: attribute, value) }
  }

  /// Returns the current file of a path: a file that is not held in memory may have changed since it was
  /// listed.
  package func current(_ path: String) -> StaticFile? {
    guard let file = self[path] else { return nil }
    return file.isCurrent ? file : file.renewed
  }

  /// Looks for changes at once, with or without a clock.
  ///
  /// - Throws: the file system's error about an unreadable folder or file; then nothing changes.
  package func reread() throws {
    guard !folder.isEmpty else { return }
    let known = contents.withLock { $0.listing }
    guard let next = try known.renewed(from: folder) else { return }
    contents.withLock { $0.listing = next }
  }

  /// Looks for changes, at most once a second.
  private func renew() {
    guard let time = now?() else { return }
    let known: FileListing? = contents.withLock { contents in
      guard time >= contents.lastLook + .seconds(1) else { return nil }
      contents.lastLook = time
      return contents.listing
    }
    // An unreadable file, perhaps because it is being written, is tried again after a second.
    guard let known, let next = try? known.renewed(from: folder) else { return }
    contents.withLock { $0.listing = next }
  }
}

/// The files of a folder, by their relative paths, without dot files and links that lead out of the folder.
///
/// The folder `.well-known` is listed: it is there to be served (RFC 8615).
struct FileListing: Sendable {
  // By bytes: a folder may have two names that Unicode takes for equivalent.
  private(set) var files: [[UInt8]: StaticFile] = [:]
  /// The pages that are sent in a completed form, with the digests of the files that they name.
  private var pages: [[UInt8]: StaticFile] = [:]
  private var onDisk: [[UInt8]: FileOnDisk] = [:]
  /// The shortest path of a page, by an attribute's name and its first value in the page.
  private var pagesByAttribute: [String: [String: String]] = [:]
  /// The remaining number of bytes for files in memory.
  private var room = Int.max
  private var limit = Int.max
  private(set) var markup: PageMarkup?

  static let empty = FileListing()

  private init() {}

  /// - Throws: the file system's error about an unreadable folder or file.
  init(folder: String, limit: Int = .max, _ markup: PageMarkup? = nil) throws {
    var nothing = FileListing.empty
    nothing.limit = limit
    nothing.markup = markup
    try self.init(folder: folder, known: nothing)
    completePages()
  }

  /// The file of a path, in the form that is sent.
  subscript(path: String) -> StaticFile? {
    let key = Array(path.utf8)
    return pages[key] ?? files[key]
  }

  func page(with attribute: String, _ value: String) -> String? {
    pagesByAttribute[attribute]?[value]
  }

  /// Returns the current listing; nil if nothing has changed.
  func renewed(from folder: String) throws -> FileListing? {
    var next = try FileListing(folder: folder, known: self)
    guard next.onDisk != onDisk else { return nil }
    next.completePages()
    return next
  }

  private mutating func completePages() {
    for (path, file) in files {
      guard let html = file.html else { continue }
      let completed = self.page(html, at: String(decoding: path, as: UTF8.self))
      let page = StaticFile(page: completed, markup, room: max(0, room - completed.count))
      if page.html == html {
        room -= page.heldBytes - file.heldBytes
        files[path] = page
      } else if page.heldBytes <= room {
        room -= page.heldBytes
        pages[path] = page
      }
    }
    let paths = files.keys.sorted {
      $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count
    }
    for path in paths {
      for (name, value) in (pages[path] ?? files[path])?.head?.attributes ?? [:]
      where pagesByAttribute[name]?[value] == nil {
        pagesByAttribute[name, default: [:]][value] = String(decoding: path, as: UTF8.self)
      }
    }
  }

  /// Lists a folder, and reads only unknown files.
  private init(folder: String, known: FileListing) throws {
    let root = URL(filePath: folder).resolvingSymlinksInPath()
    var visited: Set<[UInt8]> = []
    limit = known.limit
    markup = known.markup
    room = limit - known.files.values.reduce(0) { $0 + $1.heldBytes }
    try list(root, under: root, as: "", known, &visited)
  }

  private func read(_ file: FileOnDisk, _ name: String, room: Int) throws -> StaticFile {
    do {
      return try StaticFile(name: name, file, room: room)
    } catch {
      // A file that is being written, such as a log, must not prevent serving the others.
      guard file.isReadable else { throw error }
      return StaticFile(changing: file, name: name)
    }
  }

  private mutating func list(
    _ folder: URL,
    under root: URL,
    as path: String,
    _ known: FileListing,
    _ visited: inout Set<[UInt8]>
  ) throws {
    // A link may lead back to one of its own parent folders.
    guard visited.insert(Array(folder.path.utf8)).inserted else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.utf8.first != UInt8(ascii: ".") || path.isEmpty && name == ".well-known" {
      let item = folder.appending(path: name).resolvingSymlinksInPath()
      guard item.path.utf8.starts(with: "\(root.path)/".utf8) else { continue }
      let attributes = try FileManager.default.attributesOfItem(atPath: item.path)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?:
        try list(item, under: root, as: "\(path)/\(name)", known, &visited)
      case .typeRegular?:
        let key = Array("\(path)/\(name)".utf8)
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
