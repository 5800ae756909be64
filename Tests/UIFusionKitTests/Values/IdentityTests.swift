import Foundation
import Testing
import UIFusionKit

struct `Two identities` {
  private let ada = Identity(
    id: "ada",
    name: "Ada",
    roles: ["editor", "owner"],
    claims: ["plan": "free"],
    expires: .distantFuture
  )

  @Test func `are the same if all their members are`() {
    #expect(
      ada
        == Identity(
          id: "ada",
          name: "Ada",
          roles: ["owner", "editor"],
          claims: ["plan": "free"],
          expires: .distantFuture
        )
    )
  }

  @Test(arguments: [
    Identity(id: "eda", name: "Ada", roles: ["editor", "owner"], claims: ["plan": "free"]),
    Identity(id: "ada", name: nil, roles: ["editor", "owner"], claims: ["plan": "free"]),
    Identity(id: "ada", name: "Ada", roles: ["editor"], claims: ["plan": "free"]),
    Identity(id: "ada", name: "Ada", roles: ["editor", "owner"], claims: [:]),
  ])
  func `differ if a member does`(other: Identity) {
    var other = other
    other.expires = ada.expires
    #expect(ada != other)
    other = ada
    other.expires = nil
    #expect(ada != other)
  }

  /// One letter of two forms: Swift's strings count them as equal.
  @Test func `are compared by their bytes`() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let pairs: [(Identity, Identity)] = [
      (Identity(id: composed), Identity(id: decomposed)),
      (Identity(id: "a", name: composed), Identity(id: "a", name: decomposed)),
      (Identity(id: "a", roles: [composed]), Identity(id: "a", roles: [decomposed])),
      (Identity(id: "a", claims: [composed: "1"]), Identity(id: "a", claims: [decomposed: "1"])),
      (Identity(id: "a", claims: ["k": composed]), Identity(id: "a", claims: ["k": decomposed])),
    ]
    for (a, b) in pairs { #expect(a == a && a != b) }
  }
}
