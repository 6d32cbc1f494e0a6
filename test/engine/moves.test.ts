import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * The moves of a reader who follows one sale through the engine: how often the function that is entered next
 * stands in another file than the one entered before it. Each entry of a named function counts, in the order
 * of time, in the second of two equal calls; a return does not count. A sale that is resolved once and then
 * handed on makes few moves. One that is asked again in each step makes many, and costs time.
 */
const MOVES_MAX = 45

it('walks through few files for one sale', () => {
  const { entries, functions, files, moves, walk } = walkOfSale()
  expect(walk).toMatch(/^ answer\/assess\.ts assessSale/)
  expect(files).toBeGreaterThan(15)
  expect(moves, `${entries} entries, ${functions} functions, ${files} files:${walk}`).toBeLessThanOrEqual(
    MOVES_MAX,
  )
})

type CountedWalk = { entries: number; functions: number; files: number; moves: number; walk: string }

function walkOfSale(): CountedWalk {
  const script = join(import.meta.dirname, 'walk-of-a-sale.ts')
  const printed = execFileSync(process.execPath, ['--no-warnings', script], { encoding: 'utf8' })
  const entered = JSON.parse(printed) as string[]
  const files = entered.map((name) => name.split(' ')[0])
  const moves = files.flatMap((file, index) => (index > 0 && file !== files[index - 1] ? index : []))
  return {
    entries: entered.length,
    functions: new Set(entered).size,
    files: new Set(files).size,
    moves: moves.length,
    walk: entered.map((name, index) => (moves.includes(index) ? `\n${name}` : ` ${name}`)).join(''),
  }
}
