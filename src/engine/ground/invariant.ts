/**
 * Our own code or stored data is corrupt. The caller sees a 500 without this text, and nothing is written.
 */
class BrokenInvariant extends Error {}

/**
 * The value, which must exist and must not be false. Corruption in money code must crash: a default would
 * hide it. `what` names what must hold, e.g. `a line has a part`. Throws BrokenInvariant.
 */
export function invariant<T>(value: T | null | undefined | false, what: string): T {
  if (value === null || value === undefined || value === false) throw new BrokenInvariant(`broken: ${what}`)
  return value
}

/** The item of a list at an index that must exist. Throws BrokenInvariant. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  // The sentence is made only if it is needed: each line of a sale asks for several items.
  return item ?? invariant(item, `a list of ${list.length} has an item ${index}`)
}
