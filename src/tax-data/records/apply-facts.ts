import type { ControlDb } from '../../platform/database/databases.ts'
import type { Facts } from '../../engine/book/facts.ts'
import { periodsToClose } from './close-periods.ts'
import { periodOf, type StoredFact, toStored } from './stored-facts.ts'
import { insertFacts, insertVersion, readCurrentFacts, reverifyFacts, supersedeFacts } from './store.ts'

type Applied = {
  /** The new version, or null if no fact changed. */
  version: string | null
  added: number
  changed: number
  /** Ended because they are shipped under another id. */
  retired: number
  /** Given again without a change. */
  confirmed: number
  /** How many confirmed facts got a later time of verification, which a published book does not have yet. */
  reverified: number
}

/** What is written in the same batch, beside the facts. */
type Beside = {
  also?: (applied: Applied) => D1PreparedStatement[]
  retired?: readonly string[]
}

/** Rows per statement: far below the 2 MB that one parameter may have. */
const ROWS_MAX = 1_000

/**
 * Writes shipped or collected facts to the database; there is no other way. New facts are added, changed
 * facts supersede, equal facts are confirmed. Only the last verification is ever overwritten. All of it is
 * one batch; a new version appears only if a fact changed. Facts that are not given stay, but a period ends
 * on the day before the next period of the same subject begins. A fact verified earlier than the stored one
 * is ignored, so shipped data never overwrites newer collected data. `also` returns statements for the same
 * batch: events, and the record of the run. `retired` names facts that are now shipped under another id:
 * they end without a successor of their own.
 */
export async function applyFacts(
  db: ControlDb,
  facts: Facts,
  now: Date,
  reason: string,
  { also = () => [], retired = [] }: Beside = {},
): Promise<Applied> {
  const { statements, applied } = await planFacts(db, facts, now, reason, retired)
  statements.push(...also(applied))
  if (statements.length > 0) await db.batch(statements)
  return applied
}

/** The statements of `applyFacts`, for a caller that has a batch of its own. Reads the current facts. */
export async function planFacts(
  db: ControlDb,
  facts: Facts,
  now: Date,
  reason: string,
  retired: readonly string[] = [],
): Promise<{ statements: D1PreparedStatement[]; applied: Applied }> {
  const recorded_at = now.toISOString()
  const isRetired = new Set(retired)
  const all = await readCurrentFacts(db)
  const gone = all.filter(({ id }) => isRetired.has(id))
  const stored = all.filter(({ id }) => !isRetired.has(id))
  const current = new Map(stored.map((row) => [keyOfRow(row), row]))
  const given = toStored(facts)
  const sorted = sortGiven(current, given)
  const confirmed = given.length - sorted.added.length - sorted.changed.length
  const { added, changed, reverified } = closePeriods(current, sorted, recorded_at)
  const version = added.length + changed.length + gone.length > 0 ? versionOf(recorded_at) : null
  const statements = [
    ...chunks([...changed, ...gone]).flatMap((rows) => supersedeFacts(db, rows, recorded_at)),
    ...chunks([...changed, ...added]).flatMap((rows) => insertFacts(db, rows, recorded_at)),
    ...chunks(reverified).flatMap((rows) => reverifyFacts(db, rows)),
  ]
  if (version !== null) statements.push(insertVersion(db, version, recorded_at, reason))
  const applied = {
    version,
    added: added.length,
    changed: changed.length,
    retired: gone.length,
    confirmed,
    reverified: reverified.length,
  }
  return { statements, applied }
}

/** The given facts, sorted by what has to be written. */
type Sorted = { added: StoredFact[]; changed: StoredFact[]; reverified: StoredFact[] }

function sortGiven(current: ReadonlyMap<string, StoredFact>, given: readonly StoredFact[]): Sorted {
  const sorted: Sorted = { added: [], changed: [], reverified: [] }
  for (const row of given) {
    const before = current.get(keyOfRow(row))
    const [verified, known] = [row.last_verified_at ?? '', before?.last_verified_at ?? '']
    if (before === undefined) sorted.added.push(row)
    else if (before.content === row.content) {
      if (verified > known || isReadAgain(before, row)) sorted.reverified.push(row)
    } else if (verified >= known) sorted.changed.push(row)
  }
  return sorted
}

/** Whether a collector read the fact again at the same time, or doubts it. Shipped facts carry no reading. */
function isReadAgain(before: StoredFact, { last_verified_at, verification }: StoredFact): boolean {
  return (
    verification !== null &&
    (last_verified_at ?? '') >= (before.last_verified_at ?? '') &&
    verification !== before.verification
  )
}

/** Ends the periods that overlap a new period of the same subject. */
function closePeriods(
  current: ReadonlyMap<string, StoredFact>,
  { added, changed, reverified }: Sorted,
  known_at: string,
): Sorted {
  const isAdded = new Set(added.map(keyOfRow))
  const begun = new Set(added.flatMap((row) => periodOf(row)?.subject ?? []))
  if (begun.size === 0) return { added, changed, reverified }
  const after = new Map([...current, ...[...changed, ...added].map((row) => [keyOfRow(row), row] as const)])
  const periods = [...after.values()].flatMap((row) => periodOf(row) ?? [])
  const concerned = periods.filter(({ subject }) => begun.has(subject))
  const closed = new Map<string, StoredFact>()
  for (const own of Map.groupBy(concerned, ({ subject }) => subject).values())
    for (const { period, effective_to } of periodsToClose(own, ({ row }) => isAdded.has(keyOfRow(row)))) {
      const content = JSON.stringify({ ...JSON.parse(period.row.content), effective_to })
      closed.set(keyOfRow(period.row), { ...period.row, content, last_verified_at: known_at })
    }
  const withEnd = (row: StoredFact) => closed.get(keyOfRow(row)) ?? row
  const isChanged = new Set(changed.map(keyOfRow))
  const others = [...closed].flatMap(([key, row]) => (isAdded.has(key) || isChanged.has(key) ? [] : [row]))
  return {
    added: added.map(withEnd),
    changed: [...changed.map(withEnd), ...others],
    reverified: reverified.filter((row) => !closed.has(keyOfRow(row))),
  }
}

function keyOfRow({ kind, id }: StoredFact): string {
  return `${kind} ${id}`
}

/** `20261120T221600000Z`: versions sort by time. */
function versionOf(recorded_at: string): string {
  return recorded_at.replace(/[-:.]/g, '')
}

function chunks(rows: readonly StoredFact[]): StoredFact[][] {
  const parts: StoredFact[][] = []
  for (let start = 0; start < rows.length; start += ROWS_MAX) parts.push(rows.slice(start, start + ROWS_MAX))
  return parts
}
