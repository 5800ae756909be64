import Testing

@testable import FusionSQLiteSessions

@Suite struct `A checkpoint plan` {
  private typealias Progress = CheckpointPlan.Progress

  @Test func `moves the log in the background each time that it has grown enough`() {
    var plan = CheckpointPlan(least: 100)
    #expect(plan.committed(pages: 99) == .none)
    #expect(plan.committed(pages: 100) == .background)
    // Only one checkpoint runs at a time.
    #expect(plan.committed(pages: 150) == .none)
    plan.ended(Progress(pages: 100, moved: 100))
    #expect(plan.committed(pages: 199) == .none)
    #expect(plan.committed(pages: 200) == .background)
    plan.ended(Progress(pages: 200, moved: 200))
    // The log has restarted.
    #expect(plan.committed(pages: 3) == .none)
    #expect(plan.committed(pages: 99) == .none)
    #expect(plan.committed(pages: 100) == .background)
  }

  @Test func `moves the rest of a long log between two commits if commits never pause`() {
    var plan = CheckpointPlan(least: 100)
    #expect(plan.committed(pages: 200) == .background)
    #expect(plan.committed(pages: 220) == .none)
    plan.ended(Progress(pages: 200, moved: 200))
    #expect(plan.committed(pages: 225) == .finish)
    plan.ended(Progress(pages: 225, moved: 225))
    #expect(plan.committed(pages: 5) == .none)
  }

  @Test func `moves only a short rest between two commits`() {
    var plan = CheckpointPlan(least: 100)
    #expect(plan.committed(pages: 10_000) == .background)
    #expect(plan.committed(pages: 10_900) == .none)
    plan.ended(Progress(pages: 10_000, moved: 10_000))
    #expect(plan.committed(pages: 10_901) == .background)
  }

  @Test func `does not retry after each commit while a reader or the disk blocks it`() {
    var plan = CheckpointPlan(least: 100)
    #expect(plan.committed(pages: 1_000) == .background)
    plan.ended(Progress(pages: 1_000, moved: 20))
    #expect(plan.committed(pages: 1_001) == .none)
    #expect(plan.committed(pages: 1_025) == .background)
    plan.ended(nil)
    #expect(plan.committed(pages: 1_026) == .none)
    #expect(plan.committed(pages: 1_050) == .background)
  }

  @Test func `moves a short log on request`() {
    var plan = CheckpointPlan(least: 100)
    plan.request()
    #expect(plan.committed(pages: 2) == .background)
  }
}
