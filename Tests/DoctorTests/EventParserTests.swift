import Testing

@testable import FusionDoctor

struct `The event parser` {
  private let text = """
    HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1000\nid: 7\nevent: state\n\
    data: {"version":7,"state":{}}\n\n:\n\nid: 8\r\nevent: end\r\ndata: {"reason":"deleted"}\r\n\r\n
    """

  private func expected() throws -> [EventParser.Item] {
    [
      .head(try head("HTTP/1.1 200 OK", "Content-Type: text/event-stream")),
      .event(name: "state", version: 7), .comment, .event(name: "end", version: nil),
    ]
  }

  @Test func `returns the head, events and heartbeats`() throws {
    var parser = EventParser()
    #expect(parser.parse(Array(text.utf8)) == (try expected()))
  }

  @Test func `takes pieces of any size`() throws {
    for size in 1...40 {
      var parser = EventParser()
      var items: [EventParser.Item] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        items += parser.parse(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(items == (try expected()), "\(size)")
    }
  }

  @Test func `returns nothing until the head is complete`() {
    var parser = EventParser()
    #expect(parser.parse(Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)) == [])
    #expect(parser.parse([]) == [])
  }
}
