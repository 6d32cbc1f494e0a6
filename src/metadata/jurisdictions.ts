import { dayOf } from '../days.ts'
import type * as z from 'zod'
import { bookFor } from '../calculation/calculate.ts'
import { metaOfThresholds } from '../calculation/meta.ts'
import { findJurisdiction, presentRate, ratesOfJurisdiction } from '../calculation/rates.ts'
import { presentThreshold } from '../calculation/thresholds.ts'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import { pageOf } from '../http/page.ts'
import type { Jurisdiction } from '../tax/facts.ts'
import { inForce } from '../tax/rate-book.ts'
import type {
  Jurisdiction as ShownJurisdiction,
  JurisdictionAnswer,
  JurisdictionsAnswer,
  JurisdictionsQuery,
} from './schemas.ts'

/** A page of the jurisdictions that are known, by their ids. */
export async function listJurisdictions(
  context: Context,
  query: z.output<typeof JurisdictionsQuery>,
): Promise<Answer<typeof JurisdictionsAnswer>> {
  const book = await bookFor(context, null)
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
  const book = await bookFor(context, null)
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
    meta: metaOfThresholds(rates, thresholds, context.now, book.version),
  }
}

export function presentJurisdiction({
  confidence: _confidence,
  notes: _notes,
  ...shown
}: Jurisdiction): Answer<typeof ShownJurisdiction> {
  return shown
}
