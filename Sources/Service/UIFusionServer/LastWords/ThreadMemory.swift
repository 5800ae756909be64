import Glibc
import UIFusionKit

/// The memory of each thread for its note, and for the stack on which its signals are handled.
enum ThreadMemory {
  /// The size of that stack: the thread's own may be used up.
  private static let stackSize = 64 << 10

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // Called with the note of a thread that ends.
    pthread_key_create(&key) { note in
      var stack = stack_t()
      stack.ss_flags = Int32(SS_DISABLE)
      var old = stack_t()
      if sigaltstack(&stack, &old) == 0, old.ss_sp == note.map({ $0 - ThreadMemory.stackSize }) {
        munmap(old.ss_sp, ThreadMemory.stackSize + ThreadMemory.noteSize)
      }
    }
    return key
  }()

  private static let noteSize = 4_096

  /// The note of the calling thread; nil where there is no memory for it.
  static var current: UnsafeMutablePointer<ThreadNote>? {
    existing ?? make()
  }

  /// The note of the calling thread; nil if it has made none.
  static var existing: UnsafeMutablePointer<ThreadNote>? {
    pthread_getspecific(key)?.assumingMemoryBound(to: ThreadNote.self)
  }

  /// Maps a stack for signals with the note above it, once for each thread.
  private static func make() -> UnsafeMutablePointer<ThreadNote>? {
    let memory = mmap(
      nil,
      stackSize + noteSize,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let memory, memory != MAP_FAILED else { return nil }
    var old = stack_t()
    // A sanitizer may have set one.
    if sigaltstack(nil, &old) == 0, old.ss_flags & Int32(SS_DISABLE) != 0 {
      var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: stackSize)
      sigaltstack(&stack, nil)
    }
    let note = (memory + stackSize).bindMemory(to: ThreadNote.self, capacity: 1)
    note.initialize(to: ThreadNote())
    guard pthread_setspecific(key, note) == 0 else { return nil }
    return note
  }
}
