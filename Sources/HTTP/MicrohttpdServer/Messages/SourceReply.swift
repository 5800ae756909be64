import CFusionMicrohttpd
import FusionHTTPMessages

extension Reply {
  /// What one answer reads at a time, and keeps until it is sent.
  private static let step = 16_384

  /// An answer whose body is a part of a source, read as the peer takes it.
  ///
  /// Where the source has no more, the connection ends, so that the peer knows that a part is missing. `cut` is
  /// called for that: the library closes such a connection when it has something to do the next time.
  static func reading(
    _ source: any BodySource,
    _ part: Range<Int>,
    cut: @escaping @Sendable () -> Void
  ) -> Reply? {
    guard !part.isEmpty else { return Reply([]) }
    let context = unsafe Unmanaged.passRetained(SourcePart(source, part, cut: cut))
    let handle = unsafe MHD_create_response_from_callback(
      UInt64(part.count),
      min(step, part.count),
      readSource,
      context.toOpaque(),
      releaseSource
    )
    guard let handle = unsafe handle else {
      unsafe context.release()
      return nil
    }
    return unsafe Reply(handle)
  }
}

/// What a response's callbacks are given.
private final class SourcePart: Sendable {
  private let source: any BodySource
  private let part: Range<Int>
  private let cut: @Sendable () -> Void

  init(_ source: any BodySource, _ part: Range<Int>, cut: @escaping @Sendable () -> Void) {
    self.source = source
    self.part = part
    self.cut = cut
  }

  /// Fills a buffer from `place` on, counted from the beginning of the part; returns how many bytes it has, or
  /// what of the library's stands for a failure.
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

/// MHD_ContentReaderCallback; the library holds the response's mutex, which no code of ours takes.
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

/// MHD_ContentReaderFreeCallback.
private func releaseSource(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<SourcePart>.fromOpaque(context).release()
}
