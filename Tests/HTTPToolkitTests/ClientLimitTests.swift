import FusionHTTPMessages
import FusionHTTPToolkit
import Testing

struct `The rates of clients` {
  @Test func `are forgotten for silent clients`() throws {
    let rates = ClientRates(perSecond: 1)
    for number in 0..<5_000 {
      let client = IPAddress(bits: UInt128(number + 1) << 64)
      try rates.take(1, for: client, now: .seconds(number))
    }
    #expect(rates.count <= 1_024)
  }

  @Test func `admit a batch while a token is left, and delay what follows`() throws {
    let rates = ClientRates(perSecond: 2)
    let client = IPAddress(bits: 1)
    try rates.take(4, for: client, now: .zero)
    let refused = #expect(throws: ClientRates.Exceeded.self) {
      try rates.take(1, for: client, now: .zero)
    }
    #expect(refused?.limit == 2 && refused?.wait == .milliseconds(1_500))
    try rates.take(-4, for: client, now: .zero)
    try rates.take(1, for: client, now: .zero)
  }
}

struct `The quota of a client` {
  private let public1 = IPAddress("192.0.2.7")

  @Test func `has room again once a slot is released`() throws {
    let quota = ClientQuota(limit: nil, usual: 1)
    var slot = try quota.take(for: public1)
    #expect(slot != nil)
    #expect(throws: ClientQuota.Full.self) { try quota.take(for: public1) }
    #expect(try quota.take(for: IPAddress("192.0.2.8")) != nil)
    slot = nil
    #expect(try quota.take(for: public1) != nil)
  }

  @Test func `applies to private networks only if a limit is set`() throws {
    let client = IPAddress("10.0.0.7")
    #expect(try ClientQuota(limit: nil, usual: 0).take(for: client) == nil)
    #expect(throws: ClientQuota.Full.self) {
      try ClientQuota(limit: 0, usual: 1).take(for: client)
    }
  }
}
