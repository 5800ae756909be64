import FusionHTTPMessages
import Testing

@testable import FusionCluster

struct `The sender of a request between nodes` {
  @Test func `is the program, an identity, or a session with or without an owner`() {
    let senders: [RequestSender] = [
      .program, RequestSender("ada é=session"), RequestSender(session: "abc", of: "ada b"),
      RequestSender(session: "abc", of: nil),
    ]
    for sender in senders {
      let word = sender.wordBetweenNodes
      let read = RequestSender.sender(betweenNodes: "client=10.0.0.1 " + word)
      #expect(read?.identity == sender.identity && read?.session == sender.session, "\(word)")
      #expect((read === RequestSender.program) == (sender === RequestSender.program))
    }
    #expect(RequestSender.sender(betweenNodes: "sender=nobody") == nil)
  }
}
