import type { AnyDb } from '../../src/platform/database/databases.ts'
import { readChest } from '../../src/platform/audit/put-away/put-away.ts'
import { type AuditChest, chestsAfter } from '../../src/platform/audit/put-away/put-away-store.ts'
import type { SealedEvent } from './audit-store.ts'
import type { BoundChests } from './chests.ts'

const PAGE = 10

/** The seals of a chest with their events, and what is wrong with it. */
type ReadChest = { seals: SealedEvent[]; fault: { audit_id: string; message: string } | null }

/** The chests of audit events of an account. Throws if it has some, and no bucket is bound. */
export async function* chestsOfLog(
  db: AnyDb,
  account_id: string,
  { chests: bucket }: BoundChests,
): AsyncGenerator<ReadChest> {
  let previous = ''
  for (let after = ''; ;) {
    const page = await chestsAfter(db, account_id, after, PAGE)
    if (bucket === undefined && page.some(({ object }) => object !== ''))
      throw new Error('The account has audit events in the bucket: bind it as CHESTS')
    for (const chest of page) {
      yield readWhole(bucket, chest, previous)
      previous = chest.sha256
      after = chest.first_id
    }
    if (page.length < PAGE) return
  }
}

async function readWhole(
  bucket: BoundChests['chests'],
  chest: AuditChest,
  previous: string,
): Promise<ReadChest> {
  const fault = (message: string) => ({ audit_id: chest.first_id, message: `${message}: ${chest.object}` })
  const follows = chest.previous_sha256 === previous
  try {
    const { events, seals } = await readChest(bucket, chest)
    const by_id = new Map(events.map((event) => [event.id, event]))
    return {
      seals: seals.map((seal) => ({ ...seal, event: by_id.get(seal.audit_id) ?? null })),
      fault: follows ? null : fault('Its chest does not follow the one before'),
    }
  } catch {
    return { seals: [], fault: fault('Its chest is absent, or not as it was written') }
  }
}
