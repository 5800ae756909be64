import FoundationEssentials

/// How much memory a process's control groups give it (cgroups(7)): beyond it the process is killed.
struct MemoryLimit {
  /// Nil where nothing is limited.
  private(set) var bytes: Int?
  /// The folder of the group whose limit that is.
  private var folder = ""
  private var isUnified = false

  /// That of this process.
  static var own: MemoryLimit {
    MemoryLimit(ofProcess: "/proc/self/cgroup", under: "/sys/fs/cgroup", read: text(ofFile:))
  }

  /// That of a file; nil where it cannot be read.
  static func text(ofFile path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// How many bytes may be held of the front end's files.
  var filesLimit: Int { min(bytes.map { $0 / 8 } ?? .max, 64 << 20) }

  /// - Parameters:
  ///   - list: the file with a line for each hierarchy, `number:controllers:group`.
  ///   - root: where the hierarchies are mounted.
  ///   - read: gives a file's text, or nil.
  init(ofProcess list: String, under root: String, read: (String) -> String?) {
    for line in (read(list) ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isUnified = parts[0] == "0" && parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("memory") else { continue }
      // A group's limit is for all below it. A container sees its own group as the root.
      for group in groups(above: parts[2]) {
        let folder = isUnified ? "\(root)\(group)" : "\(root)/memory\(group)"
        let file = isUnified ? "memory.max" : "memory.limit_in_bytes"
        if lower(to: read("\(folder)/\(file)")) {
          (self.folder, self.isUnified) = (folder, isUnified)
        }
      }
    }
  }

  /// How much of it is in use, by all processes of the group: buffers of sockets too, but not the system's
  /// copies of files; nil where nothing is limited, or that cannot be read.
  func used(read: (String) -> String?) -> Int? {
    func number(_ text: some StringProtocol) -> Int? { Int(text.prefix { $0.isNumber }) }
    guard bytes != nil,
      let total = read("\(folder)/memory.\(isUnified ? "current" : "usage_in_bytes")").flatMap(
        number
      )
    else { return nil }
    let prefix = isUnified ? "" : "total_"
    let statistics = (read("\(folder)/memory.stat") ?? "").split(separator: "\n")
    let files = ["inactive_file ", "active_file "].map { name in
      statistics.first { $0.hasPrefix(prefix + name) }
        .flatMap { number($0.dropFirst(prefix.count + name.count)) }
    }
    return total - files.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Version 2 writes `max` where there is no limit, version 1 about as much as there are addresses.
  private mutating func lower(to text: String?) -> Bool {
    let number = text?.split(separator: "\n").first.flatMap { Int($0) }
    guard let number, number > 0, number < bytes ?? 1 << 60 else { return false }
    bytes = number
    return true
  }

  /// `/a/b` is below `/a` and the root, which is written as nothing.
  private func groups(above group: Substring) -> [String] {
    group.split(separator: "/").reduce(into: [""]) { $0.append("\($0[$0.count - 1])/\($1)") }
  }
}

extension Configuration {
  /// Lowers the limits to what fits into so much memory: a quarter is for connections, another one for
  /// sessions, and beyond three nothing is taken that needs more.
  func fitting(_ memory: MemoryLimit) -> Configuration {
    guard let quarter = memory.bytes.map({ $0 / 4 }) else { return self }
    var configuration = self
    configuration.maxMemory = quarter * 3
    configuration.maxConnections = min(maxConnections, max(64, quarter / Self.connectionBytes))
    configuration.maxStreams = min(maxStreams, configuration.maxConnections / 2)
    configuration.maxSessions = min(maxSessions, max(64, quarter / Self.sessionBytes))
    return configuration
  }

  /// An idle connection takes 9 KiB, one with a stream 11; the rest is for what is on its way.
  private static var connectionBytes: Int { 16 << 10 }
  /// A session with a small State takes 3 KiB.
  private static var sessionBytes: Int { 4 << 10 }
}
