import FoundationEssentials
import FusionCommandLine
import Glibc

/// A new package that hosts small view models, ready to be built, tested and run.
struct NewPackage: Sendable {
  let name: PackageName
  /// The sources from which the page's style is copied.
  let checkout: Checkout
  /// The place from which the package takes UIFusion.
  let source: PackageSource
  var parts: Set<PackagePart> = []

  /// A file of the package, with its path in it.
  struct File {
    let path: String
    let bytes: [UInt8]

    init(_ path: String, _ bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    init(_ path: String, _ text: String) {
      self.init(path, Array(text.utf8))
    }
  }

  /// Returns the files of the package.
  ///
  /// - Throws: ``CommandError`` if the front end's style cannot be read.
  func files() throws(CommandError) -> [File] {
    let template = PackageTemplate(name: name, source: source, parts: parts)
    let (sources, tests) = ("Sources/\(name)", "Tests/\(name.tests)/\(name.tests).swift")
    var files =
      if parts.contains(.shared) {
        [
          File("\(sources)/House.swift", template.house),
          File("\(sources)/Desk.swift", template.desk),
          File(tests, template.sharedTests),
          File("Public/index.html", template.sharedPage),
        ]
      } else {
        [
          File("\(sources)/\(name.viewModel).swift", template.viewModel),
          File(tests, template.tests),
          File("Public/index.html", template.page),
        ]
      }
    if parts.contains(.login) {
      files += [
        File("\(sources)/Logins.swift", template.logins),
        File("Tests/\(name.tests)/LoginTests.swift", template.loginTests),
        File("Public/login.html", template.loginPage),
        File("Public/login.js", template.loginScript),
      ]
    }
    files += [
      File("Package.swift", template.manifest),
      File("\(sources)/main.swift", template.main),
      File("Makefile", template.makefile),
      File("Dockerfile", template.dockerfile),
      File(".dockerignore", template.dockerignore),
      File(".gitignore", template.gitignore),
      File("README.md", template.readme),
    ]
    for file in Checkout.style {
      files.append(File("Public/" + file, try checkout.style(file)))
    }
    return files
  }

  /// Writes the package into a new folder of its name.
  ///
  /// - Parameter parent: an existing folder.
  /// - Returns: the new folder.
  /// - Throws: ``CommandError``, which names the folder or file that is in the way.
  func write(in parent: String) throws(CommandError) -> String {
    let folder = parent == "." ? "\(name)" : "\(parent)/\(name)"
    let files = try files()
    guard mkdir(folder, 0o777) == 0 else {
      if errno == EEXIST {
        throw CommandError("\(folder) exists already: give another name, or another --path")
      }
      throw Self.failure(folder)
    }
    do {
      try write(files, in: folder)
    } catch {
      // Half a package would be in the way of the next try.
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    return folder
  }

  private func write(_ files: [File], in folder: String) throws(CommandError) {
    for file in files {
      var path = folder
      for part in file.path.split(separator: "/").dropLast() {
        path += "/" + part
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Self.failure(path) }
      }
      try Files.write(file.bytes, to: "\(folder)/\(file.path)", mode: 0o666)
    }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError("cannot create \(path): \(systemError())")
  }
}
