import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { sourceKindOf } from '../../src/tax-data/records/source-kind.ts'

const facts = readFacts()

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
    for (const { last_verified_at, source_kind } of [...facts.product_rules, ...facts.rates])
      expect(source_kind === 'unknown').toBe(last_verified_at === null)
  })
})
