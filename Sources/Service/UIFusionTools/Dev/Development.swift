import FusionCommandLine
import Glibc
import UIFusionKit
import UIFusionServer

/// Builds and runs a package's program, again after each change of a file.
///
/// While a build fails, the program of the last successful build goes on.
final class Development {
  private let package: DevPackage
  /// The program's arguments.
  let arguments: [String]
  private let pages: DevPages
  private let publicFolder: String
  private let time: any TimeSource
  /// The time that the program has to stop before it is killed, which loses nothing that was acknowledged.
  private let timeout: Duration

  private var service: Subprocess?
  private var build: Subprocess?
  private var buildOutput: [UInt8] = []
  private var built = FileMarks(of: [])
  private var copied = FileMarks(of: [])
  private var hasCopied = false

  /// The pause between two checks of the build and the program.
  private static let pause = Duration.milliseconds(50)
  /// The number of these checks for each check of the files.
  private static let looksPerScan = 4

  /// A command that starts a program which ignores SIGHUP until it has its own handler.
  private static let ignoringHangups = ["sh", "-c", #"trap "" HUP; exec "$@""#, "sh"]

  init(
    _ package: DevPackage,
    flags: [String],
    publicFolder: String,
    timeout: Duration,
    time: any TimeSource
  ) {
    self.timeout = timeout
    self.package = package
    self.publicFolder = publicFolder
    self.time = time
    pages = DevPages(of: publicFolder, in: DevPackage.folder)
    // A member that was renamed must not end the sessions of a developer.
    arguments = ["serve", "--drop-members", "on"] + flags + ["--public", pages.folder]
  }

  /// Builds and runs until the task is cancelled, then stops everything.
  ///
  /// - Throws: ``CommandError`` if nothing can be built or started, otherwise `CancellationError`.
  func run() async throws {
    defer {
      build?.stop(within: timeout)
      service?.stop(within: timeout)
    }
    try copyPages()
    try startBuild()
    var looks = 0
    while true {
      try await time.sleep(for: Self.pause)
      try await lookAtBuild()
      if let status = service?.status {
        service = nil
        say("\(package.product) ended with \(status): waiting for a file to change")
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
      // A file may be half written: the next check copies again.
      say("cannot copy the front end: \(error)")
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
    // In this order, so that the last output is read.
    let status = running.status
    let output = running.newOutput()
    writeToStandardError(output)
    buildOutput += output
    guard let status else { return }
    build = nil
    guard status == 0 else {
      try pages.show(errors)
      service?.signal(SIGHUP)
      say("the build failed" + (service == nil ? "" : ": the last good build goes on"))
      return
    }
    try pages.show(nil)
    try await restart()
  }

  /// Stops the running program, which has the port and the folder of sessions, and starts the new one.
  private func restart() async throws {
    service?.terminate()
    let deadline = time.now + timeout
    while let service, service.status == nil {
      if time.now >= deadline { service.signal(SIGKILL) }
      try await time.sleep(for: Self.pause)
    }
    service = nil
    service = try Subprocess(Self.ignoringHangups + [package.program] + arguments)
  }

  /// The output of the build without its progress.
  private var errors: String {
    String(decoding: buildOutput, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("[") && !$0.hasPrefix("Building for") }.joined(separator: "\n")
  }

  private func say(_ text: String) {
    writeToStandardError(Array("dev: \(text)\n".utf8))
  }
}
