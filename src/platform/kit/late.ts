import { onForget } from './memory.ts'

/**
 * A module that a start does not evaluate. `load` evaluates it at its first use, and keeps it. `held` returns
 * it without a promise if it was loaded; else null.
 */
export type Late<Module> = { load: () => Promise<Module>; held: () => Module | null }

const evaluations: (() => Promise<unknown>)[] = []

/** `evaluate` imports a path that is written there, because the build makes a module of it. */
export function late<Module>(evaluate: () => Promise<Module>): Late<Module> {
  let evaluated: Module | null = null
  let held: Module | null = null
  onForget(() => {
    held = null
  })
  const atHand = async () => (evaluated ??= await evaluate())
  evaluations.push(atHand)
  return {
    load: async () => (held = await atHand()),
    held: () => held,
  }
}

/**
 * Evaluates all late modules, but holds none. For tests: their pool gives requests that import a module at
 * the same time one promise, and the Worker cancels a request that waits for the promise of another.
 */
export async function evaluateLate(): Promise<void> {
  await Promise.all(evaluations.map((atHand) => atHand()))
}
