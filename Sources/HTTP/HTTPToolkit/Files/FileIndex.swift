import FoundationEssentials
import Synchronization

/// The front end's files: small ones in memory, large ones to be read as they are sent.
///
/// A request's path is only ever looked up here: it never reaches the file system. Whoever works on
/// the pages can have the folder looked through for changes, and just reloads.
package final class FileIndex: Sendable {
  private struct Contents {
    var listing: FileListing
    var lastLook: Duration
  }

  private let folder: String
  /// The time, where changes are to be seen.
  private let now: (@Sendable () -> Duration)?
  private let contents: Mutex<Contents>

  /// An index of nothing.
  package static let empty = FileIndex(.empty, folder: "", renewedBy: nil)

  /// - Parameters:
  ///   - folder: what to read, at once.
  ///   - limit: how many bytes may be held in memory, of files and of their compressed forms.
  ///   - now: a clock; with it, the folder is listed again when something in it has changed, which
  ///     is seen by the first request after a second.
  /// - Throws: what the file system says of a folder or file that cannot be read.
  package convenience init(
    folder: String,
    limit: Int = .max,
    renewedBy now: (@Sendable () -> Duration)? = nil
  ) throws {
    self.init(try FileListing(folder: folder, limit: limit), folder: folder, renewedBy: now)
  }

  private init(_ listing: FileListing, folder: String, renewedBy now: (@Sendable () -> Duration)?) {
    self.folder = folder
    self.now = now
    contents = Mutex(Contents(listing: listing, lastLook: now?() ?? .zero))
  }

  /// Whether there is such a folder.
  package static func exists(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder)
  }

  /// How many files there are.
  package var count: Int { contents.withLock { $0.listing.files.count } }

  /// The file of a path such as `/app.js`; a path that ends in `/` means the `index.html` there.
  subscript(path: String) -> StaticFile? {
    renew()
    return contents.withLock { $0.listing.files[path.hasSuffix("/") ? path + "index.html" : path] }
  }

  /// The same, as it is on the disk at this moment: what is not in memory may have changed since it was
  /// listed.
  func current(_ path: String) -> StaticFile? {
    guard let file = self[path] else { return nil }
    return file.isCurrent ? file : file.renewed
  }

  /// Looks for changes at once, whether there is a clock or not.
  ///
  /// - Throws: what the file system says of what cannot be read; nothing changes then.
  package func reread() throws {
    guard !folder.isEmpty else { return }
    let known = contents.withLock { $0.listing }
    guard let next = try known.renewed(from: folder) else { return }
    contents.withLock { $0.listing = next }
  }

  /// Looks for changes, once a second at the most.
  private func renew() {
    guard let time = now?() else { return }
    let known: FileListing? = contents.withLock { contents in
      guard time >= contents.lastLook + .seconds(1) else { return nil }
      contents.lastLook = time
      return contents.listing
    }
    // What cannot be read just now, a file being written anew perhaps, is tried again in a second.
    guard let known, let next = try? known.renewed(from: folder) else { return }
    contents.withLock { $0.listing = next }
  }
}
