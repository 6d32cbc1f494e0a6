import type { LeftOut } from '../src/engine/book/countries.ts'
import type { Provenance, Rate, Threshold } from '../src/engine/book/facts.ts'
import { describeThreshold } from '../src/engine/book/money-in-words.ts'
import { nameInSentence } from '../src/engine/book/names.ts'
import { PRODUCT_TYPES } from '../src/engine/book/product-types.ts'
import { inForce, openRateBook, type RateBook } from '../src/engine/book/rate-book.ts'
import { coverageOf, isTaxedPlace, taxedPlaces } from '../src/engine/answer/coverage.ts'
import type { Place } from '../src/engine/regimes/regime.ts'
import { lacksRegion, placeNamed } from '../src/engine/supply/place.ts'
import { percentInWords } from '../src/engine/book/figures-in-words.ts'
import { productRates } from '../src/interfaces/pages/product-rates.ts'
import { countryName } from '../src/platform/http/country-name.ts'
import { filingPlace } from '../src/returns/due/filing-calendar.ts'
import { FORMS_OF_REGION } from '../src/returns/forms/forms.ts'
import { NATIONAL_FORMS } from '../src/returns/forms/national-forms.ts'
import { countryFiles } from './country-files.ts'
import { looksSection } from './country-looks.ts'
import { type Keeper, keeperSection, readKeepers } from './keepers.ts'
import { readFacts } from './read-facts.ts'
import type { CountryFile } from './shipped-data/country-file.ts'

/** A page of the site about the tax of a country, as Markdown. `says` is its line in lists. */
export type CountryPage = { slug: string; title: string; says: string; text: string }

/** The pages of all countries whose tax is in the data, and of those that were looked at and left out. */
export function countryPages(): CountryPage[] {
  const book = openRateBook(readFacts())
  const day = book.recorded_at.slice(0, 10)
  const files = new Map(countryFiles().map((file) => [file.country, file]))
  const keepers = readKeepers()
  const covered = book.facts.jurisdictions
    .filter(({ type }) => type === 'country')
    .map(({ id }) => countryPage(book, placeNamed(book, id), day, { file: files.get(id), keepers }))
  const left_out = book.facts.countries.flatMap(({ id, left_out: why }) =>
    why === undefined ? [] : [leftOutPage(id, why, day, { file: files.get(id), keepers })],
  )
  return [...covered, ...left_out].toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** The page that lists them. */
export function countriesPage(pages: readonly CountryPage[]): string {
  const rows = pages.map(({ slug, title, says }) => `- [${title}](/docs/${slug}): ${says}`)
  return `# Countries

Each page is made from the data of this release: rates with their first days and sources, products with a
rule of their own, thresholds, returns, and what the service does not know.

${rows.join('\n')}
`
}

/** What people have written of a country. */
type Written = { file: CountryFile | undefined; keepers: readonly Keeper[] }

function countryPage(book: RateBook, place: Place, day: string, written: Written): CountryPage {
  const id = place.jurisdiction_id
  const name = countryName(id)
  const title = titleOf(book, id)
  const federal = lacksRegion(book, place)
  const rates = ratesOf(book, id, day)
  const general = rates.filter(({ tax_type }) => place.taxes.some((layer) => layer.tax_type === tax_type))
  const says = federal ? 'Rates and thresholds by place.' : ratesInWords(general)
  const sections = [
    `# ${title}\n`,
    `${introduction(book, place)}\n`,
    federal ? placesSection(book, id, day) : '',
    rates.length > 0 ? ratesSection(rates) : '',
    federal ? '' : productsSection(book, place, day),
    thresholdsSection(book, id, day),
    returnsSection(place, id),
    datesSection(id),
    federal ? '' : knownSection(book, place, day),
    looksSection(written.file),
    keeperSection(written.keepers, id, day),
  ]
  return { slug: slugOf(name), title, says, text: sections.filter(Boolean).join('\n') }
}

function leftOutPage(
  id: string,
  { why, no_such_tax }: LeftOut,
  day: string,
  { file, keepers }: Written,
): CountryPage {
  const name = countryName(id)
  const title = `Tax in ${nameInSentence(name)}: ${no_such_tax === undefined ? 'not covered' : 'none'}`
  const as_of = no_such_tax === undefined ? '' : `, as of ${no_such_tax}`
  const text = `# ${title}

${why}${as_of}. A sale to ${nameInSentence(name)} has the reason \`not_supported\` and no tax.

If you have to charge a rate that you know, set [your own rate](/docs/facts-of-a-sale#your-own-rates) for
\`${id}\`: each answer and report marks it as yours.

${looksSection(file)}
${keeperSection(keepers, id, day)}`
  return { slug: slugOf(name), title, says: `${why}${as_of}.`, text }
}

function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return `countries/${plain.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '')}`
}

/** What the trade calls the tax. Left out: VAT or GST, or the name of its rate in data/countries. */
const TAXES: Readonly<Record<string, string>> = {
  US: 'Sales tax',
  CA: 'GST, HST, PST and QST',
  JP: 'Consumption tax (VAT)',
  ES: 'IVA (VAT)',
  IT: 'IVA (VAT)',
}

function titleOf(book: RateBook, id: string): string {
  const tax = TAXES[id] ?? nameOfTax(book, id)
  return `${tax} in ${nameInSentence(countryName(id))}`
}

/** A country of data/countries calls its tax as its rate is called. */
function nameOfTax(book: RateBook, id: string): string {
  const { tax_system = 'VAT' } = book.jurisdictions.get(id) ?? {}
  if (book.countries.get(id) === undefined) return tax_system
  const name = book.rates.get(id)?.at(-1)?.name ?? tax_system
  return name.includes('VAT') || tax_system !== 'VAT' ? name : `${name} (VAT)`
}

const GUIDES: Readonly<Record<string, string>> = {
  EU: '[EU VAT](/docs/eu-vat)',
  UK: '[EU VAT](/docs/eu-vat)',
  US: '[US sales tax](/docs/us-sales-tax)',
  CA: '[Canada](/docs/canada)',
}

function introduction(book: RateBook, { jurisdiction_id, law }: Place): string {
  const { currency = '' } = book.jurisdictions.get(jurisdiction_id) ?? {}
  const only = law.only === undefined ? '' : ` Covered are ${law.only} alone.`
  const guide = GUIDES[law.id] ?? '[other countries](/docs/other-countries)'
  return (
    `\`${jurisdiction_id}\`, in ${currency}.${only} How a sale is taxed there: see ${guide}. ` +
    `This page is made from the data of the release, of ${book.recorded_at.slice(0, 10)}.`
  )
}

function ratesOf(book: RateBook, id: string, day: string): Rate[] {
  return (book.rates.get(id) ?? [])
    .filter(({ effective_to }) => effective_to === null || effective_to >= day)
    .toSorted((a, b) => b.rate_millionths - a.rate_millionths)
}

function ratesInWords(rates: readonly Rate[]): string {
  const words = rates.map(
    ({ category, rate_millionths }) => `${category.replaceAll('_', ' ')} ${percentInWords(rate_millionths)}`,
  )
  return `${[...new Set(words)].join(', ')}.`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}

function sourceOf({ source, source_url, last_verified_at }: Provenance): string[] {
  const named = source.replaceAll('|', '/')
  return [`[${named}](${source_url})`, last_verified_at?.slice(0, 10) ?? 'never']
}

function ratesSection(rates: readonly Rate[]): string {
  const rows = rates.map((rate) => [
    percentInWords(rate.rate_millionths),
    `${rate.tax_type} ${rate.category.replaceAll('_', ' ')}`,
    rate.effective_from,
    rate.effective_to ?? '',
    ...sourceOf(rate),
  ])
  return `## Rates\n\n${table(['Rate', 'Kind', 'Since', 'Until', 'Source', 'Seen there'], rows)}`
}

/** The states or provinces of a country whose tax is theirs. */
function placesSection(book: RateBook, id: string, day: string): string {
  const places = taxedPlaces(book).filter(({ jurisdiction_id }) => jurisdiction_id.startsWith(`${id}-`))
  const rows = places.map((place) => {
    const rates = place.taxes.flatMap((layer) =>
      (book.rates.get(layer.jurisdiction_id) ?? []).filter(
        (rate) => rate.tax_type === layer.tax_type && rate.category === 'standard' && inForce(rate, day),
      ),
    )
    const words = rates.map(({ tax_type, rate_millionths }) =>
      rates.length > 1 ? `${percentInWords(rate_millionths)} ${tax_type}` : percentInWords(rate_millionths),
    )
    const [threshold] = thresholdsOf(book, place.jurisdiction_id, day).filter(({ scope }) => scope !== 'none')
    return [
      `${place.name} (\`${place.jurisdiction_id}\`)`,
      words.join(' + ') || 'none',
      threshold === undefined ? '' : amountOf(threshold),
    ]
  })
  const note =
    id === 'US' ? '\nThe rate is that of the state. [Local taxes](/docs/us-local-taxes) come on top.\n' : ''
  return `## Rates by place\n\n${table(['Place', 'General rate', 'Register from'], rows)}${note}`
}

/** Products by rate. Those without a rule of their own are only counted. */
function productsSection(book: RateBook, place: Place, day: string): string {
  if (!isTaxedPlace(book, place)) return ''
  const rows = productRates(book, place, day).map(({ rate, treatment, products }) => {
    const named = products.filter(({ status }) => status !== 'default')
    const names = named.map(({ name, status }) => (status === 'uncertain' ? `${name} (uncertain)` : name))
    const others = products.length - named.length
    const rest = others === 0 ? [] : [`${others} ${named.length === 0 ? '' : 'more '}by default`]
    return [rate, treatment, [...names, ...rest].join(', ')]
  })
  return `## Products\n\n${table(['Rate', 'Treatment', 'Products'], rows)}`
}

function thresholdsOf(book: RateBook, id: string, day: string): readonly Threshold[] {
  return (book.thresholds.get(id) ?? []).filter((threshold) => inForce(threshold, day))
}

function amountOf(threshold: Threshold): string {
  const { amount, transaction_count } = threshold
  return amount === null && transaction_count === null ? 'no amount' : describeThreshold(threshold)
}

const inWords = (id: string | null) => (id ?? 'not in the data').toLowerCase().replaceAll('_', ' ')

function thresholdsSection(book: RateBook, id: string, day: string): string {
  const rows = thresholdsOf(book, id, day).map((threshold) => [
    `${inWords(threshold.threshold_type)}, ${inWords(threshold.scope)}`,
    amountOf(threshold),
    inWords(threshold.measurement_period),
    threshold.effective_from,
    ...sourceOf(threshold),
  ])
  if (rows.length === 0) return ''
  const head = ['Threshold', 'Amount', 'Counted over', 'Since', 'Source', 'Seen there']
  return `## Thresholds\n\n${table(head, rows)}`
}

function returnsSection({ law }: Place, id: string): string {
  const forms: Readonly<Record<string, readonly { type: string }[]>> = FORMS_OF_REGION
  const national = NATIONAL_FORMS.get(id)
  const types = (forms[law.id] ?? []).map(({ type }) => `\`${type}\``)
  const named = national === undefined ? [] : [`\`generic\` with the boxes of “${national.form}”`]
  const all = [...types, ...named]
  const text =
    all.length === 0
      ? 'No form of the country is in the data: `generic` lists the sales and the tax.'
      : `${all.join(', ')}: see [returns](/docs/returns). ` +
        'Nothing is [filed for you](/docs/not-here#registration-and-filing).'
  return `## Returns\n\n${text}\n`
}

/** When the returns of a country are due, and in which currency it files. */
function datesSection(id: string): string {
  const place = filingPlace(id)
  if (place === null) return ''
  const { returns, without_day, currency, source, source_url, confidence } = place
  const days = returns.map(({ frequency, months_after, day, notes }) => {
    const months = months_after === 1 ? 'the month' : `${months_after} months`
    const due =
      day === 31 ? `the last day, ${months} after the period` : `day ${day}, ${months} after the period`
    return `- ${inWords(frequency)}: ${due}${notes === null ? '' : `. ${notes}`}`
  })
  const open = without_day === null ? [] : [`- ${inWords(without_day.frequency)}: ${without_day.notes ?? ''}`]
  const files = currency === null ? '' : ` Filed in ${currency}.`
  const from = `Source: [${source}](${source_url}), confidence ${confidence}.${files}`
  return `${[...days, ...open].join('\n')}\n\n${from}\n`
}

/** How sure the rules are, and what is not known. */
function knownSection(book: RateBook, place: Place, day: string): string {
  if (!isTaxedPlace(book, place)) return ''
  const cells = PRODUCT_TYPES.map(({ id, name }) => ({ name, ...coverageOf(book, place, id, day) }))
  const of = (status: string) => cells.filter((cell) => cell.status === status)
  const unseen = of('on_file').filter(
    ({ confidence, last_verified_at }) => confidence !== null && last_verified_at === null,
  )
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  const lines = [
    `- ${of('on_file').length} of ${cells.length} products have a rule in the data; ` +
      `${unseen.length} of these were seen at no source yet.`,
    ...(of('uncertain').length === 0 ? [] : [`- Uncertain: ${names(of('uncertain'))}.`]),
    ...(of('default').length === 0 ? [] : [`- Taxed by default: ${names(of('default'))}.`]),
    ...(of('not_covered').length === 0 ? [] : [`- Not covered: ${names(of('not_covered'))}.`]),
  ]
  return `## What is known, and what is not\n\n${lines.join('\n')}\n`
}
