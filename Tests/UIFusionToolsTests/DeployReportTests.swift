import FusionSessions
import Testing
import UIFusionServer

@testable import UIFusionTools

@Suite struct `The report before a deploy` {
  private func finding(
    _ number: UInt64,
    _ kind: SessionFinding.Kind,
    _ lines: String...,
    of viewModel: String = "shop",
    same: Int = 0
  ) -> SessionFinding {
    SessionFinding(
      session: SessionID(high: 0, low: number),
      viewModel: viewModel,
      kind: kind,
      lines: lines,
      same: same
    )
  }

  private func result(_ findings: SessionFinding...) -> DeployCheckResult {
    var report = DeployReport()
    for finding in findings { report.add(finding) }
    return DeployCheckResult(new: report)
  }

  @Test func `says what the new program makes of the sessions of each view model`() {
    var skipped = finding(3, .same, of: "chat", same: 1)
    skipped.skipped = ["an action held a secret": 1]
    skipped.changes.dropped = ["note"]
    let result = result(
      finding(1, .same, same: 2),
      finding(2, .different, "version 7 differs (stored → today's)", "  coins: 6 → 11", same: 1),
      skipped
    )
    #expect(
      result.text(of: StoreLocation()) == """
        chat: 1 session
          State no longer has note: dropped
          1 session can be read and come out the same in 1 version
          1 version was not compared: an action held a secret
        shop: 2 sessions
          1 session can be read and come out the same in 3 versions
          1 session can be read but come out otherwise (stored → today's)
            AAAAAAAAAAAAAAAAAAAAAg: version 7 differs (stored → today's)
                coins: 6 → 11
        all 3 sessions can go on. 1 comes out otherwise: deploy if that is what the change is for.

        """
    )
    #expect(result.status == 3)
  }

  @Test func `names three sessions of a kind, each with another reason`() {
    let result = result(
      finding(1, .unreadable, "total is missing"),
      finding(2, .unreadable, "total is missing"),
      finding(3, .unreadable, "note is missing"),
      finding(4, .unreadable, "name is missing"),
      finding(5, .unreadable, "size is missing")
    )
    let text = result.text(of: StoreLocation())
    #expect(text.contains("\n  5 sessions CANNOT BE READ\n"))
    #expect(text.split(separator: "\n").filter { $0.contains("is missing") }.count == 3)
    #expect(!text.contains("size is missing"))
    #expect(text.hasSuffix("\ndo not deploy: 5 of 5 sessions cannot go on.\n"), "\(text)")
  }

  @Test(
    arguments: [
      ([], nil, 0, "same"), ([.same, .notReplayed], nil, 0, "same"),
      ([.different], nil, 3, "different"),
      ([.same, .unreadable], nil, 1, "refused"), ([.damaged], nil, 1, "refused"),
      ([.crashed], nil, 1, "refused"), ([.unchecked], nil, 1, "refused"),
      ([.same], [.same], 0, "same"), ([.different], [.unreadable], 4, "different"),
      ([.unreadable], [.unreadable], 1, "refused"), ([.same], [.crashed], 4, "same"),
    ] as [([SessionFinding.Kind], [SessionFinding.Kind]?, Int32, String)]
  )
  func `has an exit code for a pipeline`(
    new: [SessionFinding.Kind],
    old: [SessionFinding.Kind]?,
    status: Int32,
    word: String
  ) {
    let report = { (kinds: [SessionFinding.Kind]) in
      kinds.enumerated().reduce(into: DeployReport()) {
        $0.add(finding(UInt64($1.offset), $1.element, "a reason"))
      }
    }
    let result = DeployCheckResult(new: report(new), old: old.map(report))
    #expect(result.status == status)
    #expect(result.jsonLines.contains(#"{"result":"\#(word)","sessions":\#(new.count),"#))
    let isSafe = old.map { !$0.contains(where: \.isRefused) }
    #expect(result.jsonLines.contains(#""goingBack":"safe""#) == (isSafe == true))
    #expect(result.jsonLines.contains(#""goingBack":"refused""#) == (isSafe == false))
    guard !new.isEmpty else { return }
    let text = result.text(of: StoreLocation())
    #expect(text.contains(" Going back is NOT safe.\n") == (isSafe == false), "\(text)")
    #expect(text.contains("going back, the old program finds:\n") == (isSafe == false))
  }

  @Test func `says that there are no sessions`() {
    #expect(result().text(of: StoreLocation()) == "no sessions in ./.uifusion\n")
  }

  @Test func `estimates the time that is left`() {
    #expect(CheckProgress.text(0, of: 9, after: .seconds(2)) == "checked 0 of 9 sessions")
    #expect(
      CheckProgress.text(250, of: 1_000, after: .seconds(2))
        == "checked 250 of 1000 sessions, 7 s left"
    )
    // Sessions may be created meanwhile.
    #expect(
      CheckProgress.text(11, of: 10, after: .seconds(2)) == "checked 11 of 10 sessions, 1 s left"
    )
  }
}
