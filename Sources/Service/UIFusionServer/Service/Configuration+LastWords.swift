import Dispatch
import FusionKeyedDigest
import FusionSessions
import FusionStrictJSON
import Glibc

extension Configuration {
  /// The file for the last words: in the folder of the sessions, else in the one for temporary files.
  private var lastWordsPath: String {
    if case .folder(let folder) = data { return "\(folder)/last-words" }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let service = "\(data) \(host) \(port) \(socket ?? "") \(nodeAddress ?? "")"
    let digest = KeyedDigest.hash(Array(service.utf8)).prefix(8)
    let name = digest.map { String($0, radix: 16) }.joined(separator: "-")
    return "\(folder)/uifusion-\(geteuid())-\(name)"
  }

  /// Opens the file for the last words; nil where that is impossible, and the service goes on without them.
  func openLastWords(_ catalog: ViewModelCatalog, _ log: Log) -> LastWordsFile? {
    guard makeSharedStore == nil else { return nil }
    do {
      return try LastWordsFile(lastWordsPath, catalog.viewModels.map(\.name))
    } catch {
      // Of several services with sessions in memory, the first has it.
      if data != .memory {
        log.warning("there will be no last words after a crash", ("error", error.description))
      }
      return nil
    }
  }
}

extension Log {
  /// Logs that the process ends, while it still can.
  func report(_ crash: CrashReport, _ viewModels: [String]) {
    error("the process ends while \(crash.text(viewModels))", ("signal", crash.signalName))
  }

  /// Logs how the process before has ended.
  func report(_ words: LastWordsFile.Words) {
    error(
      "the last run ended while \(words.report.text(words.viewModels))",
      ("signal", words.report.signalName),
      ("at", Timestamp(milliseconds: Int(words.report.time))?.text ?? "–")
    )
  }
}

extension SessionHost {
  /// Reports the last words of the process before, and those of this one if it comes to that.
  ///
  /// Waits a moment for the store to count the crash before: no session is to be woken until then.
  func recordCrashes(
    by lastWords: LastWords,
    after words: LastWordsFile.Words?,
    _ log: Log,
    _ output: LogOutput
  ) {
    if let words {
      log.report(words)
      let isCounted = DispatchSemaphore(value: 0)
      count(words.report) { _ in isCounted.signal() }
      _ = isCounted.wait(timeout: .now() + 2)
    }
    let names = viewModels.all.map(\.name)
    lastWords.start { [weak self] crash, done in
      log.report(crash, names)
      output.flush(within: .milliseconds(200))
      guard let self else { return done(false) }
      count(crash, done)
    }
  }

  private func count(_ report: CrashReport, _ done: @escaping @Sendable (Bool) -> Void) {
    guard !report.isCounted,
      let crash = report.crash(of: BuildIdentity.current, within: limits.setAsideWithin)
    else { return done(true) }
    setAsideWatch.record(crash) { error in done(error == nil) }
  }
}
