import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { fromBase64, toBase64 } from '../../../src/platform/kit/base64.ts'
import { csvOf, csvParts } from '../../../src/platform/kit/csv.ts'
import { streamParts } from '../../../src/platform/kit/stream-parts.ts'
import { mapInTurns } from '../../../src/platform/kit/map-in-turns.ts'

/** Counts the turns that other work of the isolate has while `work` goes on. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const other = (async () => {
    while (!over) {
      await scheduler.wait(0)
      turns += 1
    }
  })()
  await work
  over = true
  await other
  return turns
}

it('lets others have a turn between the parts of a file', async () => {
  const parts = function* () {
    for (let part = 0; part < 20; part += 1) yield 'a part, '
  }
  const turns = await turnsDuring(new Response(streamParts(parts())).text())
  expect(turns).toBeGreaterThanOrEqual(20)
})

it('ends a file whose part fails, and logs why', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const parts = function* () {
    yield 'a part, '
    throw new Error('no more rows')
  }
  await expect(new Response(streamParts(parts())).text()).rejects.toThrow('no more rows')
  expect(logged.mock.calls.join()).toContain('send a file')
  logged.mockRestore()
})

it('lets others have a turn among the rows of a file', async () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => row)
  let made: number[] = []
  const turns = await turnsDuring(
    mapInTurns(rows, (row) => row + 1).then((each) => {
      made = each
    }),
  )
  expect(made).toEqual(rows.map((row) => row + 1))
  expect(turns).toBeGreaterThanOrEqual(9)
})

it('writes the same file in parts as at once, whatever it has', () => {
  for (const length of [0, 1, 99, 100, 101, 250]) {
    const rows = Array.from({ length }, (_, row) => ({ row, text: `=${row}`, empty: null }))
    const columns = ['row', 'text', 'empty']
    expect([...csvParts(columns, rows)].join('')).toBe(csvOf(columns, rows, true))
  }
})

it('writes bytes in base64 that read as the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64(bytes)
      expect(text).toBe(btoa(String.fromCharCode(...bytes)))
      expect(fromBase64(text)).toEqual(new Uint8Array(bytes))
    }),
  )
})
