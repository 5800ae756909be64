import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionCluster

/// Three nodes whose requests are lost, cut and delayed as a seed decides.
@Suite(.timeLimit(.minutes(5))) struct `Topics between nodes on a faulty network` {
  private struct Said: Codable, Sendable {
    /// The node; -1 is the end.
    let sender: Int
    let number: Int
  }

  private let topic: Topic<Said> = "talk"

  @Test(arguments: 1...150)
  func `deliver values at most once, in each node's order, and count all of them`(seed: Int)
    async throws
  {
    let wire = TopicWire()
    let nodes = wire.join(3)
    let relays = try nodes.map(wire.relay)
    let listeners = nodes.map { $0.topics.subscribe(to: topic, bufferingNewest: 10_000) }
    let random = RandomSource(seed: UInt64(seed))
    func number(below limit: Int) -> Int { random.number(in: 0...(limit - 1)) }
    // One seed in three loses nothing.
    let isFaulty = seed % 3 != 0
    var said = [0, 0, 0]
    for _ in 1...300 {
      let count = wire.requests.count
      switch number(below: 12) {
      case 0...4:
        let sender = number(below: 3)
        said[sender] += 1
        nodes[sender].topics.publish(Said(sender: sender, number: said[sender]), to: topic)
      case 5 where isFaulty && count > 0: wire.lose(at: number(below: count))
      case 6 where isFaulty && count > 0: wire.delay(at: number(below: count))
      case 7 where isFaulty && count > 0:
        wire.deliver(at: number(below: count), losingAnswer: true)
      case 8 where wire.late > 0: wire.deliverLate(at: number(below: wire.late))
      case 9:
        if isFaulty { await wire.clock.advance(by: .milliseconds(1_000)) }
        for relay in relays { relay.tryAgain() }
      default: if count > 0 { wire.deliver(at: number(below: count)) }
      }
    }
    for relay in relays { relay.tryAgain() }
    wire.deliverAll()
    while wire.late > 0 { wire.deliverLate(at: 0) }
    let dropped = nodes.map(\.dropped).reduce(0, +)
    #expect(nodes.map(\.sent).reduce(0, +) + dropped == 2 * said.reduce(0, +))
    #expect(isFaulty || dropped == 0)
    for (node, listener) in zip(nodes, listeners) {
      node.topics.connect(nil)
      node.topics.publish(Said(sender: -1, number: 0), to: topic)
      var heard: [[Int]] = [[], [], []]
      for await value in listener {
        if value.sender < 0 { break }
        heard[value.sender].append(value.number)
      }
      for (numbers, last) in zip(heard, said) {
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
        if dropped == 0 { #expect(numbers == Array(1...max(1, last)).filter { $0 <= last }) }
      }
    }
  }
}
