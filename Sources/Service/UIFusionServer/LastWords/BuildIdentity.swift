import FusionKeyedDigest
import Glibc
import Synchronization

/// The identity of this build of the program: the digest of its executable file.
enum BuildIdentity {
  private static let executable = "/proc/self/exe"
  private static let text = Mutex<String?>(nil)

  /// Reads the whole file the first time, which takes a moment.
  static var current: String {
    text.withLock { text in
      if let text { return text }
      let new = digest(ofFile: executable)
      text = new
      return new
    }
  }

  /// Returns the digest of a file in hexadecimal; of what can be read.
  private static func digest(ofFile path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    var digest: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while file >= 0 {
      let count = read(file, &block, block.count)
      guard count > 0 else { break }
      digest = KeyedDigest.hash(digest + block[..<count])
    }
    return digest.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }
}
