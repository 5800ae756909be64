import FusionHTTPMessages
import Testing
import UIFusionKit

@testable import FusionCluster
@testable import FusionSessionAPI

struct `The sender of a request between nodes` {
  @Test func `is the program, an identity, or a session with or without an owner`() {
    let senders: [RequestSender] = [
      .program, RequestSender("ada é=session"), RequestSender(session: "abc", of: "ada b"),
      RequestSender(session: "abc", of: nil),
      RequestSender(session: "abc", of: nil, isReply: true),
      RequestSender(session: "abc", of: "reply", isReply: true),
      RequestSender(session: "abc", of: "reply"),
    ]
    for sender in senders {
      let word = sender.wordBetweenNodes
      let read = RequestSender.sender(betweenNodes: "client=10.0.0.1 " + word)
      #expect(read?.identity == sender.identity && read?.session == sender.session, "\(word)")
      #expect(read?.isReply == sender.isReply, "\(word)")
      #expect((read === RequestSender.program) == (sender === RequestSender.program))
    }
    #expect(RequestSender.sender(betweenNodes: "sender=nobody") == nil)
  }

  @Test(arguments: [
    Identity(id: "ada"), Identity(id: "ada", name: "Ada L. = é"),
    Identity(id: "role=a", name: "", roles: ["", "a b", "claim=x", "é"]),
    Identity(
      id: "a",
      roles: ["host"],
      claims: ["": "", "a=b": "c d=", "team": "\u{2028}🙂", "x": "="]
    ),
  ])
  func `has a name, roles and claims`(identity: Identity) {
    let sender = RequestSender(identity.id, name: identity.name, details: identity)
    let word = sender.wordBetweenNodes
    #expect(word.utf8.allSatisfy { $0 > 0x1F && $0 < 0x7F })
    let read = RequestSender.sender(betweenNodes: word + " client=10.0.0.1")
    #expect(read?.person == identity && read?.name == identity.name)
  }

  @Test func `is an identity alone in the word of an earlier build`() {
    let read = RequestSender.sender(betweenNodes: "sender=identity=ada")
    #expect(read?.person == Identity(id: "ada"))
  }
}
