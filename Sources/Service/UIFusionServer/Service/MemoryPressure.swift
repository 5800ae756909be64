/// How much of the memory that a service may have is in use, and what follows from it.
struct MemoryPressure {
  /// In bytes.
  let limit: Int
  /// Sessions should not stay awake for nothing: from two thirds of the limit on, until it is half.
  private(set) var isHigh = false
  /// What takes more memory is to be refused: from the limit on, until it is seven eighths.
  private(set) var isFull = false

  init(limit: Int) {
    self.limit = limit
  }

  mutating func update(used: Int) {
    isHigh = used > (isHigh ? limit / 2 : limit / 3 * 2)
    isFull = used > (isFull ? limit / 8 * 7 : limit)
  }
}
