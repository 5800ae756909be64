import Testing

@testable import FusionCluster

struct `The nonce of a request between nodes` {
  @Test func `is read back as written`() {
    let nonce = Nonce(addressee: 7, sender: 0xfeed, number: 12, time: 1_700_000_000_000)
    #expect(nonce.text == "7-feed-12-1700000000000")
    #expect(Nonce(nonce.text) == nonce)
  }

  @Test(arguments: [
    "", "7-feed-12", "7-FEED-12-17", "+7-feed-12-17", "7-feed-012-17", "7-feed-12-17-1",
    "--7-feed-1-2",
  ])
  func `is refused in any other spelling`(_ text: String) {
    #expect(Nonce(text) == nil)
  }
}
