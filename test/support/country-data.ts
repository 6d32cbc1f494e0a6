import { env } from 'cloudflare:workers'
import { applyFacts } from '../../src/tax-data/records/apply-facts.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import type { ConsignmentLimit, Facts, Provenance, Threshold } from '../../src/engine/book/facts.ts'
import { ID } from './country-law.ts'
import { testFacts } from './service-data.ts'

/** When a person looked at the records of the country, the newest of them. */
const SEEN_ON = '2026-11-18'

const PROVENANCE: Provenance = {
  source: 'Revenue Office',
  source_url: 'https://source.example/gst',
  last_verified_at: `${SEEN_ON}T00:00:00.000Z`,
  confidence: 'high',
  notes: null,
}

const SINCE = { effective_from: '2020-01-01', effective_to: null }

/** A seller abroad registers above 100,000 AUD there and 1,000,000 AUD in all countries. */
const THRESHOLD: Threshold = {
  ...PROVENANCE,
  ...SINCE,
  id: 'threshold:nr:gst_registration:non_resident:2020-01-01',
  jurisdiction_id: ID,
  threshold_type: 'GST_REGISTRATION',
  scope: 'non_resident',
  amount: 10_000_000,
  currency: 'AUD',
  transaction_count: null,
  combinator: null,
  amount_test: 'exceeds',
  count_test: 'reaches',
  worldwide_amount: 100_000_000,
  measurement_period: 'current_calendar_year',
  included_sales: 'gst_turnover',
  marketplace_sales_counted: null,
}

const LIMIT: ConsignmentLimit = {
  ...PROVENANCE,
  region: ID,
  amount: 40_000,
  currency: 'AUD',
  per: 'item',
  effective_from: '2023-01-01',
  effective_to: null,
}

/** The shipped facts with those of the country. */
function factsWithCountry(): Facts {
  const facts = testFacts()
  return {
    ...facts,
    jurisdictions: [
      ...facts.jurisdictions,
      {
        ...PROVENANCE,
        id: ID,
        name: 'Nauru',
        type: 'country',
        parent_id: null,
        region: ID,
        currency: 'AUD',
        tax_system: 'GST',
        special_territory: false,
        in_eu_vat_area: null,
        vat_treatment: null,
        marketplace_from: '2023-01-01',
      },
    ],
    rates: [
      ...facts.rates,
      {
        ...PROVENANCE,
        ...SINCE,
        id: 'rate:nr:gst:standard:2020-01-01',
        jurisdiction_id: ID,
        tax_type: 'GST',
        category: 'standard',
        name: 'GST',
        rate_millionths: 90_000,
        compound: false,
      },
    ],
    thresholds: [...facts.thresholds, THRESHOLD],
    consignment_limits: [...facts.consignment_limits, LIMIT],
  }
}

/** Loads the shipped data and that of the country into the test's database and cache. */
export async function loadCountry(): Promise<void> {
  await applyFacts(env.DB, factsWithCountry(), new Date('2026-11-20T00:00:00Z'), 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
}
