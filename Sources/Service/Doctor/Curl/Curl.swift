import FusionCommandLine
import UIFusionKit

/// The program `curl`, the client of the checks: users see the same with the commands of the report.
///
/// Runs without a shell and without the user's configuration.
struct Curl: Sendable {
  let time: any TimeSource
  /// Whether certificates that do not verify are accepted.
  let isInsecure: Bool

  /// The pause between two reads of the output.
  static let pause = Duration.milliseconds(2)
  private static let oldest = (7, 76)
  private static let advice =
    "doctor drives the program curl, 7.76 or newer: apt-get install curl, or what your system has"

  private static let common = [
    "curl", "-q", "-s", "-g", "--proto", "=http,https", "--suppress-connect-headers",
    "--connect-timeout", "10",
  ]

  /// Throws ``CommandError`` if there is no `curl`, or an old one.
  func checkVersion() async throws {
    let output: [UInt8]
    do throws(CommandError) {
      let process = try Subprocess(["curl", "-q", "--version"], capturesOutput: true)
      process.waitUntilEnd()
      output = process.newOutput()
    } catch {
      throw CommandError("\(error): \(Self.advice)")
    }
    let text = String(decoding: output, as: UTF8.self)
    guard Self.isNewEnough(text) else {
      throw CommandError("\(text.prefix { $0 != "\n" && $0 != "(" }) is too old: \(Self.advice)")
    }
  }

  /// Whether the output of `curl --version` names a version that is new enough.
  static func isNewEnough(_ version: String) -> Bool {
    guard let match = version.prefixMatch(of: /curl (\d+)\.(\d+)/), let major = Int(match.output.1),
      let minor = Int(match.output.2)
    else { return false }
    return (major, minor) >= oldest
  }

  /// Makes a request and waits for its end.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - insecure: whether to accept a certificate that does not verify.
  ///   - meanwhile: called repeatedly until the end.
  /// - Returns: the answer, or the error of the request.
  /// - Throws: `CancellationError`; ``CommandError`` without `curl`.
  func run(
    _ request: CurlRequest,
    insecure: Bool = false,
    meanwhile: () -> Void = {}
  ) async throws -> CurlAnswer {
    let result = try await output(
      ["-i", "--max-time", "20", "-w", "\n%{json}"] + request.arguments,
      insecure,
      meanwhile
    )
    return CurlAnswer(output: result.bytes, exit: result.exit)
  }

  /// Makes a request and returns the log of `curl -v` and the measurements, without the answer.
  func log(_ request: CurlRequest, insecure: Bool = false) async throws -> CurlLog {
    let discarding = request.addresses.flatMap { _ in ["-o", "/dev/null"] }
    let result = try await output(
      ["--max-time", "20", "-w", "\n%{json}\n"] + discarding + request.arguments,
      insecure
    ) {}
    return CurlLog(output: result.bytes, exit: result.exit)
  }

  /// Opens a stream of events.
  func stream(_ request: CurlRequest) throws(CommandError) -> EventReader {
    var request = request
    request.options.append("-N")
    let process = try start(["-i"] + request.arguments)
    return EventReader(process, request: request, time: time)
  }

  /// Makes a request and waits for its end, even in a cancelled task.
  func finish(_ request: CurlRequest) {
    try? start(["-o", "/dev/null", "--max-time", "5"] + request.arguments).waitUntilEnd()
  }

  private func start(
    _ arguments: [String],
    _ insecure: Bool = false
  ) throws(CommandError) -> Subprocess {
    let own = isInsecure || insecure ? ["-k"] : []
    return try Subprocess(Self.common + own + arguments, capturesOutput: true)
  }

  private func output(
    _ arguments: [String],
    _ insecure: Bool,
    _ meanwhile: () -> Void
  ) async throws -> (bytes: [UInt8], exit: CInt) {
    let process = try start(arguments, insecure)
    defer { process.stop(within: .milliseconds(200)) }
    var bytes: [UInt8] = []
    while true {
      // In this order, so that the last output is read.
      let status = process.status
      bytes += process.newOutput()
      meanwhile()
      if let status { return (bytes, status) }
      try await time.sleep(for: Self.pause)
    }
  }
}
