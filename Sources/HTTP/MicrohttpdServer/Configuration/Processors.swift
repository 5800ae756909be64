import CFusionMicrohttpd
import Glibc

/// Returns the number of processors that this process may use: those in its affinity mask
/// (sched_setaffinity(2)), or the time limit of its control groups, if that is less.
///
/// Rounds a fraction up: an extra thread costs less than an idle processor.
func availableProcessors() -> Int {
  let quota = CPUQuota(ofProcess: "/proc/self/cgroup", under: "/sys/fs/cgroup") { path in
    textOfFile(path)
  }
  let allowed = allowedProcessors()
  guard let limit = quota.processors else { return allowed }
  return max(1, min(allowed, Int(limit.rounded(.up))))
}

private func allowedProcessors() -> Int {
  // One bit for each processor; more than Linux supports (8,192).
  var mask = [UInt](repeating: 0, count: 256)
  let size = mask.count * MemoryLayout<UInt>.size
  let result = unsafe mask.withUnsafeMutableBytes { bytes in
    guard let start = bytes.baseAddress else { return Int32(-1) }
    return unsafe sched_getaffinity(0, size, start.assumingMemoryBound(to: cpu_set_t.self))
  }
  guard result == 0 else { return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
  return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount })
}

/// Returns the text of a short kernel file; nil if it cannot be read.
private func textOfFile(_ path: String) -> String? {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = unsafe read(file, &bytes, bytes.count)
  return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

/// The processor time that a process's control groups allow it (cgroups(7)).
struct CPUQuota {
  /// The limit in processors; nil if there is none.
  private(set) var processors: Double?

  /// Reads the lowest limit of a process's groups: see ``ControlGroup/all(of:inProcess:under:read:)``.
  init(ofProcess list: String, under root: String, read: (String) -> String?) {
    for group in ControlGroup.all(of: "cpu", inProcess: list, under: root, read: read) {
      let limit =
        group.isUnified
        ? unifiedLimit(read("\(group.folder)/cpu.max")) : legacyLimit(group.folder, read)
      if let limit { processors = min(processors ?? limit, limit) }
    }
  }
}

/// Reads version 2's file: `quota period`, in microseconds, or `max period`.
private func unifiedLimit(_ text: String?) -> Double? {
  let numbers = (text ?? "").split { $0 == " " || $0 == "\n" }.map { Double($0) }
  guard numbers.count == 2 else { return nil }
  return ratio(numbers[0], numbers[1])
}

/// Reads version 1's two files; a quota of -1 is no limit.
private func legacyLimit(_ folder: String, _ read: (String) -> String?) -> Double? {
  func number(_ name: String) -> Double? {
    read("\(folder)/\(name)")?.split(separator: "\n").first.flatMap { Double($0) }
  }
  return ratio(number("cpu.cfs_quota_us"), number("cpu.cfs_period_us"))
}

private func ratio(_ quota: Double?, _ period: Double?) -> Double? {
  guard let quota, let period, quota > 0, period > 0 else { return nil }
  return quota / period
}
