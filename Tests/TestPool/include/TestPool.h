// Linked into the tests, the pool is in use from their start: there is nothing to call.
