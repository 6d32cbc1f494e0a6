import type { Threshold } from './book/facts.ts'
import { placeOfJurisdiction } from './place.ts'
import type { LayerTreatment, TaxLayer } from './book/product-rules.ts'
import { inForce, lineage } from './book/rate-book.ts'
import type { Supply } from './regimes/regime.ts'
import { remoteSellerThreshold } from './thresholds.ts'
import type { Walk } from './walk.ts'

/** What a seller who is not registered has to do before it may collect the tax of a place. */
export type DutyToRegister = {
  /** Registrations and schemes; `all` of them are needed, or any one. */
  registrations: readonly string[]
  all: boolean
  /** What obliges once it is passed. Empty: the first sale does, or `unknown`. */
  thresholds: readonly Threshold[]
  /** No threshold is on record where there could be one. */
  unknown: boolean
}

/** Where a seller has to register for a taxed supply, and from when. */
export function dutyToRegister(
  walk: Walk,
  supply: Supply & { kind: 'taxed' },
  missing: readonly LayerTreatment[],
): DutyToRegister {
  const all = supply.registrations === null
  const registrations = supply.registrations ?? [
    ...new Set(missing.map((treatment) => registrationFor(treatment.layer))),
  ]
  const thresholds = (all ? registrations : [supply.place]).flatMap(
    (id) => thresholdOf(walk, supply, id) ?? [],
  )
  const region = walk.book.jurisdictions.get(supply.place)?.region
  return {
    registrations,
    all,
    thresholds,
    unknown: thresholds.length === 0 && region !== 'EU' && region !== 'UK',
  }
}

/** GST/HST needs one registration for all of Canada (ETA, s. 240). */
export function registrationFor({ tax_type, jurisdiction_id }: TaxLayer): string {
  return tax_type === 'HST' ? 'CA' : jurisdiction_id
}

/** The duty is there: the first sale brings it, be it that the threshold is 0. */
export function isFromFirstSale({ thresholds, unknown }: DutyToRegister): boolean {
  return thresholds.length === 0 ? !unknown : thresholds.some((threshold) => threshold.amount === 0)
}

function thresholdOf(walk: Walk, supply: Supply & { kind: 'taxed' }, id: string): Threshold | null {
  const { book, sale, seller } = walk
  const region = book.jurisdictions.get(id)?.region
  if (region === 'EU' || region === 'UK') return supply.established ? domesticThreshold(walk, id) : null
  const place = placeOfJurisdiction(book, id)
  const threshold = place === null ? null : remoteSellerThreshold(book, place, seller, sale.day)
  return threshold?.amount === null ? null : threshold
}

/** Directive 2006/112/EC, art. 284; VATA 1994, sch. 1: the small enterprises of a country itself. */
function domesticThreshold({ book, sale }: Walk, id: string): Threshold | null {
  for (const each of lineage(book, id))
    for (const threshold of book.thresholds.get(each) ?? [])
      if (
        threshold.threshold_type === 'VAT_REGISTRATION' &&
        threshold.amount !== null &&
        inForce(threshold, sale.day)
      )
        return threshold
  return null
}
