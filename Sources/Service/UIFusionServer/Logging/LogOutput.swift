import Dispatch
import Glibc
import Synchronization

/// A bounded buffer of log lines, which a thread of its own writes to a descriptor.
///
/// Logging never waits for the log's reader. Lines that do not fit are dropped; one line in their place tells
/// their number.
final class LogOutput: Sendable {
  private struct Buffer {
    /// The lines that wait to be written.
    var lines: [UInt8] = []
    /// The bytes that are being written; they count against the capacity.
    var writing = 0
    /// The number of dropped lines that no line tells of yet.
    var dropped = 0
    var hasWriter = false
  }

  let format: LogFormat
  private let descriptor: Int32
  /// The size of the buffer in bytes.
  private let capacity: Int
  private let buffer = Mutex(Buffer())
  private let queue = DispatchQueue(label: "log")

  /// Writes to a descriptor, which has to stay open.
  init(_ descriptor: Int32, _ format: LogFormat, capacity: Int = 1 << 20) {
    self.descriptor = descriptor
    self.format = format
    self.capacity = capacity
  }

  /// Queues a line and returns at once; safe on any thread.
  func write(_ line: [UInt8]) {
    let needsWriter = buffer.withLock { buffer in
      if buffer.dropped > 0 || buffer.writing + buffer.lines.count + line.count > capacity {
        buffer.dropped += 1
      } else {
        buffer.lines += line
      }
      defer { buffer.hasWriter = true }
      return !buffer.hasWriter
    }
    if needsWriter { queue.async { self.writeAll() } }
  }

  /// Waits until all queued lines are written, up to a time limit.
  func flush(within limit: DispatchTimeInterval = .seconds(1)) {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + limit)
  }

  private func writeAll() {
    while let lines = nextLines() { writeWhole(lines, to: descriptor) }
  }

  /// Takes the queued lines, with one about dropped lines; nil if there are none.
  private func nextLines() -> [UInt8]? {
    buffer.withLock { buffer in
      if buffer.dropped > 0 {
        buffer.lines += format.line(
          .warning,
          "log lines dropped: the log was not read",
          [("lines", "\(buffer.dropped)")]
        )
      }
      buffer.dropped = 0
      let lines = buffer.lines
      buffer.lines = []
      buffer.writing = lines.count
      buffer.hasWriter = !lines.isEmpty
      return lines.isEmpty ? nil : lines
    }
  }
}

/// Writes all bytes, waiting for the reader; gives up if there is none any more.
private func writeWhole(_ bytes: [UInt8], to descriptor: Int32) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest.removeFirst(count)
    } else if errno == EAGAIN {
      // Another process that shares the descriptor has made it non-blocking.
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return
    }
  }
}
