import type { Facts } from '../tax/facts.ts'
import { insertFacts, insertVersion, readCurrentFacts, reverifyFacts, supersedeFacts } from './store.ts'
import { type Kind, type StoredFact, toStored } from './stored-facts.ts'

export type Applied = {
  /** The version that this made, or null where no fact changed. */
  version: string | null
  added: number
  changed: number
  /** Given again as it stands. */
  confirmed: number
  /** Of those, how many got a later time of verification: a published book then shows an older one. */
  reverified: number
}

/** Their ids end in the day from which they hold; what stands before it says what they are about. */
const DATED: ReadonlySet<Kind> = new Set<Kind>(['rates', 'product_rules', 'thresholds', 'consignment_limits'])

/** Rows that go into the database with one statement: far below the 2 MB that one parameter may hold. */
const ROWS_MAX = 1_000

/**
 * The one way by which facts get into the database, shipped or collected: what is new is added, what changed
 * supersedes, what is the same is confirmed. Nothing is overwritten but the time of verification. All of it
 * is one batch; a new version appears only when a fact changed. The facts given do not have to be all: what
 * they do not name stays, but a period that is open ends where the next one begins. What was verified earlier
 * than what stands changes nothing: shipped data never undoes what a collector has read since. `also` are
 * statements that belong to the same batch: what is told of it, and the record of the run.
 */
export async function applyFacts(
  db: D1Database,
  facts: Facts,
  now: Date,
  reason: string,
  also: (applied: Applied) => D1PreparedStatement[] = () => [],
): Promise<Applied> {
  const recorded_at = now.toISOString()
  const stored = await readCurrentFacts(db)
  const current = new Map(stored.map((row) => [`${row.kind} ${row.id}`, row]))
  const given = toStored(facts)
  const added: StoredFact[] = []
  const changed: StoredFact[] = []
  const reverified: StoredFact[] = []
  for (const row of given) {
    const before = current.get(`${row.kind} ${row.id}`)
    if (before === undefined) added.push(row)
    else if (before.content !== row.content) {
      if ((row.last_verified_at ?? '') >= (before.last_verified_at ?? '')) changed.push(row)
    } else if (row.last_verified_at !== null && row.last_verified_at > (before.last_verified_at ?? ''))
      reverified.push(row)
  }
  const confirmed = given.length - added.length - changed.length
  changed.push(...closedPeriods(stored, given, added, recorded_at))
  const version = added.length + changed.length > 0 ? versionOf(recorded_at) : null
  const statements = [
    ...chunks(changed).map((rows) => supersedeFacts(db, rows, recorded_at)),
    ...chunks([...changed, ...added]).map((rows) => insertFacts(db, rows, recorded_at)),
    ...chunks(reverified).map((rows) => reverifyFacts(db, rows)),
  ]
  if (version !== null) statements.push(insertVersion(db, version, recorded_at, reason))
  const applied = {
    version,
    added: added.length,
    changed: changed.length,
    confirmed,
    reverified: reverified.length,
  }
  statements.push(...also(applied))
  if (statements.length > 0) await db.batch(statements)
  return applied
}

/**
 * The open periods that end because a later one of the same thing is added, unless they are given themselves.
 */
function closedPeriods(
  current: readonly StoredFact[],
  given: readonly StoredFact[],
  added: readonly StoredFact[],
  known_at: string,
): StoredFact[] {
  const starts = new Map<string, string>()
  for (const row of added) {
    const start: string | null = DATED.has(row.kind) ? JSON.parse(row.content).effective_from : null
    const thing = thingOf(row)
    if (start !== null && start < (starts.get(thing) ?? '9999')) starts.set(thing, start)
  }
  if (starts.size === 0) return []
  const named = new Set(given.map((row) => `${row.kind} ${row.id}`))
  return current.flatMap((row) => {
    const start = starts.get(thingOf(row))
    if (start === undefined || named.has(`${row.kind} ${row.id}`)) return []
    const content: { effective_from: string | null; effective_to: string | null } = JSON.parse(row.content)
    if (content.effective_to !== null || (content.effective_from ?? '') >= start) return []
    return [
      {
        ...row,
        content: JSON.stringify({ ...content, effective_to: dayBefore(start) }),
        last_verified_at: known_at,
      },
    ]
  })
}

function thingOf({ kind, id }: StoredFact): string {
  return `${kind} ${id.slice(0, id.lastIndexOf(':'))}`
}

/** The day before a day, `YYYY-MM-DD`. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
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
