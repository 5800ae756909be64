/// A temporary fault of the disk.
package enum Fault: Sendable, Equatable {
  case writesFail(percent: Int)
  case diskIsFull(percent: Int)
  case syncsFail(percent: Int)
  /// Syncs that hang until the fault is over.
  case syncsHang
  case writesHang
  case syncsAreSlow
  /// Files may grow by this number of bytes only.
  case spaceIsShort(bytes: Int)
  case truncatesFail
  /// The shared memory of the write-ahead log cannot be mapped.
  case mapsFail

  package static func random(using generator: inout Generator) -> Fault {
    let percent = [10, 40, 100].randomElement(using: &generator) ?? 100
    let all: [Fault] = [
      .writesFail(percent: percent), .diskIsFull(percent: percent), .syncsFail(percent: percent),
      .syncsHang, .writesHang, .syncsAreSlow,
      .spaceIsShort(bytes: .random(in: 0...100_000, using: &generator)), .truncatesFail, .mapsFail,
    ]
    return random(of: all, using: &generator)
  }

  package static func random(of faults: [Fault], using generator: inout Generator) -> Fault {
    faults.randomElement(using: &generator) ?? .syncsHang
  }
}
