import type { Bindings } from '../../platform/bindings.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Erased } from '../../platform/database/note-erasure.ts'

/**
 * The list of what was erased. It is outside of the databases, because a restore must not bring a person
 * back: in the bucket of the backups, or, without one, in KV for longer than time travel reaches. Its keys
 * sort by time.
 */
type PlacesOfList = Pick<Bindings, 'BACKUPS' | 'KV'>

const PREFIX = 'erasures/'
const KEPT_S = 40 * 86_400

export async function putErasures(
  { BACKUPS, KV }: PlacesOfList,
  now: Date,
  erased: readonly Erased[],
): Promise<void> {
  const key = `${PREFIX}${now.toISOString()} ${newId('req')}`
  const text = JSON.stringify(erased)
  if (BACKUPS === undefined) await KV.put(key, text, { expirationTtl: KEPT_S })
  else await BACKUPS.put(key, text)
}

/** Before all keys of a day (`2026-11-28`). */
export function beginOfDay(day: string): string {
  return PREFIX + day
}

/** The keys after one of them, the earliest first. */
export async function keysAfter(place: PlacesOfList, after: string, today: string): Promise<string[]> {
  // The first look of a day is at the whole list, the others at that day.
  const prefix = after.startsWith(beginOfDay(today)) ? beginOfDay(today) : PREFIX
  const keys = [...(await keysInKv(place, prefix)), ...(await keysInBucket(place, prefix, after))]
  return keys.filter((key) => key > after).toSorted()
}

async function keysInKv({ KV }: PlacesOfList, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await KV.list({ prefix, ...(cursor !== undefined && { cursor }) })
    keys.push(...page.keys.map(({ name }) => name))
    if (page.list_complete) return keys
    ;({ cursor } = page)
  }
}

/** A bucket keeps the list for ever, so it is asked for what comes after alone. */
async function keysInBucket({ BACKUPS }: PlacesOfList, prefix: string, after: string): Promise<string[]> {
  const keys: string[] = []
  for (let cursor: string | undefined; BACKUPS !== undefined;) {
    const from = cursor === undefined ? after !== '' && { startAfter: after } : { cursor }
    const page = await BACKUPS.list({ prefix, ...from })
    keys.push(...page.objects.map(({ key }) => key))
    if (!page.truncated) break
    ;({ cursor } = page)
  }
  return keys
}

export async function readErasures({ BACKUPS, KV }: PlacesOfList, key: string): Promise<Erased[]> {
  const stored = await BACKUPS?.get(key)
  return (stored ? await stored.json<Erased[]>() : await KV.get<Erased[]>(key, 'json')) ?? []
}
