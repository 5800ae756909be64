import CFusionMalloc

/// Gives memory back to the system that the allocator keeps for reuse (malloc_trim(3)).
///
/// By itself it does so only at the end of its heap, where something nearly always lies. Takes some
/// milliseconds for each 10 MB: for after many sessions have gone to sleep, and while memory is full.
func releaseFreeMemory() {
  cmalloc_trim()
}
