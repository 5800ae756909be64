import FusionFaultInjection
import Testing

struct `A failed sync` {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `loses no Input that is acknowledged later`(seed: UInt64) async throws {
    let history = try await withFolder { folder in
      try await FailedSync(ServiceInProcess(folder: folder, seed: seed)).run()
    }
    #expect(history.requests.count { $0.answer.isAcknowledged } >= 2)
    #expect(Checker.violations(in: history).isEmpty)
  }
}
