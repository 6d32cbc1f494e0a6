import { COLLECTORS } from '../collectors/all.ts'
import type { PartResult } from '../collectors/pipeline.ts'
import { runRegion } from '../collectors/run.ts'
import { collectState } from '../collectors/us-local/collect-state.ts'
import { COLLECTED_STATES } from '../collectors/us-local/sources.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { COLLECTED_IDS } from '../src/platform/regions.ts'

/** What a run of a source would do, why it would do nothing, and what a person has to do; null: nothing. */
type SourceTried = {
  region: string
  part: string
  source: string | null
  would: string
  why: string | null
  to_do: string | null
}

type Options = { now: Date; addresses: Readonly<Record<string, string | undefined>> }

/** Reads every source of every collector in a dry run, one after the other. Nothing is written. */
export async function readEverySource(
  env: Pick<Bindings, 'DB' | 'KV'>,
  { now, addresses }: Options,
): Promise<SourceTried[]> {
  const rows: SourceTried[] = []
  for (const region of COLLECTED_IDS) {
    if (region === 'US-LOCAL') continue
    const { parts } = await runRegion(env, COLLECTORS[region], { now, addresses, dry_run: true })
    rows.push(...parts.map((part) => triedPart(region, part)))
  }
  for (const state of COLLECTED_STATES) rows.push(await triedState(env, state, { now, addresses }))
  return rows
}

function triedPart(region: string, { part, source, outcome, differs, ...result }: PartResult): SourceTried {
  const { confirmed, changed, held, error } = result
  const counted = `confirm ${confirmed}, change ${changed}, hold ${held}`
  const accept = `look, then npm run collect -- ${region} --accept`
  const row = { region, part, source, why: error }
  if (outcome === 'failed')
    return { ...row, would: 'nothing', to_do: 'see whether the address moved, or set its SOURCE_ variable' }
  if (differs === 'shape')
    return {
      ...row,
      would: `${counted}; not all is read`,
      to_do: 'the document has a new shape: correct the reader, or read a copy by its SOURCE_ variable',
    }
  if (differs === 'content') return { ...row, would: 'nothing', to_do: accept }
  if (held > 0) return { ...row, would: counted, to_do: `wait for the second day, or ${accept}` }
  return { ...row, would: counted, to_do: null }
}

async function triedState(
  env: Pick<Bindings, 'DB' | 'KV'>,
  state: string,
  { now, addresses }: Options,
): Promise<SourceTried> {
  const options = { now, addresses, boundaries: false, accept: false, dry_run: true, eager: true }
  const { reading } = await collectState(env, state, options)
  const { changes, faults } = reading
  const failed = faults.some(({ outcome }) => outcome === 'failed')
  return {
    region: 'US-LOCAL',
    part: state,
    source: reading.documents.map(({ url }) => url).join(' ') || null,
    would: faults.length > 0 ? 'nothing' : `change ${changes.length}`,
    why: faults.length > 0 ? faults.map(({ error }) => error).join('; ') : null,
    to_do:
      faults.length === 0
        ? null
        : failed
          ? 'see whether the address moved, or set its SOURCE_ variable'
          : `look, then npm run collect -- US-LOCAL ${state} --accept`,
  }
}

const WHY_MAX = 100

/** The rows as a table of text. Long reasons are cut: `--json` has them whole. */
export function tableOf(rows: readonly SourceTried[]): string {
  const cells = rows.map(({ region, part, would, why, to_do }) => [
    region,
    part,
    would,
    (why ?? '').slice(0, WHY_MAX),
    to_do ?? '',
  ])
  const all = [['Region', 'Part', 'A run would', 'Why', 'What to do'], ...cells]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
