import Glibc

/// How many processors this process may use.
func processors() -> Int {
  max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
