import FusionSimulation
import Glibc

// Without this, the order of a Set or Dictionary, and with it a seed's schedule, would differ between
// processes.
if getenv("SWIFT_DETERMINISTIC_HASHING").map({ String(cString: $0) }) != "1" {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
}

do {
  exit(try Simulate(CommandLine.arguments.dropFirst()).run() ? 0 : 1)
} catch {
  print(error)
  exit(2)
}
