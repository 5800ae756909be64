import FoundationEssentials
import FusionMicrohttpdServer

/// The memory limit of a process's control groups (cgroups(7)): a process beyond it is killed.
struct MemoryLimit {
  /// The limit; nil if there is none.
  private(set) var bytes: Int?
  /// The group that has the limit.
  private var group: ControlGroup?

  /// The limit of this process.
  static var own: MemoryLimit {
    MemoryLimit(ofProcess: "/proc/self/cgroup", under: "/sys/fs/cgroup", read: text(ofFile:))
  }

  /// Returns the text of a file; nil if the file cannot be read.
  static func text(ofFile path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// The most bytes of the front end's files that are held in memory.
  var filesLimit: Int { min(bytes.map { $0 / 8 } ?? .max, 64 << 20) }

  /// Reads the lowest limit of a process's groups: see ``ControlGroup/all(of:inProcess:under:read:)``.
  init(ofProcess list: String, under root: String, read: (String) -> String?) {
    for group in ControlGroup.all(of: "memory", inProcess: list, under: root, read: read) {
      let file = group.isUnified ? "memory.max" : "memory.limit_in_bytes"
      if lower(to: read("\(group.folder)/\(file)")) { self.group = group }
    }
  }

  /// Returns the bytes in use by all processes of the group, socket buffers included and the page cache not;
  /// nil if there is no limit, or the use cannot be read.
  func used(read: (String) -> String?) -> Int? {
    func number(_ text: some StringProtocol) -> Int? { Int(text.prefix { $0.isNumber }) }
    guard let group else { return nil }
    let file = group.isUnified ? "memory.current" : "memory.usage_in_bytes"
    guard let total = read("\(group.folder)/\(file)").flatMap(number) else { return nil }
    let prefix = group.isUnified ? "" : "total_"
    let statistics = (read("\(group.folder)/memory.stat") ?? "").split(separator: "\n")
    let files = ["inactive_file ", "active_file "].map { name in
      statistics.first { $0.hasPrefix(prefix + name) }
        .flatMap { number($0.dropFirst(prefix.count + name.count)) }
    }
    return total - files.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Lowers the limit to the one in a file; version 2 writes `max` for none, version 1 a number near 2^63.
  private mutating func lower(to text: String?) -> Bool {
    let number = text?.split(separator: "\n").first.flatMap { Int($0) }
    guard let number, number > 0, number < bytes ?? 1 << 60 else { return false }
    bytes = number
    return true
  }
}

extension Configuration {
  /// Returns the configuration with limits that fit a memory limit: a quarter is for connections, a quarter for
  /// sessions, and beyond three quarters work that needs more is refused.
  func fitting(_ memory: MemoryLimit) -> Configuration {
    guard let quarter = memory.bytes.map({ $0 / 4 }) else { return self }
    var configuration = self
    configuration.maxMemory = quarter * 3
    configuration.maxConnections = min(maxConnections, max(64, quarter / Self.connectionBytes))
    configuration.maxStreams = min(maxStreams, configuration.maxConnections / 2)
    configuration.maxSessions = min(maxSessions, max(64, quarter / Self.sessionBytes))
    return configuration
  }

  /// The memory of a connection: 9 KiB idle, 11 with a stream; the rest is for data in transit.
  private static var connectionBytes: Int { 16 << 10 }
  /// The memory of a session: one with a small State takes 3 KiB.
  private static var sessionBytes: Int { 4 << 10 }
}
