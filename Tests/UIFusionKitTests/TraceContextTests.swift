import Testing
import UIFusionKit

private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
private let parent = "00f067aa0ba902b7"

struct `A traceparent` {
  @Test(arguments: [("00", false), ("01", true), ("03", true), ("fe", false)])
  func `has a trace, a parent, and a sampled flag`(flags: String, isSampled: Bool) throws {
    let context = try #require(TraceContext(traceparent: "00-\(trace)-\(parent)-\(flags)"))
    #expect(context.traceID == trace && context.parentID == parent)
    #expect(context.isSampled == isSampled)
  }

  @Test(arguments: ["00", "01"])
  func `is passed on unchanged`(flags: String) throws {
    let text = "00-\(trace)-\(parent)-\(flags)"
    #expect(TraceContext(traceparent: text)?.traceparent == text)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-", "00-\(trace)-\(parent)-1",
    "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01-more", "00-\(trace)-\(parent)-011",
    "ff-\(trace)-\(parent)-01", "FF-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-001",
    "0g-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-0G",
    "00-\(trace.uppercased())-\(parent)-01", "00-\(trace)-\(parent.uppercased())-01",
    "00-\(String(repeating: "0", count: 32))-\(parent)-01",
    "00-\(trace)-\(String(repeating: "0", count: 16))-01",
    "00-\(trace.dropLast())g-\(parent)-01", "00-\(trace)-\(parent.dropLast())é-01",
    "00_\(trace)-\(parent)-01", "00-\(trace)_\(parent)-01", "00-\(trace)-\(parent)_01",
    "00-\(trace)-\(parent)-01, 00-\(trace)-\(parent)-01",
    " 00-\(trace)-\(parent)-01", "01-\(trace)-\(parent)-01more", "cc-\(trace)-\(parent)-1",
  ])
  func `is not parsed if malformed`(text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }

  @Test(arguments: ["01-\(trace)-\(parent)-01", "cc-\(trace)-\(parent)-01-more.of-it"])
  func `of a later version is parsed as far as its known fields`(text: String) {
    let context = TraceContext(traceparent: text)
    #expect(context?.traceparent == "00-\(trace)-\(parent)-01")
  }
}

struct `Code outside any trace` {
  @Test func `has no trace context, even if its caller has one`() {
    #expect(TraceContext.current == nil)
    let context = TraceContext(traceparent: "00-\(trace)-\(parent)-01")
    let (outer, inner) = TraceContext.within(context) {
      (TraceContext.current, TraceContext.within(nil) { TraceContext.current })
    }
    #expect(outer == context && context != nil && inner == nil)
  }
}
