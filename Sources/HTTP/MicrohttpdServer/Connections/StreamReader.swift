import FusionHTTPMessages

/// Cuts a stream's steps to the size of the library's buffers.
///
/// Belongs to one connection and is only used on that connection's thread.
struct StreamReader {
  let stream: any BodyStream
  private var rest: ArraySlice<UInt8> = []
  private var isFinished = false

  enum Outcome: Equatable {
    case wrote(Int)
    /// Nothing was written, and there is nothing to write for now.
    case idle
    case finished
  }

  init(_ stream: any BodyStream) {
    self.stream = stream
  }

  /// Fills `buffer` with as many steps as fit; what does not fit of the last one is kept.
  ///
  /// Once `isEnding` no step is asked for any more: what has begun is completed, then all ends.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, isEnding: Bool) -> Outcome {
    var count = 0
    while count < buffer.count {
      if !rest.isEmpty {
        count += unsafe copy(into: buffer, at: count)
        continue
      }
      // An idle stream shall hold no chunk.
      rest = []
      if isEnding, !isFinished {
        isFinished = true
        rest = stream.conclusion()?.content ?? []
        if !rest.isEmpty { continue }
      }
      if isFinished { return count > 0 ? .wrote(count) : .finished }
      switch stream.next() {
      case .chunk(let chunk): rest = chunk.content
      case .idle: return count > 0 ? .wrote(count) : .idle
      case .finished: isFinished = true
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
