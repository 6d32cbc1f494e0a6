import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import type { Provenance } from '../../src/engine/book/facts.ts'
import { REVIEWED_ON } from '../../src/tax-data/records/review-day.ts'
import { sourceKindOf } from '../../src/tax-data/records/source-kind.ts'

const facts = readFacts()
const records = [...facts.product_rules, ...facts.rates]

describe('the kind of a source', () => {
  it.each([
    ['law', 'LIVA, art. 91', 'https://www.boe.es/buscar/act.php?id=BOE-A-1992-28740'],
    ['law', 'Wis. Stat. 77.52, copy of 2024', 'https://casetext.com/statute/wisconsin-statutes'],
    ['authority', 'HM Revenue & Customs', 'https://www.gov.uk/vat-rates'],
    ['authority', 'Tax Bulletin', 'https://tax.ny.gov./pubs_and_bulls/tg_bulletins/st/x.htm'],
    ['authority', 'Manitoba Finance', 'https://www.gov.mb.ca/finance/'],
    ['secondary', 'TaxLocus (CC BY 4.0)', 'https://github.com/Ringzero787/taxlocus-data'],
    ['secondary', 'UStG (as quoted on GitHub x/y)', 'https://www.ris.bka.gv.at/GeltendeFassung.wxe'],
    ['secondary', 'A newspaper', 'https://www.boe.es.example.com/'],
  ])('is %s for %s', (kind, source, source_url) => {
    expect(sourceKindOf({ source, source_url })).toBe(kind)
  })

  it('is unknown exactly for the records that nobody saw at a source', () => {
    for (const { last_verified_at, source_kind } of records)
      expect(source_kind === 'unknown').toBe(last_verified_at === null)
  })
})

describe('the sources of the data', () => {
  const isHoliday = ({ notes }: Provenance) => /\bsales tax holiday\b/.test(notes ?? '')
  const onCodeHost = ({ source, source_url }: Provenance) =>
    /\bGitHub\b/.test(source) || source_url.startsWith('https://github.com/')
  const seen = records.filter(({ source_kind }) => source_kind === 'secondary')

  // Each figure is exact: set it lower when a source is found. A new record needs a source with a day.
  it('are missing for fewer records than before', () => {
    const missing = (list: readonly Provenance[]) =>
      list.filter((each) => each.source_kind === 'unknown' && !isHoliday(each)).length
    expect({ rules: missing(facts.product_rules), rates: missing(facts.rates) }).toEqual({
      rules: 2_045,
      rates: 120,
    })
  })

  it('are on a code host for fewer records than before', () => {
    expect(seen.filter(onCodeHost).length).toBe(892)
  })

  it('are no plans of what is law today', () => {
    const inForce = records.filter(
      ({ effective_from, effective_to }) =>
        (effective_from ?? '') <= REVIEWED_ON && (effective_to ?? '9999') >= REVIEWED_ON,
    )
    const plans = inForce.filter(({ source, source_url }) =>
      /propos(al|es|ed)|\bplans?\b|\bdraft bill|seeks-comments|in consultation/i.test(
        `${source} ${source_url}`,
      ),
    )
    expect(plans.map(({ id, source }) => `${id}: ${source}`)).toEqual([])
  })
})
