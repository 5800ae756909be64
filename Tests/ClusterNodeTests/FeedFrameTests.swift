import FusionSessions
import Testing

@testable import FusionCluster

struct `The frames of a feed` {
  private let frames: [FeedFrame] = [
    .state(1, version: 7, pulses: 0xfeed, Array("{\"a\":\"\n\"}".utf8)), .lost(12),
    .visitors(7), .state(3, version: 1, pulses: 0, []), .end(1, .deleted), .end(2, .expired),
  ]

  @Test(arguments: 1...40)
  func `are read back as written, however the bytes are split`(size: Int) throws {
    var bytes: [UInt8] = [FeedFrame.heartbeat]
    for frame in frames { frame.append(to: &bytes) }
    var reader = FeedReader()
    var read: [FeedFrame] = []
    while !bytes.isEmpty {
      read += try reader.read(Array(bytes.prefix(size)))
      bytes.removeFirst(min(size, bytes.count))
    }
    #expect(read == frames)
  }

  @Test(arguments: [
    "state 1 7 0\n", "state 1 7 0 -1\n", "state 1 7 0 2\n{}}", "end 1 lost\n", "lost\n",
    "lost one\n",
    "open 1\n", String(repeating: "1", count: 200),
  ])
  func `are refused if malformed`(_ text: String) {
    var reader = FeedReader()
    #expect(throws: FeedReader.Malformed.self) { try reader.read(Array(text.utf8)) }
  }

  @Test func `are requested by changes, which are read back as written`() {
    let id = SessionID(high: 1, low: 2)
    let changes: [FeedChange] = [.follow(1, id), .drop(1), .follow(2, id)]
    #expect(FeedChange.changes(in: FeedChange.bytes(of: changes)) == changes)
    #expect(FeedChange.changes(in: Array("follow 1 short\n".utf8)) == nil)
  }
}
