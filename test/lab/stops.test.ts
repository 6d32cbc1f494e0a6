import { expect, it } from 'vitest'
import { stopsIn } from '../../lab/bench/stops.ts'

const line = (isolate: string, ms: number, kind: string) =>
  `[7:${isolate}:0]    11392 ms: GC: {"pause":${ms},"mutator":3326.43,"gc":"${kind}","reason":"x"}`

it('reads the stops of the busiest isolate from a trace of V8', () => {
  const trace = [
    '{"timestamp":"1795360377213","level":"warn"}',
    line('0x12d4bfca8000', 1.5, 's'),
    '[7:0x12d4bfca8000:0]      104 ms: Memory pool: Removed pages: 0, removed large pages: 0',
    line('0x33f37fb6e000', 17.559, 'mc'),
    line('0x12d4bfca8000', 249.771, 'mc'),
  ].join('\n')
  expect(stopsIn(trace)).toEqual([
    { full: false, ms: 1.5 },
    { full: true, ms: 249.771 },
  ])
})

it('finds no stop in a trace without collections', () => {
  expect(stopsIn('')).toEqual([])
})
