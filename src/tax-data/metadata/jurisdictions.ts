import { dayOf } from '../../platform/kit/calendar.ts'
import type * as z from 'zod'
import { bookFor } from '../records/book-for.ts'
import { metaOfThresholds } from '../records/meta.ts'
import { findJurisdiction } from '../records/find-jurisdiction.ts'
import { presentRate, presentThreshold, presentProvenance } from '../records/present-facts.ts'
import { ratesOfAllDays, ratesOfJurisdiction } from '../records/rates-of-jurisdiction.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import type { Jurisdiction } from '../../engine/book/facts.ts'
import { inForce } from '../../engine/book/rate-book.ts'
import type {
  JurisdictionsQuery,
  Jurisdiction as ShownJurisdiction,
  JurisdictionAnswer,
  JurisdictionsAnswer,
  RateHistoryAnswer,
  RateHistoryQuery,
} from './schemas.ts'

/** A page of the jurisdictions that are known, by their ids. */
export async function listJurisdictions(
  context: Context,
  query: z.output<typeof JurisdictionsQuery>,
): Promise<Answer<typeof JurisdictionsAnswer>> {
  const book = await bookFor(context)
  const { region, type, parent_id, limit = 100, offset = 0 } = query
  const found = book.facts.jurisdictions
    .filter(
      (each) =>
        (region === undefined || each.region === region) &&
        (type === undefined || each.type === type) &&
        (parent_id === undefined || each.parent_id === parent_id),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    jurisdictions: found.slice(offset, offset + limit).map(presentJurisdiction),
    ...pageOf(found.length, limit, offset),
    data_version: book.version,
  }
}

/** A jurisdiction with its parent, and the rates and thresholds that are in force there today. */
export async function showJurisdiction(
  context: Context,
  id: string,
): Promise<Answer<typeof JurisdictionAnswer>> {
  const book = await bookFor(context)
  const jurisdiction = findJurisdiction(book, id, 'id')
  const day = dayOf(context.now)
  const parent = jurisdiction.parent_id === null ? undefined : book.jurisdictions.get(jurisdiction.parent_id)
  const rates = ratesOfJurisdiction(book, jurisdiction, day)
  const thresholds = (book.thresholds.get(jurisdiction.id) ?? []).filter((threshold) =>
    inForce(threshold, day),
  )
  return {
    ...presentJurisdiction(jurisdiction),
    parent: parent === undefined ? null : presentJurisdiction(parent),
    rates: rates.map(presentRate),
    thresholds: thresholds.map((threshold) => presentThreshold(book, threshold)),
    meta: metaOfThresholds(book, rates, thresholds, context.now),
  }
}

/** A page of the rates of a jurisdiction of all days, the latest first. Throws invalid_jurisdiction. */
export async function listRateHistory(
  context: Context,
  id: string,
  { limit = 100, offset = 0 }: z.output<typeof RateHistoryQuery>,
): Promise<Answer<typeof RateHistoryAnswer>> {
  const book = await bookFor(context)
  const jurisdiction = findJurisdiction(book, id, 'id')
  const rates = ratesOfAllDays(book, jurisdiction).toSorted(
    (a, b) => b.effective_from.localeCompare(a.effective_from) || a.id.localeCompare(b.id),
  )
  return {
    jurisdiction_id: jurisdiction.id,
    rates: rates.slice(offset, offset + limit).map(presentRate),
    ...pageOf(rates.length, limit, offset),
    data_version: book.version,
  }
}

function presentJurisdiction({
  confidence: _confidence,
  source_kind: _source_kind,
  notes: _notes,
  non_established_reverse_charge: _reverse_charge,
  reverse_charge_unless_registered: _unless_registered,
  domestic_reverse_charge: _domestic_reverse_charge,
  marketplace_from: _marketplace_from,
  marketplace_covers: _marketplace_covers,
  marketplace_leaves: _marketplace_leaves,
  marketplace_statute: _marketplace_statute,
  mixed_shipping: _mixed_shipping,
  funded_discounts: _funded_discounts,
  funded_discounts_law: _funded_discounts_law,
  trade_ins: _trade_ins,
  trade_ins_law: _trade_ins_law,
  bundles: _bundles,
  bundles_of: _bundles_of,
  bundles_free: _bundles_free,
  bundles_law: _bundles_law,
  ...shown
}: Jurisdiction): Answer<typeof ShownJurisdiction> {
  return { ...shown, ...presentProvenance(shown) }
}
