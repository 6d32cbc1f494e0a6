import { expect, it } from 'vitest'
import { type Step, stepsOf } from '../../lab/simulation/steps.ts'

function firstSteps(seed: number, count: number): Step[] {
  const found: Step[] = []
  for (const step of stepsOf(seed, 3)) if (found.push(step) === count) break
  return found
}

it('makes the same steps of a seed each time, and others of another seed', () => {
  expect(firstSteps(7, 500).slice(0, 100)).toEqual(firstSteps(7, 100))
  expect(firstSteps(8, 100)).not.toEqual(firstSteps(7, 100))
})

it('has each kind of step and a fault of each store in each seed', () => {
  for (const seed of [1, 20_261_129, -5]) {
    const steps = firstSteps(seed, 2_000)
    expect(new Set(steps.map(({ kind }) => kind)).size).toBe(11)
    const stores = new Set(steps.flatMap(({ fault }) => fault?.store ?? []))
    expect([...stores].toSorted()).toEqual(['d1', 'kv', 'mail', 'queue', 'r2'])
    const moves = steps.flatMap((step) => (step.kind === 'move' ? step.to : []))
    expect(new Set(moves)).toEqual(new Set([1, 2]))
  }
})
