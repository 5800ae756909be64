import Glibc
import UIFusionKit
import UIFusionServer

/// Builds a package's program and runs it, and does so again whenever a file has changed.
///
/// While a build fails, the program of the build before goes on.
final class Development {
  private let package: DevPackage
  /// What the program is started with, after its name.
  private let arguments: [String]
  private let pages: DevPages
  private let publicFolder: String
  private let time: any TimeSource
  /// How long what is told to stop may take; then it is killed, which loses nothing that was acknowledged.
  private let patience: Duration

  private var service: Subprocess?
  private var build: Subprocess?
  private var buildOutput: [UInt8] = []
  private var built = FileMarks(of: [])
  private var copied = FileMarks(of: [])
  private var hasCopied = false

  /// How often it looks whether a build, or the program, has ended; and how many of those looks pass
  /// before it looks at the files.
  private static let pause = Duration.milliseconds(100)
  private static let looksPerScan = 10

  /// Starts a program to which SIGHUP is no end until it has a handler for it.
  private static let deafToHangups = ["sh", "-c", #"trap "" HUP; exec "$@""#, "sh"]

  init(
    _ package: DevPackage,
    flags: [String],
    publicFolder: String,
    patience: Duration,
    time: any TimeSource
  ) {
    self.patience = patience
    self.package = package
    self.publicFolder = publicFolder
    self.time = time
    pages = DevPages(of: publicFolder, in: DevPackage.folder)
    arguments = ["serve"] + flags + ["--public", pages.folder]
  }

  /// Goes on until the task is cancelled, and has stopped everything then.
  ///
  /// - Throws: ``ToolError`` where nothing can be built or started, else `CancellationError`.
  func run() async throws {
    defer {
      build?.stop(within: patience)
      service?.stop(within: patience)
    }
    try copyPages()
    try startBuild()
    var looks = 0
    while true {
      try await time.sleep(for: Self.pause)
      try await lookAtBuild()
      if let status = service?.status {
        service = nil
        say("\(package.product) ended with \(status): it starts again when a file changes")
      }
      looks += 1
      guard looks % Self.looksPerScan == 0 else { continue }
      if FileMarks(of: [publicFolder]) != copied { try copyPages() }
      if build == nil, FileMarks(of: DevPackage.sources) != built { try startBuild() }
    }
  }

  private func copyPages() throws {
    copied = FileMarks(of: [publicFolder])
    do {
      try pages.copy()
      service?.signal(SIGHUP)
    } catch  where hasCopied {
      // A file may be in the middle of being written: it is tried again.
      say("the front end cannot be copied: \(error)")
      copied = FileMarks(of: [])
    }
    hasCopied = true
  }

  private func startBuild() throws {
    built = FileMarks(of: DevPackage.sources)
    buildOutput = []
    build = try Subprocess(package.build, capturesOutput: true)
  }

  private func lookAtBuild() async throws {
    guard let running = build else { return }
    // In this order: what it wrote before its end is read.
    let status = running.status
    let output = running.newOutput()
    writeToStandardError(output)
    buildOutput += output
    guard let status else { return }
    build = nil
    guard status == 0 else {
      try pages.show(complaint)
      service?.signal(SIGHUP)
      say("the build failed" + (service == nil ? "" : ": what was built before goes on"))
      return
    }
    try pages.show(nil)
    try await restart()
  }

  /// The one that runs stops first: it has the port, and the folder of sessions.
  private func restart() async throws {
    service?.terminate()
    let deadline = time.now + patience
    while let service, service.status == nil {
      if time.now >= deadline { service.signal(SIGKILL) }
      try await time.sleep(for: Self.pause)
    }
    service = nil
    service = try Subprocess(Self.deafToHangups + [package.program] + arguments)
  }

  /// What the build has written, but for how far it was.
  private var complaint: String {
    String(decoding: buildOutput, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("[") && !$0.hasPrefix("Building for") }.joined(separator: "\n")
  }

  private func say(_ text: String) {
    writeToStandardError(Array("dev: \(text)\n".utf8))
  }
}
