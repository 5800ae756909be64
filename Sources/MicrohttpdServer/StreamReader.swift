import HTTPMessages

/// Cuts a stream's steps to the size of the library's buffers.
///
/// Belongs to one connection and is only used on that connection's thread.
struct StreamReader {
  let stream: any BodyStream
  private var chunk: [UInt8] = []
  private var offset = 0
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
      if offset < chunk.count {
        count += unsafe copy(into: buffer, at: count)
        continue
      }
      // An idle stream shall hold no chunk.
      if !chunk.isEmpty {
        chunk = []
        offset = 0
      }
      if isEnding { isFinished = true }
      if isFinished { return count > 0 ? .wrote(count) : .finished }
      switch stream.next() {
      case .bytes(let bytes): chunk = bytes
      case .idle: return count > 0 ? .wrote(count) : .idle
      case .finished: isFinished = true
      }
    }
    return .wrote(count)
  }

  private mutating func copy(into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
    let count = min(chunk.count - offset, buffer.count - start)
    unsafe chunk.withUnsafeBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: rest)
    }
    offset += count
    return count
  }
}
