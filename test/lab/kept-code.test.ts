import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The functions of the engine by name. */
function functionsOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/^(?:export )?function (\w+)/gm),
    ])
    .map(([, name = '']) => name)
}

/**
 * V8 forgets the shape of objects of which none is alive, and with it all code that was optimised for that
 * shape. Between two requests no object of a sale is alive, so an object that gets its fields one by one, or
 * by a spread, costs all code that reads it.
 */
it('keeps the optimised code of the engine when garbage is collected between two sales', () => {
  const facts = join(mkdtempSync(join(tmpdir(), 'facts-')), 'facts.json')
  writeFileSync(facts, JSON.stringify(readFacts()))
  const trace = execFileSync(
    process.execPath,
    [
      '--expose-gc',
      '--trace-deopt',
      '--no-concurrent-recompilation',
      join(ROOT, 'test/support/calculate-and-collect.ts'),
      facts,
    ],
    { encoding: 'utf8', maxBuffer: 100_000_000 },
  )
  const discarded = [...trace.matchAll(/SharedFunctionInfo ([^>\s]+)>.*embedded weak objects cleared/g)]
    .map(([, name = '']) => name)
    .toSorted()
  // It reads what zod made of the body, so the trace was read.
  expect(discarded).toEqual(expect.arrayContaining(['askedCalculation']))
  const engine = new Set(functionsOf('src/engine'))
  expect(engine.size).toBeGreaterThan(300)
  expect(discarded.filter((name) => engine.has(name))).toEqual([])
})
