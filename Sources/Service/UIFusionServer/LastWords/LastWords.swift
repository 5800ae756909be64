import FusionMicrohttpdServer
import FusionSessions
import Glibc
import Synchronization
import UIFusionKit

/// The notes of the user code that a service runs, and what becomes of them if that code traps.
///
/// A note costs a few stores to the thread's own memory. If a signal ends the process, the note of its thread is
/// written to a file, and a thread that waits for nothing else reports it while the trapped thread stands still.
final class LastWords: Sendable {
  /// A function that reports a crash, and calls `done` with whether the store has counted it.
  typealias Report =
    @Sendable (CrashReport, _ done: @escaping @Sendable (_ isCounted: Bool) -> Void) -> Void

  /// The part that handlers of signals read; it is never freed, as notes may refer to it.
  private struct Recorder {
    var file: Int32
    var viewModels: UnsafeMutablePointer<UInt>
    var viewModelCount: Int
    var report = CrashReport()

    /// Returns the number of a view model; -1 for none.
    func number(of viewModel: UInt) -> Int32 {
      var number = 0
      while number < viewModelCount {
        if viewModels[number] == viewModel { return Int32(truncatingIfNeeded: number) }
        number += 1
      }
      return -1
    }
  }

  private nonisolated(unsafe) let recorder: UnsafeMutablePointer<Recorder>
  // Guard: only the handler of the one signal that ends the process changes the memory, and `close()` its file.

  /// The number of the service in notes.
  let number: UInt

  /// Creates a recorder; `file` is the descriptor of the file for the words, or -1.
  init(_ viewModels: [HostedViewModel], file: Int32) {
    let numbers = UnsafeMutablePointer<UInt>.allocate(capacity: max(1, viewModels.count))
    for (place, viewModel) in viewModels.enumerated() {
      (numbers + place).initialize(to: UInt(bitPattern: ObjectIdentifier(viewModel)))
    }
    recorder = .allocate(capacity: 1)
    recorder.initialize(
      to: Recorder(file: file, viewModels: numbers, viewModelCount: viewModels.count)
    )
    number = UInt(bitPattern: recorder)
    // Made now, and not by a handler.
    _ = Self.speaker.last
    CrashSignals.install()
  }

  /// Sets the function that reports a crash from now on.
  func start(_ report: @escaping Report) { Self.speaker.add(number, report) }

  /// Leaves the file to the next process.
  func close() {
    Self.speaker.remove(number)
    let file = recorder.pointee.file
    recorder.pointee.file = -1
    if file >= 0 { Glibc.close(file) }
  }

  // MARK: The end

  private static let speaker = Speaker()

  /// Whether the calling thread is the one that reports crashes.
  static var isSpeaker: Bool { speaker.isThisThread }

  /// Writes and reports what the calling thread runs; called by the handler of the signal that ends the process.
  static func speak(_ signal: Int32) {
    var thread = ThreadMemory.existing?.pointee ?? ThreadNote()
    if thread.note.service == 0 {
      thread.detailCount = 0
      thread.note = TaskNotes.current ?? RunNote()
    }
    let number = thread.note.service == 0 ? speaker.last : thread.note.service
    guard let recorder = UnsafeMutablePointer<Recorder>(bitPattern: number) else { return }
    let viewModel = recorder.pointee.number(of: thread.note.viewModel)
    recorder.pointee.report.fill(signal, thread, viewModel)
    write(recorder)
    speaker.wake(number)
  }

  private static func write(_ recorder: UnsafeMutablePointer<Recorder>) {
    let file = recorder.pointee.file
    if file >= 0 { pwrite(file, &recorder.pointee.report, MemoryLayout<CrashReport>.size, 0) }
  }

  /// Reports the crash that a handler has written, on the speaker's thread.
  fileprivate static func report(
    _ number: UInt,
    _ report: Report,
    _ done: @escaping @Sendable () -> Void
  ) {
    guard let recorder = UnsafeMutablePointer<Recorder>(bitPattern: number) else { return done() }
    report(recorder.pointee.report) { isCounted in
      if isCounted, let recorder = UnsafeMutablePointer<Recorder>(bitPattern: number) {
        recorder.pointee.report.isCounted = true
        write(recorder)
      }
      done()
    }
  }
}

/// The thread that reports crashes of all services of the process, while the trapped thread waits in its handler.
private final class Speaker: Sendable {
  private let reports = Mutex<[UInt: LastWords.Report]>([:])
  /// The number of the newest service, for a crash outside of the work of sessions.
  private let newest = Atomic<UInt>(0)
  private let thread = Atomic<UInt>(0)
  /// The descriptors of a pipe by which a handler wakes the thread, and of one for the answer; -1 where there are none.
  private let wakes: (read: Int32, write: Int32)
  private let answers: (read: Int32, write: Int32)

  init() {
    wakes = Self.pipe()
    answers = Self.pipe()
    guard wakes.read >= 0, answers.read >= 0 else { return }
    if let started = startThread({ [self] in work() }) {
      thread.store(started, ordering: .relaxed)
    }
  }

  private static func pipe() -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  var isThisThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  var last: UInt { newest.load(ordering: .relaxed) }

  func add(_ number: UInt, _ report: @escaping LastWords.Report) {
    reports.withLock { $0[number] = report }
    newest.store(number, ordering: .relaxed)
  }

  func remove(_ number: UInt) {
    let last: UInt = reports.withLock { reports in
      reports[number] = nil
      return reports.keys.max() ?? 0
    }
    _ = newest.compareExchange(expected: number, desired: last, ordering: .relaxed)
  }

  /// Makes the thread report a crash, and waits until it has; called by a handler of signals.
  func wake(_ number: UInt) {
    guard thread.load(ordering: .relaxed) != 0, !isThisThread else { return }
    var number = number
    guard Glibc.write(wakes.write, &number, MemoryLayout<UInt>.size) > 0 else { return }
    var answer = pollfd(fd: answers.read, events: Int16(POLLIN), revents: 0)
    poll(&answer, 1, CrashSignals.patience)
  }

  private func work() {
    var number: UInt = 0
    while true {
      let count = read(wakes.read, &number, MemoryLayout<UInt>.size)
      if count < 0, errno == EINTR { continue }
      guard count == MemoryLayout<UInt>.size else { return }
      let answer = { @Sendable [answers] in
        var byte: UInt8 = 1
        _ = Glibc.write(answers.write, &byte, 1)
      }
      guard let report = reports.withLock({ $0[number] }) else {
        answer()
        continue
      }
      LastWords.report(number, report, answer)
    }
  }
}
