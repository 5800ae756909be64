import Foundation
import Testing
import UIFusionKit

@testable import FusionSessions

struct `A session's visitors` {
  /// A view model that keeps a list of visitors, and is told each change.
  private struct Told {
    var table = VisitorTable()
    var list: [Visitor] = []
    var kinds: [PresenceChange.Kind] = []

    mutating func leave(_ visitor: Visitor, at time: Duration) -> Bool {
      table.leave(visitor, time)
    }

    mutating func tell() {
      while let change = table.next {
        change.update(&list)
        kinds.append(change.kind)
        table.told(change, table.generation)
      }
    }
  }

  private let ada = Visitor(id: "ada", identity: "ada")
  private let bob = Visitor(id: "bob", role: .observer)

  @Test func `are announced once each, however many windows they have`() {
    var told = Told()
    told.table.enter(ada)
    told.table.enter(bob)
    told.table.enter(ada)
    told.tell()
    #expect(told.list == [ada, bob] && told.kinds == [.joined])
    let isAway1 = told.leave(ada, at: .seconds(1))
    #expect(!isAway1)
    let isAway2 = told.leave(ada, at: .seconds(2))
    #expect(isAway2)
    told.table.expire("ada", .seconds(6))
    told.tell()
    #expect(told.list == [ada, bob])
    told.table.expire("ada", .seconds(7))
    told.tell()
    #expect(told.list == [bob] && told.kinds == [.joined, .left])
    #expect(!told.table.hasNews)
  }

  @Test func `are told apart by the bytes of their ids`() {
    var told = Told()
    let names = ["\u{E9}", "e\u{301}", "\u{212A}", "K"]
    for name in names { told.table.enter(Visitor(id: name, identity: name)) }
    told.tell()
    #expect(told.list.map { Array($0.id.utf8) } == names.map { Array($0.utf8) })
    for (index, name) in names.enumerated() {
      _ = told.leave(Visitor(id: name, identity: name), at: .zero)
      told.table.expire(name, .seconds(5))
      told.tell()
      #expect(told.list.map { Array($0.id.utf8) } == names[(index + 1)...].map { Array($0.utf8) })
    }
  }

  @Test func `are told of a name that is written differently`() {
    var told = Told()
    told.table.enter(Visitor(id: "a", name: "\u{E9}"))
    told.tell()
    told.table.enter(Visitor(id: "a", name: "e\u{301}"))
    told.tell()
    #expect(told.list.map(\.name?.utf8.count) == [3] && told.kinds == [.joined, .joined])
  }

  @Test func `may return within the grace period unnoticed`() {
    var told = Told()
    told.table.enter(ada)
    told.tell()
    let isAway3 = told.leave(ada, at: .zero)
    #expect(isAway3)
    told.table.enter(ada)
    told.table.expire("ada", .seconds(5))
    #expect(!told.table.hasNews)
    let isAway4 = told.leave(ada, at: .seconds(6))
    #expect(isAway4)
    told.table.expire("ada", .seconds(11))
    told.table.enter(ada)
    // The departure was not announced.
    told.tell()
    #expect(told.list == [ada] && told.kinds == [.joined])
  }

  @Test func `have the highest of their roles, which rises at once and falls late`() {
    var told = Told()
    let driver = bob.with(.driver)
    told.table.enter(bob)
    told.tell()
    told.table.enter(driver)
    told.tell()
    #expect(told.list == [driver])
    let isAway5 = told.leave(driver, at: .zero)
    #expect(isAway5)
    told.table.enter(bob)
    told.tell()
    #expect(told.list == [driver])
    told.table.expire("bob", .seconds(5))
    told.tell()
    #expect(told.list == [bob] && told.kinds == [.joined, .joined, .joined])
  }

  @Test func `are announced again after a restart, and then the absence of all others`() {
    var told = Told()
    told.list = [ada, bob]
    told.table.restart(isRestored: true)
    told.table.enter(ada)
    told.tell()
    #expect(told.list == [ada, bob])
    told.table.endReturn(told.table.generation)
    told.tell()
    #expect(told.list == [ada] && told.kinds == [.joined, .remained])
    told.table.endReturn(told.table.generation)
    #expect(!told.table.hasNews)
  }

  @Test func `are all announced again with the next change after a rolled-back one`() {
    var told = Told()
    told.table.enter(ada)
    told.tell()
    told.table.enter(bob)
    #expect(told.table.next?.kind == .joined)
    told.table.rejected(told.table.generation)
    let isAway = told.leave(ada, at: .zero)
    #expect(isAway)
    told.table.expire("ada", .seconds(5))
    #expect(told.table.next == PresenceChange(.remained, [bob]))
    told.tell()
    #expect(told.list == [bob] && told.kinds == [.joined, .remained])
    #expect(!told.table.hasNews)
  }

  /// Announcements to an earlier instance do not count, and no visitor stays forever.
  ///
  /// `UIFUSION_RANDOM_SEEDS` says how many thousands.
  @Test func `match the visits in random schedules`() {
    let environment = ProcessInfo.processInfo.environment
    let thousands = environment["UIFUSION_RANDOM_SEEDS"].flatMap { Int($0) } ?? 2
    for seed in 0..<(thousands * 1_000) {
      var random = RandomSource(seed: UInt64(seed))
      func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
      var told = Told()
      var now = Duration.zero
      var visits: [Visitor] = []
      /// The time at which each visitor's last visit ended.
      var gone: [String: Duration] = [:]
      var timers: [(at: Duration, id: String?, generation: Int)] = []
      func pass(_ time: Duration) {
        now += time
        for timer in timers where timer.at <= now {
          if let id = timer.id {
            told.table.expire(id, timer.at)
          } else {
            told.table.endReturn(timer.generation)
          }
        }
        timers.removeAll { $0.at <= now }
      }
      for _ in 0..<30 {
        pass(.milliseconds(below(3_000)))
        switch below(10) {
        case 0...2:
          let visitor = Visitor(
            id: "\(below(3))",
            role: Visitor.Role.allCases[below(3)]
          )
          visits.append(visitor)
          told.table.enter(visitor)
        case 3...5 where !visits.isEmpty:
          let visitor = visits.remove(at: below(visits.count))
          gone[visitor.id] = now
          if told.table.leave(visitor, now) {
            timers.append((now + VisitorTable.grace, visitor.id, 0))
          }
        case 6:
          // The State of the last commit, which lacks some of the announcements.
          if below(2) == 0, let lost = told.list.indices.randomElement(using: &random) {
            told.list.remove(at: lost)
          }
          told.table.restart(isRestored: true)
          timers.append((now + VisitorTable.grace, nil, told.table.generation))
        case 7 where told.table.next != nil: told.table.rejected(told.table.generation)
        default: break
        }
        if below(3) > 0 {
          told.tell()
          for visitor in visits where !told.list.contains(where: { $0.id == visitor.id }) {
            Issue.record("\(visitor.id) is not present, seed \(seed)")
          }
          for (id, time) in gone where now - time < VisitorTable.grace {
            let isTold = told.list.contains { $0.id == id }
            if !isTold { Issue.record("\(id) was removed within the grace period, seed \(seed)") }
          }
        }
      }
      pass(.seconds(6))
      told.tell()
      var expected: [String: Visitor.Role] = [:]
      for visit in visits { expected[visit.id] = max(visit.role, expected[visit.id] ?? .observer) }
      let list = Dictionary(uniqueKeysWithValues: told.list.map { ($0.id, $0.role) })
      #expect(list == expected, "seed \(seed)")
    }
  }
}
