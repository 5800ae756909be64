import Glibc
import Testing

@testable import FusionMicrohttpdServer

struct `A waker` {
  private func isReadable(_ waker: Waker) -> Bool {
    var event = pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) == 1
  }

  @Test func `is noticed without a system call by a thread at work`() throws {
    let waker = try #require(Waker())
    waker.wake()
    #expect(!isReadable(waker))
    #expect(!waker.rest())
    waker.look()
    #expect(waker.rest())
  }

  @Test func `wakes a resting thread once`() throws {
    let waker = try #require(Waker())
    #expect(waker.rest())
    waker.wake()
    #expect(isReadable(waker))
    var count: UInt64 = 0
    #expect(read(waker.descriptor, &count, 8) == 8 && count == 1)
    waker.wake()
    #expect(!isReadable(waker))
    #expect(!waker.rest())
  }
}
