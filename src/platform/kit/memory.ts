const forgetting: (() => void)[] = []

/** Registers how a module empties what it keeps in the memory of this isolate. Returns the given function. */
export function onForget(forget: () => void): () => void {
  forgetting.push(forget)
  return forget
}

/** A map in the memory of this isolate. */
export function heldMap<Key, Value>(): Map<Key, Value> {
  const map = new Map<Key, Value>()
  onForget(() => map.clear())
  return map
}

/** Empties the memory of this isolate, as if it had just started. For tests and benchmarks. */
export function forgetAll(): void {
  for (const forget of forgetting) forget()
}
