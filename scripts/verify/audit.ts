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
import { lastChestBefore } from '../../src/platform/audit/put-away/put-away-store.ts'
import { chestsOfLog } from './audit-chests.ts'
import type { BoundChests } from './chests.ts'

const PAGE = 1_000
/** A job seals events within minutes, so after a day an event without a seal is a fault. */
const UNSEALED_MS = 86_400_000

type AuditFault = { audit_id: string; message: string }

/** The end of a chain. */
export type Head = Seal & { chain: number }

/** The end of each chain, how many events were erased as planned, and what is wrong. */
type AuditVerdict = { heads: Head[]; erased: number; faults: AuditFault[] }

/**
 * Checks the chains of an account in a database: every sealed event is there or in a chest, and unchanged,
 * and every event of more than a day has a seal. `known` is a seal that was noted down: it must still be in
 * its chain. Throws if events are in the bucket, and none is bound.
 */
export async function verifyAudit(
  db: AnyDb,
  account_id: string,
  now: Date,
  known: Head | null = null,
  bound: BoundChests = {},
): Promise<AuditVerdict> {
  const lastChest = async () => (await lastChestBefore(db, account_id, '~'))?.first_id
  // Events that are put away meanwhile are neither in the chests nor in the rows that were read.
  for (let last = await lastChest(); ;) {
    const verdict = await verifyOnce(db, account_id, now, known, bound)
    const now_last = await lastChest()
    if (now_last === last) return verdict
    last = now_last
  }
}

async function verifyOnce(
  db: AnyDb,
  account_id: string,
  now: Date,
  known: Head | null,
  bound: BoundChests,
): Promise<AuditVerdict> {
  const faults: AuditFault[] = []
  const numbers = new Set([...(await readChains(db, account_id)), ...(known === null ? [] : [known.chain])])
  const chains = [...numbers].map((chain) => newChain(chain, known))
  for await (const { seals, fault } of chestsOfLog(db, account_id, bound)) {
    if (fault !== null) faults.push(fault)
    for (const chain of chains)
      for (const seal of seals) if (seal.chain === chain.number) await addSeal(chain, seal, faults)
  }
  for (const chain of chains) await readChain(db, account_id, chain, faults)
  const before = firstIdAt('aud', new Date(now.getTime() - UNSEALED_MS))
  for (const audit_id of await readNeverSealed(db, account_id, before))
    faults.push({ audit_id, message: 'The event has no seal' })
  const erased = await countErased(db, account_id)
  const recorded = await countRecordedErasures(db, account_id)
  if (erased !== recorded)
    faults.push({ audit_id: '', message: `${erased} events were erased, but the log records ${recorded}` })
  return { heads: chains.map(({ number, head }) => ({ chain: number, ...head })), erased, faults }
}

/**
 * What is known of a chain. Its seals come from chests and then from their table: `ends` are the hashes
 * of positions whose next one has not come yet, and `waiting` the seals that came before the one before.
 */
type Chain = {
  number: number
  known: Seal | null
  head: Seal
  ends: Map<number, string>
  waiting: Map<number, SealedEvent>
}

function newChain(number: number, known: Head | null): Chain {
  return {
    number,
    known: known?.chain === number ? known : null,
    head: NO_SEAL,
    ends: new Map([[NO_SEAL.position, NO_SEAL.hash]]),
    waiting: new Map(),
  }
}

/** Checks a seal, as soon as the one before is known, and adds its fault. */
async function addSeal(chain: Chain, row: SealedEvent, faults: AuditFault[]): Promise<void> {
  const { audit_id, position, hash } = row
  const { known, ends, waiting } = chain
  const before = ends.get(position - 1)
  if (before === undefined) waiting.set(position, row)
  else await checkSeal(row, { position: position - 1, hash: before }, faults)
  ends.delete(position - 1)
  const next = waiting.get(position + 1)
  if (next === undefined) ends.set(position, hash)
  else await checkSeal(next, { position, hash }, faults)
  waiting.delete(position + 1)
  if (known?.position === position && known.hash !== hash)
    faults.push({ audit_id, message: 'Its seal is not the one that was noted down' })
  if (position > chain.head.position) chain.head = { position, hash }
}

/** Checks what the database has of a chain, and that nothing between its seals is missing. */
async function readChain(db: AnyDb, account_id: string, chain: Chain, faults: AuditFault[]): Promise<void> {
  for (let after = 0; ;) {
    const page = await readSealed(db, account_id, chain.number, after, PAGE)
    for (const row of page) await addSeal(chain, row, faults)
    after = page.at(-1)?.position ?? 0
    if (page.length < PAGE) break
  }
  for (const { audit_id } of chain.waiting.values())
    faults.push({ audit_id, message: 'The seals before it are missing' })
  const { known, head } = chain
  if (known !== null && known.position > head.position)
    faults.push({ audit_id: '', message: `The chain ends before position ${known.position}` })
}

/** Adds what is wrong with a sealed event after the seal before it. */
async function checkSeal(row: SealedEvent, before: Seal, faults: AuditFault[]): Promise<void> {
  const { audit_id, event, erased_at } = row
  if (event === null) {
    if (erased_at === null) faults.push({ audit_id, message: 'The event was removed' })
    return
  }
  const { hash } = await sealAfter(before, event)
  if (hash !== row.hash) faults.push({ audit_id, message: 'The event or its seal was changed' })
}
