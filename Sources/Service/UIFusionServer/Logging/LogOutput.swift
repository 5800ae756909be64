import Dispatch
import Glibc
import Synchronization

/// Where the lines of the log go: into a buffer of bounded size, which a thread of its own writes to a
/// descriptor.
///
/// So nobody who logs waits for who reads. From the first line that does not fit until there is room
/// again, lines are left out; one line in their place says how many.
final class LogOutput: Sendable {
  private struct Buffer {
    /// Whole lines that wait to be written.
    var lines: [UInt8] = []
    /// Bytes on their way to the descriptor, which count against the capacity, too.
    var writing = 0
    /// Lines that were left out and are not told of yet.
    var lost = 0
    var hasWriter = false
  }

  let format: LogFormat
  private let descriptor: Int32
  /// In bytes.
  private let capacity: Int
  private let buffer = Mutex(Buffer())
  private let queue = DispatchQueue(label: "log")

  /// The descriptor has to stay open.
  init(_ descriptor: Int32, _ format: LogFormat, capacity: Int = 1 << 20) {
    self.descriptor = descriptor
    self.format = format
    self.capacity = capacity
  }

  /// Any thread; returns at once.
  func write(_ line: [UInt8]) {
    let needsWriter = buffer.withLock { buffer in
      if buffer.lost > 0 || buffer.writing + buffer.lines.count + line.count > capacity {
        buffer.lost += 1
      } else {
        buffer.lines += line
      }
      defer { buffer.hasWriter = true }
      return !buffer.hasWriter
    }
    if needsWriter { queue.async { self.writeAll() } }
  }

  /// Waits until what was handed over before is written, or the time is over.
  func flush(within limit: DispatchTimeInterval = .seconds(1)) {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + limit)
  }

  private func writeAll() {
    while let lines = nextLines() { writeWhole(lines, to: descriptor) }
  }

  /// What waits, and what there is to say of lines that were left out; nil where that is nothing.
  private func nextLines() -> [UInt8]? {
    buffer.withLock { buffer in
      if buffer.lost > 0 {
        buffer.lines += format.line(
          .warning,
          "lines were left out of the log: nobody read it",
          [("lines", "\(buffer.lost)")]
        )
      }
      buffer.lost = 0
      let lines = buffer.lines
      buffer.lines = []
      buffer.writing = lines.count
      buffer.hasWriter = !lines.isEmpty
      return lines.isEmpty ? nil : lines
    }
  }
}

/// Blocks while nobody reads; gives up where nobody ever will.
private func writeWhole(_ bytes: [UInt8], to descriptor: Int32) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest.removeFirst(count)
    } else if errno == EAGAIN {
      // Whoever shares the descriptor has made it not block.
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return
    }
  }
}
