import { describe, expect, it } from 'vitest'
import { countryFiles } from '../../scripts/country-files.ts'
import { lacksOfCountry } from '../../scripts/country-lacks.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import type { CountryFile, FileOfCountries } from '../../scripts/shipped-data/country-file.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Facts } from '../../src/engine/book/facts.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import { saleOf } from '../engine/sale.ts'

const files = countryFiles()

describe.each(files.map((file) => [file.country, file] as const))('data/countries/%s.json', (_, file) => {
  it('lacks nothing', () => {
    expect(lacksOfCountry(file)).toEqual([])
  })
})

describe('what npm run country says', () => {
  const kenya = files.find(({ country }) => country === 'KE') as CountryFile
  /** The file of Kenya with other fields in the last record of a kind. */
  const changed = (name: FileOfCountries, fields: object): CountryFile => {
    const rows = (kenya.records[name] ?? []) as object[]
    const records = rows.map((row, index) => (index === rows.length - 1 ? { ...row, ...fields } : row))
    return { ...kenya, records: { ...kenya.records, [name]: records } }
  }

  it.each<[string, CountryFile, RegExp]>([
    ['an address without TLS', changed('thresholds', { source_url: 'http://kra.go.ke' }), /no https address/],
    ['a low mark without a word', changed('thresholds', { confidence: 'low', notes: null }), /has no note/],
    [
      'a gap between two rates',
      changed('rates', { effective_from: '2021-01-02' }),
      /does not end on the day/,
    ],
    ['no rate today', changed('rates', { effective_to: '2026-01-01' }), /the last standard rate ends/],
    ['a record of another country', changed('rates', { jurisdiction_id: 'UG' }), /a record is of UG/],
    ['a number of another form', changed('vat-formats', { example: '1' }), /has not the form/],
    ['another name', changed('jurisdictions', { name: 'Kenia' }), /different names/],
    ['no rates', { ...kenya, records: { ...kenya.records, rates: [] } }, /no standard rate/],
    ['no law and no reason', { ...kenya, law: null, records: {} }, /left_out has to say why/],
  ])('is what is wrong: %s', (_, file, said) => {
    expect(lacksOfCountry(file).join('; ')).toMatch(said)
  })
})

it('changes no other country if a file is added or taken away', () => {
  const facts = readFacts()
  const isOther = ({ jurisdiction_id }: { jurisdiction_id: string }) => jurisdiction_id !== 'KE'
  const without: Facts = {
    ...facts,
    jurisdictions: facts.jurisdictions.filter(({ id }) => id !== 'KE'),
    rates: facts.rates.filter(isOther),
    product_rules: facts.product_rules.filter(isOther),
    thresholds: facts.thresholds.filter(isOther),
    countries: facts.countries.filter(({ id }) => id !== 'KE'),
  }
  const books = [facts, without].map((each) => openRateBook(each))
  const soldTo = (country: string) =>
    books.map(
      (book) =>
        assessSale(
          saleOf({
            from: { country: 'US', region: 'NY' },
            to: { country },
            day: '2026-11-15',
            registrations: [country],
            lines: [{ amount: 10_000, product_type: 'streaming' }],
          }),
          book,
        ).lines[0],
    )
  for (const { country } of files.filter((each) => each.country !== 'KE')) {
    const [before, after] = soldTo(country)
    expect(after, country).toEqual(before)
  }
  expect(soldTo('KE').map((line) => line?.taxability_reason)).toEqual([null, 'not_supported'])
})
