import { countryName } from '../src/platform/http/country-name.ts'
import { isLawCollected } from '../src/platform/regions.ts'
import { assessSale } from '../src/engine/answer/assess.ts'
import type { Jurisdiction } from '../src/engine/book/facts.ts'
import type { CountryLaw } from '../src/engine/book/countries.ts'
import { percentInWords } from '../src/engine/book/figures-in-words.ts'
import { describeThreshold } from '../src/engine/book/money-in-words.ts'
import { inForce, openRateBook, type RateBook } from '../src/engine/book/rate-book.ts'
import { Refusal } from '../src/engine/ground/refusal.ts'
import type { Sale } from '../src/engine/sale/sale.ts'
import { plainSale } from './plain-sale.ts'
import { readFacts } from './read-facts.ts'

/** The sales of a column. `home`: the seller is in the country, else it is abroad and registered there. */
const COLUMNS = [
  { title: 'Home sales', product_type: 'physical_goods', home: true },
  { title: 'Streams from abroad', product_type: 'streaming', home: false },
  { title: 'Other services from abroad', product_type: 'professional_services', home: false },
  { title: 'Small goods from abroad', product_type: 'physical_goods', home: false },
] as const

type Column = (typeof COLUMNS)[number]

/** Countries whose data people keep, with the first day on which a registered seller charges a consumer. */
export function countriesTable(): string {
  const book = openRateBook(readFacts())
  const countries = book.facts.jurisdictions.filter(
    ({ type, region }) => type === 'country' && !isLawCollected(region),
  )
  const rows = countries.map((country) => {
    const cells = COLUMNS.map((column) => firstDay(book, country, column))
    return `| ${countryName(country.id)} (\`${country.id}\`) | ${country.currency} | ${cells.join(' | ')} |`
  })
  const titles = ['Country', 'Currency', ...COLUMNS.map(({ title }) => title)]
  return [`| ${titles.join(' | ')} |`, `|${' --- |'.repeat(titles.length)}`, ...rows].join('\n')
}

/** No law of these countries on sellers abroad is older. */
const EARLIEST = '2000-01-01'
const DAY_MS = 86_400_000

/** The first day on which the sale is taxed, or why it is not taxed on the day of the data. */
function firstDay(book: RateBook, country: Jurisdiction, column: Column): string {
  const today = book.recorded_at.slice(0, 10)
  const found = taxedOn(book, country, column, today)
  if (found !== 'taxed') return found
  if (taxedOn(book, country, column, EARLIEST) === 'taxed') return `before ${EARLIEST.slice(0, 4)}`
  let [untaxed, taxed] = [numberOf(EARLIEST), numberOf(today)]
  while (taxed - untaxed > 1) {
    const middle = Math.floor((untaxed + taxed) / 2)
    if (taxedOn(book, country, column, dayOfNumber(middle)) === 'taxed') taxed = middle
    else untaxed = middle
  }
  return dayOfNumber(taxed)
}

const numberOf = (day: string) => Date.parse(day) / DAY_MS
const dayOfNumber = (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10)

type Found = 'taxed' | 'not covered' | 'not charged'

function taxedOn(book: RateBook, country: Jurisdiction, column: Column, day: string): Found {
  try {
    const [line] = assessSale(saleIn(country, column, day), book).lines
    if (line?.taxability_reason === 'not_supported') return 'not covered'
    return line?.jurisdiction_id === country.id && line.tax_amount > 0 ? 'taxed' : 'not charged'
  } catch (error) {
    if (error instanceof Refusal) return 'not covered'
    throw error
  }
}

/** A sale of 20 US dollars to a consumer. Goods from abroad are sent from the seller. */
function saleIn({ id }: Jurisdiction, { product_type, home }: Column, day: string): Sale {
  const seller = {
    address: home ? { country: id } : { country: 'US', region: 'NY' },
    registrations: [id],
    over_eu_threshold: false,
    small_business: false,
  }
  return plainSale({ currency: 'USD', day, seller, to: { country: id } }, { amount: 2_000, product_type })
}

/** Countries with digital services of sellers abroad alone: who registers, and who is charged. */
export function digitalTable(): string {
  const book = openRateBook(readFacts())
  const rows = book.facts.countries.flatMap(({ id, law }) => {
    if (law === undefined) return []
    const cells = [
      `${countryName(id)} (\`${id}\`)`,
      rateIn(book, id),
      law.since,
      registersAt(book, id, law),
      law.business === null ? 'are charged' : `account for it: ${law.business.section}`,
      law.caveat ?? '',
    ]
    return [`| ${cells.join(' | ')} |`]
  })
  const titles = ['Country', 'Rate', 'Covered since', 'Register', 'Businesses', 'What is not certain']
  return [`| ${titles.join(' | ')} |`, `|${' --- |'.repeat(titles.length)}`, ...rows].join('\n')
}

function rateIn(book: RateBook, id: string): string {
  const day = book.recorded_at.slice(0, 10)
  const standard = (book.rates.get(id) ?? []).find(
    (rate) => rate.category === 'standard' && inForce(rate, day),
  )
  return standard === undefined ? 'not in the data' : percentInWords(standard.rate_millionths)
}

function registersAt(book: RateBook, id: string, { registration }: CountryLaw): string {
  if (registration === 'choice') return 'by choice'
  if (registration === 'appointed') return 'if the office appoints the seller'
  const day = book.recorded_at.slice(0, 10)
  const limits = (book.thresholds.get(id) ?? []).filter((threshold) => inForce(threshold, day))
  if (limits.length === 0) return 'not in the data'
  const words = limits.map((limit) =>
    limit.amount === 0
      ? 'at once'
      : `${describeThreshold(limit)}, ${(limit.measurement_period ?? '').replaceAll('_', ' ')}`,
  )
  return words.join(' or ')
}
