import FusionHTTPMessages
import Testing

@testable import FusionCluster

struct `The sender that a node tells another` {
  @Test func `is the program, an identity, or a session of one or of nobody`() {
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

  @Test func `of a session that is nobody's may use what anybody may`() {
    let sender: RequestSender? = RequestSender(session: "abc", of: nil)
    #expect(sender.mayUse(nil) && !sender.mayUse("ada") && !sender.mayUse(""))
  }
}
