import FoundationEssentials
package import FusionCommandLine
import FusionStrictJSON
import Glibc
package import UIFusionKit

/// The command that examines a deployment from outside, as its users reach it.
package struct DoctorCommand: FlagSettings {
  package static let name = "doctor"
  package static let summary = "examine a deployment from outside; needs curl"
  package static var operand: Operand<Self>? {
    Operand("URL") { (text, command) throws(BadValue) in
      guard let url = ServiceURL(text) else { throw BadValue(expected: ServiceURL.rule) }
      command.url = url
    }
  }
  package static var flags: [Flag<Self>] {
    [
      Flag(
        "view-model",
        "NAME",
        "view model of the trial session",
        \.options.viewModel,
        defaultValue: "counter, or one that takes no parameters",
        expected: "the name of a view model"
      ) { $0.wholeMatch(of: /[A-Za-z0-9._\-]+/) == nil ? nil : $0 },
      Flag(
        "headers",
        "FILE",
        "header fields that say who asks: a token or a cookie",
        \.options.headersFile,
        expected: "a file that can be read"
      ) { FileManager.default.isReadableFile(atPath: $0) },
      Flag("insecure", "go on if the certificate does not verify", \.isInsecure),
      Flag("quick", "do not wait for a heartbeat", \.options.isQuick),
      Flag("json", "print one JSON document", \.printsJSON),
    ]
  }

  var url: ServiceURL?
  var options = Deployment.Options()
  var isInsecure = false
  var printsJSON = false

  package init() {}

  package func validate() throws(UsageError) {
    if url == nil { throw UsageError("say what to examine: doctor URL") }
  }

  /// Examines the deployment until it is done or a signal comes, and returns the exit code.
  package func run(_ time: any TimeSource) async throws -> Int32 {
    guard let url else { return 2 }
    signal(SIGPIPE, SIG_IGN)
    let signals = serviceSignals()
    return try await withThrowingTaskGroup { group in
      group.addTask { try await examine(url, time) }
      group.addTask {
        for await number in signals { return 128 + number }
        return 1
      }
      let status = try await group.next() ?? 1
      group.cancelAll()
      // The examination deletes its session before it ends.
      while (try? await group.next()) != nil {}
      return status
    }
  }

  private func examine(_ url: ServiceURL, _ time: any TimeSource) async throws -> Int32 {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isMuted = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
    let style = ReportStyle(isTerminal: isTerminal, hasColors: isTerminal && !isMuted)
    let deployment = Deployment(url, Curl(time: time, isInsecure: isInsecure), options) { text in
      guard isatty(STDERR_FILENO) == 1 else { return }
      writeToStandardError(Array("\r\u{1B}[K\(text)".utf8))
    }
    let report = try await Doctor(deployment: deployment).examine { entry in
      if !printsJSON { writeToStandardOutput(entry.text(style)) }
    }
    writeToStandardOutput(printsJSON ? report.json.text + "\n" : report.summary + "\n")
    return report.isGreen ? 0 : 1
  }
}
