import CFusionFaultingVFS
import CFusionSQLite
import FusionFaultInjection
import Testing

/// Sweeps that fail each of SQLite's disk calls in turn.
struct `An Input on a faulty disk` {
  struct Failure: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let call: fvfs_call
    let code: Int32
  }

  @Test(
    arguments: Pattern.allCases,
    [
      Failure(testDescription: "a write, without space", call: FVFS_WRITE, code: SQLITE_FULL),
      Failure(testDescription: "a write", call: FVFS_WRITE, code: SQLITE_IOERR | 3 << 8),
      Failure(testDescription: "a sync", call: FVFS_SYNC, code: SQLITE_IOERR | 4 << 8),
    ]
  )
  func `does nothing if it is refused, and is applied once if sent again`(
    pattern: Pattern,
    failure: Failure
  ) async throws {
    for (form, batch) in [(PlannedRequest.Form.add, 1), (.addSlowly, 1), (.ring, 1), (.add, 3)] {
      let outcome = try await withFolder { folder in
        try await Sweep(ServiceInProcess(folder: folder, seed: 1))
          .run(pattern, form, batch: batch, failing: failure.call, with: failure.code)
      }
      #expect(outcome.isWhole)
      #expect(outcome.history.requests.contains { !$0.answer.isAcknowledged })
      expectNone(Checker.violations(in: outcome.history), "\(form), a batch of \(batch)")
    }
  }
}
