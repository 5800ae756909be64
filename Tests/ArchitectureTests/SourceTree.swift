import Foundation
import Synchronization

/// A file of this package, by its path from the package's root.
struct SourceFile: Sendable {
  let path: String
  let components: [String]
  /// The name without its extension: `Engine+Jobs` of `Engine+Jobs.swift`.
  let name: String
  /// The extension, without its dot.
  let kind: String

  init(path: String) {
    self.path = path
    components = path.split(separator: "/").map(String.init)
    let last = components.last ?? ""
    name = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    kind = path.split(separator: ".").last.map(String.init) ?? ""
  }

  /// The path of the file's folder.
  var folder: String { components.dropLast().joined(separator: "/") }

  /// The lines without comments and without the text of multi-line literals.
  var code: [String] {
    get throws {
      try SourceTree.code.value(of: path) {
        var isLiteral = false
        return try lines.compactMap { line in
          let isLast = line.ranges(of: "\"\"\"").count == 1
          defer { if isLast { isLiteral.toggle() } }
          guard !isLiteral else { return nil }
          return line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        }
      }
    }
  }

  /// The first line of each doc comment, without its slashes.
  var docCommentOpenings: [String] {
    get throws {
      let comments = try lines.map { line in
        let text = line.drop { $0 == " " }
        return text.hasPrefix("///") ? text.dropFirst(3).drop { $0 == " " } : nil
      }
      return zip(comments, [nil] + comments).compactMap { comment, previous in
        previous == nil ? comment.map(String.init) : nil
      }
    }
  }

  var text: String {
    get throws {
      try SourceTree.texts.value(of: path) {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
      }
    }
  }

  /// The lines; a final newline starts no further line.
  var lines: [String] {
    get throws {
      try SourceTree.lines.value(of: path) {
        var lines = try text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.map(String.init)
      }
    }
  }
}

/// What was read of files, by their paths, as many tests read the same ones.
final class Readings<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])

  func value(of path: String, _ read: () throws -> Value) rethrows -> Value {
    if let value = values.withLock({ $0[path] }) { return value }
    let value = try read()
    values.withLock { $0[path] = value }
    return value
  }
}

/// The package's files that these tests read, without build products.
enum SourceTree {
  static let texts = Readings<String>()
  static let lines = Readings<[String]>()
  static let code = Readings<[String]>()

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The searched folders; of the root itself, only the files are read.
  private static let folders = ["Sources", "Tests", "Public", ".ci", ".github", ".devcontainer"]

  static let files: [SourceFile] = {
    let manager = FileManager.default
    let below = folders.flatMap { folder in
      (try? manager.subpathsOfDirectory(atPath: root.appending(path: folder).path))?
        .map { "\(folder)/\($0)" } ?? []
    }
    let beside = (try? manager.contentsOfDirectory(atPath: root.path)) ?? []
    return (below + beside).sorted().filter { path in
      var isFolder: ObjCBool = false
      let isThere = manager.fileExists(
        atPath: root.appending(path: path).path,
        isDirectory: &isFolder
      )
      return isThere && !isFolder.boolValue
    }.map(SourceFile.init)
  }()

  /// The path of every file and folder.
  private static let paths: Set<String> = {
    var paths: Set<String> = []
    for file in files {
      for count in 1...file.components.count {
        paths.insert(file.components.prefix(count).joined(separator: "/"))
      }
    }
    return paths
  }()

  /// Whether a file or folder with the path exists in any folder.
  static func has(_ path: String) -> Bool {
    paths.contains(path) || paths.contains { $0.hasSuffix("/" + path) }
  }

  /// Returns the files of a target, in any folder of `Sources`.
  static func swiftFiles(ofTarget target: String) -> [SourceFile] {
    swiftFiles(in: "Sources").filter { $0.components[2] == target }
  }

  static func swiftFiles(in folder: String) -> [SourceFile] {
    swiftFiles.filter { $0.path.hasPrefix(folder + "/") }
  }

  private static let swiftFiles = files.filter { $0.kind == "swift" }
}
