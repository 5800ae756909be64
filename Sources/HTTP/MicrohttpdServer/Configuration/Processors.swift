import CFusionMicrohttpd
import Glibc

/// How many processors this process may use: those that it may run on (sched_setaffinity(2)), or as many as
/// its control groups give it time for, where that is less.
///
/// A part of a processor counts as one: a thread more than there is time for costs less than a processor
/// that is left idle.
func processors() -> Int {
  let quota = CPUQuota(ofProcess: "/proc/self/cgroup", under: "/sys/fs/cgroup") { path in
    textOfFile(path)
  }
  let allowed = allowedProcessors()
  guard let limit = quota.processors else { return allowed }
  return max(1, min(allowed, Int(limit.rounded(.up))))
}

private func allowedProcessors() -> Int {
  // A bit for each processor: room for more than Linux has (8,192).
  var mask = [UInt](repeating: 0, count: 256)
  let size = mask.count * MemoryLayout<UInt>.size
  let result = unsafe mask.withUnsafeMutableBytes { bytes in
    guard let start = bytes.baseAddress else { return Int32(-1) }
    return unsafe sched_getaffinity(0, size, start.assumingMemoryBound(to: cpu_set_t.self))
  }
  guard result == 0 else { return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
  return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount })
}

/// A short file of the kernel's; nil where it cannot be read.
private func textOfFile(_ path: String) -> String? {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = unsafe read(file, &bytes, bytes.count)
  return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}
