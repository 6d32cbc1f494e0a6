import type { Bindings } from '../../bindings.ts'
import type { AnyDb } from '../../database/databases.ts'
import { firstIdAt } from '../../database/ids.ts'
import type { AuditRow } from '../hash-event.ts'
import type { NewSeal } from '../seal-store.ts'
import { readChest } from './put-away.ts'
import { chestsWith, lastChestBefore } from './put-away-store.ts'

/** Whose events are read, and the bucket that may have them. */
type PutAwayOf = {
  env: Pick<Bindings, 'CHESTS'>
  books: AnyDb
  principal: { account_id: string }
}

type Sought = {
  resource_id?: string | undefined
  from_date?: string | undefined
  to_date?: string | undefined
  cursor?: string | undefined
  limit: number
}

const DAY_MS = 86_400_000
/** An event has the moment of its request, and an id from before the end of it. */
const REQUEST_MS = 3_600_000

/**
 * The newest events in chests that are sought, with an id from `least` on, newest first, as far as
 * `limit`. The ids of a chest are all before those of the next, so few chests are read. Throws
 * sealed_sale_unreadable.
 */
export async function listPutAway(
  { env, books, principal }: PutAwayOf,
  sought: Sought,
  least: string,
): Promise<{ event: AuditRow; seal: NewSeal | null }[]> {
  const bounds = boundsOf(sought, least)
  if (bounds === null) return []
  const found: { event: AuditRow; seal: NewSeal | null }[] = []
  for (let before = bounds.before; found.length < sought.limit;) {
    const chest = await lastChestBefore(books, principal.account_id, before)
    if (chest === null || chest.last_id < bounds.from) break
    const { events, seals } = await readChest(env.CHESTS, chest)
    const by_event = Map.groupBy(seals, ({ audit_id }) => audit_id)
    for (const event of events.toReversed())
      if (isSought(event, sought)) found.push({ event, seal: by_event.get(event.id)?.[0] ?? null })
    before = chest.first_id
  }
  return found.slice(0, sought.limit)
}

/** The ids that can be sought; null: none. */
function boundsOf({ resource_id, from_date, to_date, cursor = '~' }: Sought, least: string) {
  const from = [least]
  const before = [cursor]
  if (from_date !== undefined) from.push(firstIdAt('aud', new Date(from_date)))
  if (to_date !== undefined)
    before.push(firstIdAt('aud', new Date(Date.parse(to_date) + DAY_MS + REQUEST_MS)))
  if (resource_id !== undefined) {
    const begin = beginOf(resource_id)
    if (begin === null) return null
    from.push(begin)
    before.push(`${begin}~`)
  }
  return { from: from.toSorted().at(-1) ?? '', before: before.toSorted()[0] ?? '' }
}

/** How the id of the event begins that recorded a sale, if a chest has it; null: this is no id of a sale. */
function beginOf(resource_id: string): string | null {
  return /^txn_[0-9a-z]{26}$/.test(resource_id) ? `aud_${resource_id.slice(4, 11)}` : null
}

function isSought({ id, resource_id, created_at }: AuditRow, sought: Sought): boolean {
  const { resource_id: of = resource_id, from_date = '', to_date = '~', cursor = '~' } = sought
  return resource_id === of && created_at >= from_date && created_at.slice(0, 10) <= to_date && id < cursor
}

/** Chests that one page of lines reads. */
const CHESTS_OF_PAGE = 20

/** The ids of the events in chests that recorded some sales, by the sale and its moment. */
export async function findRecorded(
  { env, books, principal }: PutAwayOf,
  transaction_ids: readonly string[],
): Promise<Map<string, string>> {
  const begins = new Set(transaction_ids.map(beginOf).filter((begin) => begin !== null))
  const chests = await chestsWith(books, principal.account_id, [...begins], CHESTS_OF_PAGE)
  const found = await Promise.all(chests.map(async (chest) => readChest(env.CHESTS, chest)))
  return new Map(
    found.flatMap(({ events }) =>
      events.map(({ id, resource_id, created_at }) => [`${resource_id} ${created_at}`, id]),
    ),
  )
}
