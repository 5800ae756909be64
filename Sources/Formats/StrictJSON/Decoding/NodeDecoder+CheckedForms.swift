#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NodeDecoder {
  /// Checks the value for a type that must not decode just any; nil needs no check.
  ///
  /// - Throws: the mismatch.
  func check(_ form: CheckedForm?) throws {
    let value = JSONValue(document: document, index: index)
    switch form {
    case .characterSet where !isCharacterSet(value):
      throw mismatch("a set of characters as its bitmap")
    case .indexSet where !isIndexSet(value): throw mismatch("ranges of indexes from 0")
    case .urlComponents where !isURLComponents(value):
      throw mismatch("components of a URL with a valid scheme and port")
    default: break
    }
  }

  /// Returns whether there are 8,192 bytes for the first plane of Unicode, and as many after the number of each
  /// further one.
  private func isCharacterSet(_ value: JSONValue) -> Bool {
    let size = 8192
    guard let text = value["bitmap"]?.string, let bitmap = Data(base64Encoded: text),
      bitmap.count >= size, (bitmap.count - size) % (size + 1) == 0
    else { return false }
    let planes = stride(from: size, to: bitmap.count, by: size + 1).map {
      bitmap[bitmap.startIndex + $0]
    }
    return planes.allSatisfy { (1...16).contains($0) } && Set(planes).count == planes.count
  }

  private func isIndexSet(_ value: JSONValue) -> Bool {
    guard let ranges = value["indexes"], ranges.kind == .array else { return false }
    return ranges.elements.allSatisfy { range in
      guard let location = range["location"].flatMap(integer),
        let length = range["length"].flatMap(integer), location >= 0, length >= 0
      else { return false }
      // The greatest integer stands for "not found".
      let (end, isTooLarge) = location.addingReportingOverflow(length)
      return !isTooLarge && end < Int.max
    }
  }

  /// Returns whether the scheme is one by RFC 3986 section 3.1, and the port is not negative.
  private func isURLComponents(_ value: JSONValue) -> Bool {
    if let scheme = value["scheme"]?.string {
      guard let first = scheme.utf8.first, isLetter(first),
        scheme.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
      else { return false }
    }
    guard let port = value["port"], port.kind == .number else { return true }
    return integer(port).map { $0 >= 0 } ?? false
  }

  private func integer(_ value: JSONValue) -> Int? { try? value.decode(Int.self) }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
