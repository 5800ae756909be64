import FusionHTTPMessages
import FusionSessions
import Testing

@testable import FusionSessionAPI

struct `A claim to a session` {
  private let id = SessionID(high: 1, low: 2)

  private func share(_ role: ShareRole) -> StoredShare {
    StoredShare(ShareID(id), of: id, as: role, created: WallTime(milliseconds: 0))
  }

  @Test(arguments: Right.allCases)
  func `holds for a session of the sender, or of nobody`(right: Right) {
    let ada = Claim(right, to: id, by: RequestSender("ada"))
    #expect(ada.holds(forSessionOf: "ada") && ada.holds(forSessionOf: nil))
    #expect(!ada.holds(forSessionOf: "bob") && !ada.holds(forSessionOf: ""))
    let nobody = Claim(right, to: id, by: nil)
    #expect(nobody.holds(forSessionOf: nil) && !nobody.holds(forSessionOf: "ada"))
    #expect(!nobody.holds(forSessionOf: ""))
    #expect(Claim(right, to: id, by: .program).holds(forSessionOf: "ada"))
  }

  @Test func `compares identities by their bytes`() {
    let composed = Claim(.read, to: id, by: RequestSender("\u{E9}"))
    #expect(!composed.holds(forSessionOf: "e\u{301}") && composed.holds(forSessionOf: "\u{E9}"))
  }

  @Test func `of a session without an owner holds only for such sessions`() {
    let claim = Claim(.send, to: id, by: RequestSender(session: "abc", of: nil))
    #expect(claim.holds(forSessionOf: nil))
    #expect(!claim.holds(forSessionOf: "ada") && !claim.holds(forSessionOf: ""))
  }

  @Test func `by a share holds for everybody, within the share's role`() throws {
    let rights = { (role: ShareRole) in
      Right.allCases.filter { Claim($0, by: self.share(role), of: nil) != nil }
    }
    #expect(rights(.observer) == [.read])
    #expect(rights(.driver) == [.read, .send])
    let claim = try #require(Claim(.read, by: share(.observer), of: RequestSender("bob")))
    #expect(claim.holds(forSessionOf: "ada") && claim.isForeign(toSessionOf: "ada"))
    #expect(!claim.isForeign(toSessionOf: "bob") && !claim.isForeign(toSessionOf: nil))
    #expect(claim.shownID == "\(share(.observer).id)" && claim.shownID != "\(id)")
  }
}
