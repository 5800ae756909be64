import CFusionMalloc
import FoundationEssentials
import Glibc

/// Returns this process's memory in bytes (proc_pid_statm(5)); 0 if the system does not tell.
func processMemory() -> (virtual: Double, resident: Double) {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").prefix(2).compactMap { Double($0) }
  guard pages.count == 2 else { return (0, 0) }
  let size = Double(sysconf(Int32(_SC_PAGESIZE)))
  return (pages[0] * size, pages[1] * size)
}

/// Returns free memory of the allocator to the system (malloc_trim(3)).
///
/// The allocator itself does so only at the end of its heap, where something nearly always lies. Takes some
/// milliseconds for each 10 MB: call after many sessions have gone to sleep, and while memory is full.
func releaseFreeMemory() {
  cmalloc_trim()
}
