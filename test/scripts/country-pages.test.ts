import { describe, expect, it } from 'vitest'
import { countryPages } from '../../scripts/country-pages.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { builtSite } from './built.ts'

const pages = countryPages()
const pageOf = (slug: string) => pages.find((each) => each.slug === `countries/${slug}`)?.text ?? ''

describe('the pages of the countries', () => {
  it('are there for each country of the data, and for those that were left out', () => {
    const { jurisdictions, countries } = readFacts()
    const covered = jurisdictions.filter(({ type }) => type === 'country')
    const left_out = countries.filter((each) => each.left_out !== undefined)
    expect(pages).toHaveLength(covered.length + left_out.length)
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length)
    for (const { slug, title } of pages) {
      expect(builtSite().get(`docs/${slug}.html`), slug).toContain(`<h1`)
      expect(builtSite().get('docs/countries.html')).toContain(`/docs/${slug}"`)
      expect(title.length, title).toBeLessThan(70)
    }
  })

  it('tell rates with source and day, products, thresholds, returns, and what is not known', () => {
    const germany = pageOf('germany')
    expect(germany).toMatch(/^# VAT in Germany\n/)
    expect(germany).toMatch(
      /\| 19 % \| VAT standard \| 2021-01-01 \| {2}\| \[.+\]\(https:.+\) \| \d{4}-\d\d-\d\d \|/,
    )
    expect(germany).toMatch(/\| 7 % \| reduced \| Groceries, Books/)
    expect(germany).toContain('| vat registration, hard limit | €100,000.00 |')
    expect(germany).toContain('`eu_domestic`')
    expect(germany).toContain('## What is known, and what is not')
    expect(germany).toContain('Taxed by default:')
  })

  it('tell the states of a federation, and what alone is covered', () => {
    expect(pageOf('united-states')).toContain('| Texas (`US-TX`) | 6.25 % | $500,000.00 |')
    expect(pageOf('canada')).toContain('9.975 % QST')
    expect(pageOf('taiwan')).toContain('Covered are digital services of sellers abroad alone')
    expect(pageOf('switzerland')).toContain('MWST-Abrechnung')
    expect(pageOf('israel')).toContain('not_supported')
  })
})
