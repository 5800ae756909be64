import FusionHTTPMessages
import FusionSessions
import Testing

@testable import FusionSessionAPI

struct `A stream's format` {
  private func bytes(_ format: any StreamFormat, _ state: String) -> String {
    let snapshot = Snapshot(version: 7, state: Array(state.utf8))
    let event = StreamEvent.state(snapshot, since: nil, label: nil)
    return String(decoding: event.chunk(in: format).content, as: UTF8.self)
  }

  @Test func `has a distinct media type`() {
    let types = StreamFormats.all.map(\.mediaType)
    #expect(types.count > 1 && Set(types).count == types.count)
  }

  @Test(arguments: ["\n", "\r", "\r\n"]) func `keeps a State with line ends whole`(end: String) {
    let state = #"{"a":\#(end)1}"#
    let line = bytes(JSONLinesFormat(), state)
    let blank = String(repeating: " ", count: end.utf8.count)
    #expect(line == #"{"event":"state","version":7,"state":{"a":\#(blank)1}}"# + "\n")
    let event = bytes(ServerSentEventFormat(), state)
    #expect(
      event == "id: 7\nevent: state\ndata: {\"version\":7,\"state\":{\"a\":\ndata: 1}}\n\n"
    )
  }
}
