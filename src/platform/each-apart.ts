import { BudgetSpent } from './invocation-budget.ts'

/** More that fail are no exceptions: then the database does not answer. */
const FAILED_MAX = 5

/**
 * Does work for all items at once. If it fails, does it for each half, and so on, so that one that cannot be
 * done stops no other. `failed` is told that one. Throws if that are more than five.
 */
export async function inHalves<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  failed: (item: Item, thrown: unknown) => void,
): Promise<void> {
  let left = FAILED_MAX
  const attempt = async (some: readonly Item[]): Promise<void> => {
    const [first] = some
    if (first === undefined) return
    try {
      return await work(some)
    } catch (thrown) {
      if (thrown instanceof BudgetSpent) throw thrown
      if (some.length === 1) {
        if (left === 0) throw thrown
        left -= 1
        return failed(first, thrown)
      }
    }
    const middle = Math.ceil(some.length / 2)
    await attempt(some.slice(0, middle))
    await attempt(some.slice(middle))
  }
  await attempt(items)
}

/** Does work for one item after the other. One that cannot be done stops no other; `failed` is told. */
export async function eachApart<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  failed: (item: Item, thrown: unknown) => void,
): Promise<void> {
  for (const item of items)
    try {
      await work(item)
    } catch (thrown) {
      if (thrown instanceof BudgetSpent) throw thrown
      failed(item, thrown)
    }
}
