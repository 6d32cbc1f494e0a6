import { countryName } from '../src/platform/http/country-name.ts'
import type { Jurisdiction } from '../src/engine/book/facts.ts'
import type { RateBook } from '../src/engine/book/rate-book.ts'
import { REGIONS } from '../src/platform/regions.ts'
import { type Collector, ParseError } from './collector.ts'
import type { Sourced } from './gather.ts'

/**
 * Jurisdictions that a source names and that are not on file. If a country joins the European Union, a person
 * accepts it. Any other unknown name means that the document was misread. Throws ParseError.
 */
export function newJurisdictions(
  collector: Collector,
  findings: readonly Sourced[],
  book: RateBook,
  now: Date,
  accept: boolean,
): Jurisdiction[] {
  const unknown = new Map<string, Sourced>()
  for (const finding of findings)
    if (!book.jurisdictions.has(finding.jurisdiction_id)) unknown.set(finding.jurisdiction_id, finding)
  return [...unknown].map(([id, { from }]) => {
    const name = countryName(id)
    if (!accept || REGIONS[collector.region].facts !== 'EU' || name === id)
      throw new ParseError(from.source_url, `speaks of ${id}, which is no jurisdiction that is known`)
    return {
      ...from,
      last_verified_at: now.toISOString(),
      confidence: 'medium',
      notes: 'Added because the source lists it: currency and thresholds are to be reviewed',
      id,
      name,
      type: 'country',
      parent_id: null,
      region: 'EU',
      currency: 'EUR',
      tax_system: 'VAT',
      special_territory: false,
      in_eu_vat_area: true,
      vat_treatment: null,
    }
  })
}
