import { firstIdAt } from '../database/ids.ts'
import { NO_SEAL, type Seal, sealAfter } from './hash-event.ts'
import { countRecordedErasures, readNeverSealed, readSealed, type SealedEvent } from './seal-store.ts'

const PAGE = 1_000
/** A job seals events within minutes, so after a day an event without a seal is a fault. */
const UNSEALED_MS = 86_400_000

export type AuditFault = { audit_id: string; message: string }

/** The result of a check: the last seal, how many events were erased as planned, and what is wrong. */
export type AuditVerdict = { head: Seal; erased: number; faults: AuditFault[] }

/**
 * Checks the chain of an account in a database: every sealed event is there and unchanged, and every event of
 * more than a day has a seal. `known` is a seal that was noted down earlier: it must still be in the chain.
 */
export async function verifyAudit(
  db: D1Database,
  account_id: string,
  now: Date,
  known: Seal | null = null,
): Promise<AuditVerdict> {
  const faults: AuditFault[] = []
  let head = NO_SEAL
  let erased = 0
  for (;;) {
    const page = await readSealed(db, account_id, head.position, PAGE)
    for (const row of page) {
      if (row.erased_at !== null) erased += 1
      const message = await faultOf(row, head)
      if (message !== null) faults.push({ audit_id: row.audit_id, message })
      if (known?.position === row.position && known.hash !== row.hash)
        faults.push({ audit_id: row.audit_id, message: 'Its seal is not the one that was noted down' })
      head = row
    }
    if (page.length < PAGE) break
  }
  if (known !== null && known.position > head.position)
    faults.push({ audit_id: '', message: `The chain ends before position ${known.position}` })
  const before = firstIdAt('aud', new Date(now.getTime() - UNSEALED_MS))
  for (const audit_id of await readNeverSealed(db, account_id, before))
    faults.push({ audit_id, message: 'The event has no seal' })
  const recorded = await countRecordedErasures(db, account_id)
  if (erased !== recorded)
    faults.push({ audit_id: '', message: `${erased} events were erased, but the log records ${recorded}` })
  return { head: { position: head.position, hash: head.hash }, erased, faults }
}

/** What is wrong with a sealed event after the seal before it; null: nothing. */
async function faultOf(row: SealedEvent, before: Seal): Promise<string | null> {
  if (row.position !== before.position + 1) return 'The seals before it are missing'
  if (row.event === null) return row.erased_at === null ? 'The event was removed' : null
  const { hash } = await sealAfter(before, row.event)
  return hash === row.hash ? null : 'The event or its seal was changed'
}
