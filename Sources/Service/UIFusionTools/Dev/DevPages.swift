import FoundationEssentials
import FusionCommandLine
import FusionStrictJSON
import Glibc

/// A copy of the front end for `dev`, in which each page shows build errors and reloads after a change.
///
/// The package's own folder stays as it is.
final class DevPages {
  /// The folder of the copy.
  let folder: String
  private let parent: String
  private let source: String
  /// The number of copies so far: a page that has seen another number reloads.
  private var copies = 0
  private var error: String?

  /// Makes a copy in `Public` below a folder.
  ///
  /// - Parameters:
  ///   - source: the package's folder of pages.
  ///   - folder: the folder in which the copy is made.
  init(of source: String, in folder: String) {
    self.source = source
    parent = folder
    self.folder = folder + "/Public"
  }

  /// Copies the front end anew.
  ///
  /// - Throws: an error of the file system.
  func copy() throws {
    let manager = FileManager.default
    let (next, last) = (folder + ".next", folder + ".last")
    for path in [next, last] where manager.fileExists(atPath: path) {
      try manager.removeItem(atPath: path)
    }
    try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try manager.createDirectory(atPath: next, withIntermediateDirectories: false)
    // Links are resolved, or the page below would be written through them.
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
      // The copy of a read-only page is read-only, too.
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

  /// Shows a build's errors on the pages; nil removes them.
  func show(_ error: String?) throws {
    self.error = error
    try writeStatus(in: folder)
  }

  private func writeStatus(in folder: String) throws(CommandError) {
    let status: JSONTree = [
      "error": error.map { .string($0) } ?? .null, "copies": .number("\(copies)"),
    ]
    let path = "\(folder)/\(DevScript.status)"
    try Files.write(Array(status.text.utf8), to: path + ".next")
    rename(path + ".next", path)
  }
}

/// The script that `dev` adds to each page.
enum DevScript {
  static let name = "uifusion-dev.js"
  /// The file that the script polls: `{"error":…,"copies":N}`; the error is null after a successful build.
  static let status = "uifusion-dev.json"
  /// The tag at the end of a page; browsers parse it as part of the body.
  static let tag = "\n<script type=\"module\" src=\"/\(name)\"></script>\n"

  static let text = """
    // Only while `dev` runs: shows build errors, and reloads the page after a change.

    const sheet = document.createElement('pre');
    sheet.hidden = true;
    sheet.setAttribute('role', 'alert');
    Object.assign(sheet.style, {
      position: 'fixed', zIndex: 1000, inset: 'auto 0 0', maxHeight: '60vh', margin: 0, padding: '1rem',
      overflow: 'auto', whiteSpace: 'pre-wrap', font: '14px/1.5 monospace',
      color: '#fff', background: '#8c1d18',
    });
    document.body.append(sheet);
    let known = null;

    async function look() {
      try {
        const { error, copies } = await (await fetch('/\(status)', { cache: 'no-store' })).json();
        if (known !== null && known !== copies) location.reload();
        known = copies;
        if (sheet.textContent !== (error ?? '')) sheet.textContent = error ?? '';
        sheet.hidden = !error;
      } catch { /* The program restarts. */ }
      setTimeout(look, 500);
    }

    look();

    """
}
