import type { AnyDb } from '../../src/platform/database/databases.ts'
import { firstIdAt } from '../../src/platform/database/ids.ts'
import { NO_SEAL, type Seal, sealAfter } from '../../src/platform/audit/hash-event.ts'
import {
  countErased,
  countRecordedErasures,
  readChains,
  readNeverSealed,
  readSealed,
  type SealedEvent,
} from './audit-store.ts'

const PAGE = 1_000
/** A job seals events within minutes, so after a day an event without a seal is a fault. */
const UNSEALED_MS = 86_400_000

type AuditFault = { audit_id: string; message: string }

/** The end of a chain. */
export type Head = Seal & { chain: number }

/** The end of each chain, how many events were erased as planned, and what is wrong. */
type AuditVerdict = { heads: Head[]; erased: number; faults: AuditFault[] }

/**
 * Checks the chains of an account in a database: every sealed event is there and unchanged, and every event
 * of more than a day has a seal. `known` is a seal that was noted down: it must still be in its chain.
 */
export async function verifyAudit(
  db: AnyDb,
  account_id: string,
  now: Date,
  known: Head | null = null,
): Promise<AuditVerdict> {
  const faults: AuditFault[] = []
  const heads: Head[] = []
  const chains = new Set([...(await readChains(db, account_id)), ...(known === null ? [] : [known.chain])])
  for (const chain of chains) {
    const expected = known?.chain === chain ? known : null
    heads.push({ chain, ...(await verifyChain(db, { account_id, chain }, expected, faults)) })
  }
  const before = firstIdAt('aud', new Date(now.getTime() - UNSEALED_MS))
  for (const audit_id of await readNeverSealed(db, account_id, before))
    faults.push({ audit_id, message: 'The event has no seal' })
  const erased = await countErased(db, account_id)
  const recorded = await countRecordedErasures(db, account_id)
  if (erased !== recorded)
    faults.push({ audit_id: '', message: `${erased} events were erased, but the log records ${recorded}` })
  return { heads, erased, faults }
}

/** Checks one chain, adds its faults, and returns its last seal. */
async function verifyChain(
  db: AnyDb,
  { account_id, chain }: { account_id: string; chain: number },
  known: Seal | null,
  faults: AuditFault[],
): Promise<Seal> {
  let head = NO_SEAL
  for (;;) {
    const page = await readSealed(db, account_id, chain, head.position, PAGE)
    for (const row of page) {
      const { audit_id, position, hash } = row
      const message = await faultOfSealed(row, head)
      if (message !== null) faults.push({ audit_id, message })
      if (known?.position === position && known.hash !== hash)
        faults.push({ audit_id, message: 'Its seal is not the one that was noted down' })
      head = { position, hash }
    }
    if (page.length < PAGE) break
  }
  if (known !== null && known.position > head.position)
    faults.push({ audit_id: '', message: `The chain ends before position ${known.position}` })
  return head
}

/** What is wrong with a sealed event after the seal before it; null: nothing. */
async function faultOfSealed(row: SealedEvent, before: Seal): Promise<string | null> {
  if (row.position !== before.position + 1) return 'The seals before it are missing'
  if (row.event === null) return row.erased_at === null ? 'The event was removed' : null
  const { hash } = await sealAfter(before, row.event)
  return hash === row.hash ? null : 'The event or its seal was changed'
}
