import FusionStrictJSON
import Testing

@testable import UIFusionTools

struct `The report of a run` {
  private let passed = ScenarioRun.Result(
    step: ScenarioStep(line: 1, person: nil, action: .settled, limit: nil),
    duration: .milliseconds(12),
    failure: nil
  )
  private let failed = ScenarioRun.Result(
    step: ScenarioStep(
      line: 4,
      person: "<ada>",
      action: .send(#"#"&\#u{1}"#, refusal: nil),
      limit: nil
    ),
    duration: .milliseconds(1500),
    failure: ["422: <no>", "  so"]
  )

  @Test func `has a line for each step, the reasons, and what was not run`() {
    #expect(
      text(.text, passed, failed) == """
        ok      line 1  settled  12 ms
        FAILED  line 4  send #"&\u{1} as <ada>  1500 ms
                422: <no>
                  so
        line 4 failed; 1 step was not run

        """
    )
    #expect(
      text(.text, passed, passed, passed).hasSuffix("3 steps passed in 36 ms\n")
    )
  }

  @Test func `follows the Test Anything Protocol, in which a hash begins a directive`() {
    #expect(
      text(.tap, passed, failed) == """
        TAP version 14
        1..3
        ok 1 - line 1: settled
        not ok 2 - line 4: send \\#"&\u{1} as <ada>
          ---
          message: |
            422: <no>
              so
          ...
        Bail out! line 4 failed

        """
    )
  }

  @Test func `is XML that JUnit's readers take`() {
    #expect(
      text(.junit, passed, failed) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a&amp;b.jsonl" tests="3" failures="1" skipped="1" time="1.512">
          <testcase name="line 1: settled" time="0.012"/>
          <testcase name="line 4: send #&quot;&amp;\u{FFFD} as &lt;ada&gt;" time="1.5">
            <failure>422: &lt;no&gt;
          so</failure>
          </testcase>
          <testcase name="step 3"><skipped/></testcase>
        </testsuite>

        """
    )
  }

  @Test func `of a load has the time that parts of all Inputs did not exceed`() {
    let report = LoadReport(
      wanted: 1000,
      duration: .seconds(2),
      latencies: (1...1000).map { .milliseconds($0) },
      runs: 10,
      failures: [(failed.step, ["no answer"])]
    )
    #expect(report.latency(at: 0.5) == .milliseconds(500))
    #expect(report.latency(at: 0.999) == .milliseconds(999))
    #expect(report.latency(at: 1) == .milliseconds(1000))
    #expect(
      report.text.hasPrefix(
        """
        1000 of 1000 Inputs answered in 2.0 s, 500.0 a second
        10 runs of the scenario, 1 failed
          line 4  send #"&\u{1} as <ada>
            no answer
        ms from when an Input was due to its answer: p50 500.0, p90 900.0, p99 990.0, p99.9 999.0, max 1000.0
          < 2 ms        1        █
          < 4 ms        2        █

        """
      )
    )
    #expect(
      report.text.hasSuffix(
        "  < 1024 ms     489      " + String(repeating: "\u{2588}", count: 40) + "\n"
      )
    )
  }

  @Test func `of a load says if Inputs that were due were not sent`() {
    let report = LoadReport(
      wanted: 10,
      duration: .seconds(1),
      latencies: [.milliseconds(3)],
      runs: 1,
      failures: []
    )
    #expect(report.text.contains("1 of 10 Inputs answered in 1.0 s, 1.0 a second\n"))
    #expect(report.text.contains("9 Inputs were not sent in time, or not answered;\n"))
    #expect(!report.isWhole)
  }

  private func text(_ format: RunReport.Format, _ results: ScenarioRun.Result...) -> String {
    var report = RunReport("a&b.jsonl", 3, format)
    return report.head + results.map { report.add($0) }.joined() + report.tail
  }
}
