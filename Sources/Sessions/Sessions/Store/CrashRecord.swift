/// The end of a process by a trap, while the code of a session's view model ran.
package struct SessionCrash: Sendable, Equatable {
  package var session: SessionID
  package var time: WallTime
  /// The identity of the program's build.
  package var build: String
  /// The time within which the next crash sets the session aside; zero for never.
  package var within: Duration

  package init(_ session: SessionID, at time: WallTime, of build: String, within: Duration) {
    self.session = session
    self.time = time
    self.build = build
    self.within = within
  }
}

/// The crashes of processes at a session's work, as a store keeps them.
package struct CrashRecord: Sendable, Equatable {
  /// The time of the last crash.
  package var time: WallTime
  /// The identity of the build that crashed last.
  package var build: String
  /// Whether the last crash came soon after another: then that build has set the session aside.
  package var isRepeated: Bool

  package init(time: WallTime, build: String, isRepeated: Bool) {
    self.time = time
    self.build = build
    self.isRepeated = isRepeated
  }

  /// Returns the record after a crash, given the one before.
  ///
  /// A session that was set aside stays so with its next crash, by another build, too: each build tries it once. A crash
  /// that is reported twice counts once.
  package static func adding(_ crash: SessionCrash, to record: CrashRecord?) -> CrashRecord {
    guard let record else {
      return CrashRecord(time: crash.time, build: crash.build, isRepeated: false)
    }
    guard crash.time != record.time else { return record }
    let pause = crash.time.milliseconds.subtractingReportingOverflow(record.time.milliseconds)
    let isSoon = !pause.overflow && .milliseconds(pause.partialValue.magnitude) <= crash.within
    return CrashRecord(
      time: max(crash.time, record.time),
      build: crash.time > record.time ? crash.build : record.build,
      isRepeated: crash.within > .zero && (record.isRepeated || isSoon)
    )
  }

  /// Whether a build leaves the session alone.
  package func setsAside(_ build: String) -> Bool { isRepeated && self.build == build }
}

/// A session at whose work processes have crashed repeatedly.
package struct CrashedSession: Sendable, Equatable {
  package let id: SessionID
  package let viewModel: String
  package let record: CrashRecord

  package init(_ id: SessionID, viewModel: String, _ record: CrashRecord) {
    self.id = id
    self.viewModel = viewModel
    self.record = record
  }
}
