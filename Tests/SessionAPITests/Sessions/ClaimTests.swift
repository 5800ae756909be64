import FusionHTTPMessages
import FusionSessions
import Testing

@testable import FusionSessionAPI

struct `A claim to a session` {
  private let id = SessionID(high: 1, low: 2)

  private func share(_ role: ShareRole) -> StoredShare {
    StoredShare(ShareID(id), of: id, as: role, created: WallTime(milliseconds: 0))
  }

  /// Returns whether a claim holds for a session that belongs to an identity, or was created by the sender for nobody.
  private func holds(_ claim: Claim, forSessionOf identity: String?) -> Bool {
    let creator = identity == nil ? claim.sender?.identity : nil
    let origin = SessionOrigin(identity: identity, creator: creator, viewModel: "counter")
    return claim.permission(for: origin, under: nil) == .granted
  }

  @Test(arguments: Right.allCases)
  func `holds for a session of the sender, or of nobody`(right: Right) {
    let ada = Claim(right, to: id, by: RequestSender("ada"))
    #expect(holds(ada, forSessionOf: "ada") && holds(ada, forSessionOf: nil))
    #expect(!holds(ada, forSessionOf: "bob") && !holds(ada, forSessionOf: ""))
    let nobody = Claim(right, to: id, by: nil)
    #expect(holds(nobody, forSessionOf: nil) && !holds(nobody, forSessionOf: "ada"))
    #expect(!holds(nobody, forSessionOf: ""))
    #expect(holds(Claim(right, to: id, by: .program), forSessionOf: "ada"))
  }

  @Test func `compares identities by their bytes`() {
    let composed = Claim(.read, to: id, by: RequestSender("\u{E9}"))
    #expect(!holds(composed, forSessionOf: "e\u{301}") && holds(composed, forSessionOf: "\u{E9}"))
  }

  @Test func `of a session without an owner holds only for such sessions`() {
    let claim = Claim(.send, to: id, by: RequestSender(session: "abc", of: nil))
    #expect(holds(claim, forSessionOf: nil))
    #expect(!holds(claim, forSessionOf: "ada") && !holds(claim, forSessionOf: ""))
  }

  @Test func `by a share holds for everybody, within the share's role`() throws {
    let rights = { (role: ShareRole) in
      Right.allCases.filter { Claim($0, by: self.share(role), of: nil) != nil }
    }
    #expect(rights(.observer) == [.read])
    #expect(rights(.driver) == [.read, .send])
    let claim = try #require(Claim(.read, by: share(.observer), of: RequestSender("bob")))
    #expect(holds(claim, forSessionOf: "ada") && claim.isForeign(toSessionOf: "ada"))
    #expect(!claim.isForeign(toSessionOf: "bob") && !claim.isForeign(toSessionOf: nil))
    #expect(claim.shownID == "\(share(.observer).id)" && claim.shownID != "\(id)")
  }

  @Test func `to end a session of nobody's is for its creator and the program`() {
    let mine = SessionOrigin(creator: "\u{E9}va", viewModel: "counter")
    let unknown = SessionOrigin(viewModel: "counter")
    func end(_ sender: RequestSender?, _ origin: SessionOrigin) -> Permission {
      Claim(.end, to: id, by: sender).permission(for: origin, under: nil)
    }
    let denied = Permission.denied("Only whoever created this session may end it.")
    #expect(end(RequestSender("\u{E9}va"), mine) == .granted && end(.program, mine) == .granted)
    for other in ["e\u{301}va", "bob", ""] { #expect(end(RequestSender(other), mine) == denied) }
    #expect(end(nil, mine) == denied)
    // Created anonymously, or by a build that did not keep the creator.
    for sender in [nil, .program, RequestSender("bob")] {
      #expect(end(sender, unknown) == .granted)
    }
    let programs = SessionOrigin(creator: SessionOrigin.program, viewModel: "counter")
    #expect(end(.program, programs) == .granted)
    for sender in [nil, RequestSender("bob")] { #expect(end(sender, programs) == denied) }
  }
}
