import FoundationEssentials
import FusionCommandLine
import Glibc

/// The package in the current folder.
struct DevPackage: Sendable {
  /// The program to build and run.
  let product: String

  /// The files and folders whose change triggers a build.
  static let sources = ["Package.swift", "Package.resolved", "Sources"]
  /// The folder for the files of `dev`.
  static let folder = ".build/dev"

  /// Reads the manifest.
  ///
  /// - Parameter product: the program; nil for the first executable in the manifest.
  /// - Throws: ``CommandError`` if there is no package, or no program in it.
  init(product: String?) throws(CommandError) {
    guard let bytes = try? Files.read("Package.swift") else {
      throw CommandError("no Package.swift here: run dev in the folder of a package")
    }
    guard let name = product ?? Self.executable(in: String(decoding: bytes, as: UTF8.self)) else {
      throw CommandError("no executable in Package.swift: name the program with --product NAME")
    }
    self.product = name
  }

  /// Returns the first executable in a manifest.
  static func executable(in manifest: String) -> String? {
    manifest.firstMatch(of: /\.executable(?:Target)?\(\s*name:\s*"([^"]+)"/)
      .map { String($0.output.1) }
  }

  var build: [String] { ["swift", "build", "--product", product] }
  var program: String { ".build/debug/\(product)" }
}

/// The modification times and sizes of files, to notice changes.
struct FileMarks: Equatable {
  private var marks: [String: [Int]] = [:]

  /// Reads the attributes of files and of everything in folders; skips paths that do not exist.
  init(of paths: [String]) {
    for path in paths {
      mark(path)
      for below in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
        mark("\(path)/\(below)")
      }
    }
  }

  private mutating func mark(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return }
    let time = found.st_mtim
    marks[path] = [time.tv_sec, time.tv_nsec, Int(found.st_size)]
  }
}
