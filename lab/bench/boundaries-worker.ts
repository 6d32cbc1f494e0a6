import { BoundaryReader } from '../../collectors/us-local/boundary-file.ts'
import type { RatedCode } from '../../collectors/us-local/stacks-of-file.ts'
import { unzip } from '../../collectors/us-local/unzip.ts'

/** Reads the boundary file in the body of a request, as the collector does, and answers what it found. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.body === null) return new Response('ready')
    return Response.json(await readBoundaries(request.body))
  },
}

export type ReadBoundaries = { rows: number; stacks: number; zips: number; zip3: number; text: number }

export async function readBoundaries(
  pieces: AsyncIterable<Uint8Array>,
  each: () => void = () => undefined,
): Promise<ReadBoundaries> {
  const reader = new BoundaryReader({ state: 'GA', day: '2026-10-01', rated: RATED, city: 'adds', url: 'GA' })
  const decoder = new TextDecoder('latin1')
  for await (const chunk of unzip(pieces, /\.csv$/i, 'GA')) {
    reader.add(decoder.decode(chunk, { stream: true }))
    each()
  }
  const { rows, edition, zip4 } = reader.finish()
  return {
    rows,
    stacks: edition.stacks.length,
    zips: Object.keys(edition.zips).length,
    zip3: Object.keys(zip4).length,
    text: JSON.stringify(zip4).length,
  }
}

const RATED: readonly RatedCode[] = [
  { id: 'US-GA-04000', type: 'city', code: '04000', rate: 19_000 },
  { id: 'US-GA-D-00044', type: 'district', code: '00044', rate: 10_000 },
  ...Array.from({ length: 159 }, (_, index): RatedCode => {
    const code = String(index * 2 + 1).padStart(3, '0')
    return { id: `US-GA-${code}`, type: 'county', code, rate: 30_000 + (index % 3) * 10_000 }
  }),
]
