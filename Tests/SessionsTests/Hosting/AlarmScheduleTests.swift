import Testing
import UIFusionKit

@testable import FusionSessions

struct `The alarm schedule` {
  private var schedule = AlarmSchedule()

  private func id(_ number: UInt64) -> SessionID { SessionID(high: 0, low: number) }
  private func at(_ time: Int64) -> WallTime { WallTime(milliseconds: time) }

  @Test mutating func `returns due sessions in order of time, each once`() {
    for number in [3, 1, 2] as [UInt64] { schedule.set(at(Int64(number)), of: id(number)) }
    #expect(schedule.takeDue(at(2), now: .zero) == [id(1), id(2)])
    #expect(schedule.takeDue(at(2), now: .zero) == [])
    #expect(schedule.next == at(3))
  }

  @Test mutating func `lets a session ring only one alarm at a time`() {
    schedule.set(at(1), of: id(1))
    #expect(schedule.takeDue(at(9), now: .zero) == [id(1)])
    schedule.set(at(2), of: id(1))
    #expect(schedule.takeDue(at(9), now: .zero) == [])
    schedule.rang(id(1))
    #expect(schedule.takeDue(at(9), now: .zero) == [id(1)])
    schedule.set(nil, of: id(1))
    schedule.rang(id(1))
    #expect(schedule.count == 0)
  }

  @Test mutating func `does not wait for sessions that take too long`() {
    for number in 0..<100 as Range<UInt64> { schedule.set(at(1), of: id(number)) }
    #expect(schedule.takeDue(at(1), now: .zero).count == AlarmSchedule.limit)
    #expect(schedule.takeDue(at(1), now: .zero) == [])
    schedule.rang(id(0))
    #expect(schedule.takeDue(at(1), now: .zero).count == 1)
    #expect(schedule.takeDue(at(1), now: AlarmSchedule.busyTime).count == 35)
  }

  @Test mutating func `returns a session at once if another of its alarms has the same time`() {
    schedule.set(at(1), of: id(1))
    _ = schedule.takeDue(at(1), now: .zero)
    schedule.set(at(1), of: id(1), hasRung: true)
    schedule.rang(id(1))
    #expect(schedule.takeDue(at(1), now: .zero) == [id(1)])
  }

  @Test mutating func `retries a session that failed to ring in the next second`() {
    schedule.set(at(1), of: id(1))
    _ = schedule.takeDue(at(1), now: .zero)
    schedule.rang(id(1))
    #expect(schedule.takeDue(at(1), now: .zero) == [])
    schedule.retry()
    #expect(schedule.takeDue(at(1), now: .zero) == [id(1)])
  }

  @Test mutating func `releases the memory of removed sessions`() {
    for number in 0..<1_000 as Range<UInt64> { schedule.set(at(5), of: id(number)) }
    for number in 0..<1_000 as Range<UInt64> { schedule.remove(id(number)) }
    #expect(schedule.count == 0)
    #expect(schedule.takeDue(at(9), now: .zero) == [])
    #expect(schedule.next == nil)
  }
}
