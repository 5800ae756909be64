import FusionHTTPMessages

/// A stream that the library writes, cut to the size of its buffers: over TLS, or if sockets cannot be taken
/// over.
///
/// Belongs to one connection and is used only on that connection's thread.
struct StreamReader {
  let stream: any BodyStream
  private var rest: ArraySlice<UInt8> = []
  private var isFinished = false
  private var isFailed = false

  enum Outcome: Equatable {
    case wrote(Int)
    /// The stream has nothing to send at present, and nothing was written.
    case idle
    case finished
    /// The body ended before it was complete.
    case failed
  }

  init(_ stream: any BodyStream) {
    self.stream = stream
  }

  /// Fills `buffer` with as many steps as fit; keeps the rest of the last one.
  ///
  /// If `isEnding`, requests no more steps: completes the current one, then the body.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, isEnding: Bool) -> Outcome {
    var count = 0
    while count < buffer.count {
      if !rest.isEmpty {
        count += unsafe copy(into: buffer, at: count)
        continue
      }
      // An idle stream holds no chunk.
      rest = []
      if isEnding, !isFinished, !isFailed {
        isFinished = stream.endsAnywhere
        isFailed = !isFinished
        rest = stream.finalChunk()?.content ?? []
        if !rest.isEmpty { continue }
      }
      if isFailed, count == 0 { return .failed }
      if isFinished || isFailed { return count > 0 ? .wrote(count) : .finished }
      switch stream.next() {
      case .chunk(let chunk): rest = chunk.content
      case .idle: return count > 0 ? .wrote(count) : .idle
      case .finished: isFinished = true
      case .failed: isFailed = true
      }
    }
    return .wrote(count)
  }

  private mutating func copy(into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
    let count = min(rest.count, buffer.count - start)
    unsafe rest.prefix(count).withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: bytes)
    }
    rest = rest.dropFirst(count)
    return count
  }
}
