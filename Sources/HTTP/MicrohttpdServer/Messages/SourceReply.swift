import CFusionMicrohttpd
import FusionHTTPMessages

extension Reply {
  /// The number of bytes that one response reads at a time, and keeps until they are sent.
  private static let step = 16_384

  /// Returns a response whose body is a part of a source, read as the peer reads it.
  ///
  /// If the source ends early, the connection is closed, so that the peer notices the missing part. The
  /// library closes such a connection only when it next handles it (``FailedResponse``), which `cut` must
  /// cause.
  static func reading(
    _ source: any BodySource,
    _ part: Range<Int>,
    cut: @escaping @Sendable () -> Void
  ) -> Reply? {
    guard !part.isEmpty else { return Reply([]) }
    return unsafe Reply(
      count: part.count,
      buffer: min(step, part.count),
      context: SourcePart(source, part, cut: cut),
      read: readSource,
      release: releaseObject
    )
  }
}

/// The context of a response's callbacks.
private final class SourcePart: Sendable {
  private let source: any BodySource
  private let part: Range<Int>
  private let cut: @Sendable () -> Void

  init(_ source: any BodySource, _ part: Range<Int>, cut: @escaping @Sendable () -> Void) {
    self.source = source
    self.part = part
    self.cut = cut
  }

  /// Fills a buffer from `place` on, counted from the beginning of the part.
  ///
  /// Returns the number of bytes, or the library's code for a failure.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
    let count = min(buffer.count, part.count - place)
    guard count > 0 else { return cmhd_end_with_error }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    let read = unsafe source.read(from: part.lowerBound + place, into: room)
    guard read > 0 else {
      cut()
      return cmhd_end_with_error
    }
    return read
  }
}

/// MHD_ContentReaderCallback; the library holds the response's mutex, which no code here takes.
private func readSource(
  _ context: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let context = unsafe context else { return cmhd_end_with_error }
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return unsafe Unmanaged<SourcePart>.fromOpaque(context)._withUnsafeGuaranteedRef {
    unsafe $0.fill(buffer, from: Int(position))
  }
}
