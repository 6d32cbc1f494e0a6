import type { Context } from '../../platform/context.ts'
import type { CustomerRow } from '../../parties/customers/customer.ts'
import { type HashedFields, valuesOf } from '../../platform/database/audit-values.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import type { PartOfWrite } from '../../platform/writes/join-writes.ts'
import { changedAt } from '../../platform/database/read-again.ts'
import { NO_DOCUMENT, type StoredExemption } from '../../parties/exemptions/exemption.ts'
import { PERSONAL } from '../../parties/exemptions/exemptions.ts'
import { endedOn } from '../../platform/database/values/exemption-statuses.ts'
import { isHeld } from '../../parties/exemptions/state.ts'
import { insertExemption, replaceExemption } from '../../parties/exemptions/store.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import { TaxJarError } from './errors.ts'
import { OUR_EXEMPTIONS } from './exemption-types.ts'

type ExemptPlace = { country?: string | null | undefined; state?: string | null | undefined }

/** The number of certificates that a shop vouches for in the form of TaxJar. It names no paper. */
export const CERTIFICATE = 'TaxJar'

/** What a customer of TaxJar can be. */
export type ExemptType = keyof typeof OUR_EXEMPTIONS | 'non_exempt'

/** The exemptions of a customer that stay, that are added, and that end. */
export type ChangedExemptions = {
  kept: readonly StoredExemption[]
  added: readonly StoredExemption[]
  ended: readonly StoredExemption[]
}

/** The jurisdictions of regions: `US-FL`. Throws 406 for one without a country. */
export function regionIds(regions: readonly ExemptPlace[]): string[] {
  return regions.map(({ country, state }) => {
    if (!country) throw new TaxJarError(406, 'exempt_regions[][country] is missing')
    return state ? `${country}-${state.toUpperCase()}` : country
  })
}

/**
 * How the exemptions of a customer change. Without regions it is exempt wherever the account is registered.
 * Throws 400 for a region that the data lacks.
 */
export async function changedExemptions(
  context: Context,
  held: readonly StoredExemption[],
  type: ExemptType,
  regions: readonly ExemptPlace[],
): Promise<ChangedExemptions> {
  const { jurisdictions } = await bookFor(context)
  const named = regionIds(regions)
  const unknown = named.find((id) => !jurisdictions.has(id))
  if (unknown !== undefined) throw new TaxJarError(400, `exempt_regions ${unknown} is not covered`)
  const everywhere = placesOfAccount(context).filter((id) => jurisdictions.has(id))
  const ids = type === 'non_exempt' ? [] : [...new Set(named.length === 0 ? everywhere : named)]
  const today = todayIn(context.principal.time_zone, context.now)
  const current = held.filter(
    (exemption) => isHeld(exemption, today) && exemption.certificate_number === CERTIFICATE,
  )
  const stays = ({ jurisdiction_id, exemption_type }: StoredExemption) =>
    type !== 'non_exempt' && exemption_type === OUR_EXEMPTIONS[type] && ids.includes(jurisdiction_id)
  const kept = current.filter(stays)
  const missing = ids.filter((id) => !kept.some(({ jurisdiction_id }) => jurisdiction_id === id))
  return {
    kept,
    ended: current.filter((exemption) => !stays(exemption)),
    added: type === 'non_exempt' ? [] : missing.map((id) => exemptionIn(context, id, OUR_EXEMPTIONS[type])),
  }
}

function placesOfAccount({ principal }: Context): string[] {
  const { seller, registrations } = principal
  return [...registrations.map(({ id }) => id), ...(seller === null ? [] : [seller.country])]
}

function exemptionIn(
  { principal, now }: Context,
  jurisdiction_id: string,
  exemption_type: StoredExemption['exemption_type'],
): StoredExemption {
  const at = now.toISOString()
  return {
    id: newId('exm'),
    jurisdiction_id,
    exemption_type,
    certificate_number: CERTIFICATE,
    certificate_url: null,
    valid_from: todayIn(principal.time_zone, now),
    valid_to: null,
    status: 'verified',
    verification_notes: 'The shop vouches for it in the form of TaxJar',
    created_at: at,
    updated_at: at,
    reason_code: null,
    ended_on: null,
    ...NO_DOCUMENT,
  }
}

/** The write of changed exemptions. Put it after the write of the customer. */
export async function exemptionsWrite(
  context: Context,
  { id: customer_id, audit_salt }: CustomerRow,
  { added, ended }: ChangedExemptions,
): Promise<PartOfWrite> {
  const { books, now, principal } = context
  const hashed: HashedFields = { names: PERSONAL, salt: audit_salt }
  const expired = ended.map((before) => {
    const changed = { ...before, status: 'expired' as const, updated_at: changedAt(now, before.updated_at) }
    const after = { ...changed, ended_on: endedOn(before, changed, todayIn(principal.time_zone, now)) }
    return { action: 'exemption.updated', before, after, changed: ['status'] }
  })
  const created = added.map((after) => ({
    action: 'exemption.created',
    before: null,
    after,
    changed: Object.keys(after),
  }))
  const all = [...expired, ...created]
  return {
    changes: all.flatMap(({ before, after }) =>
      before === null
        ? guarded(books, insertExemption(context, customer_id, after), 'not_found')
        : guarded(books, replaceExemption(context, before, after), 'concurrent_change'),
    ),
    audit: await Promise.all(
      all.map(async ({ action, before, after, changed }) => ({
        action,
        resource_id: after.id,
        changed,
        values: await valuesOf(before, after, hashed),
      })),
    ),
    events: [],
    stores: { exemptions: added.length },
  }
}
