import { todayIn } from '../../platform/kit/time-zone.ts'
import type { Reader } from '../../platform/context.ts'
import { regionsOf } from '../../platform/http/subdivisions.ts'
import { type FieldError, fieldError } from '../../platform/errors.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import { endsRequest, toApiError } from '../../platform/http/error-response.ts'
import { Country, Currency } from '../../platform/http/fields.ts'
import { CURRENCIES } from '../../platform/http/iso-codes.ts'
import { ProductTypeId } from '../../platform/http/tax-enums.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { assessSale } from '../../engine/answer/assess.ts'
import type { Assessment } from '../../engine/found/assessment.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { at } from '../../engine/ground/invariant.ts'
import { REGIONAL } from '../../engine/regimes/list.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { Address, Sale } from '../../engine/sale/sale.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { dataVersionOf } from '../../tax-data/records/data-version.ts'
import { localBookFor } from '../../tax-data/records/local-book-for.ts'
import { metaOfAssessment } from '../../tax-data/records/meta.ts'
import type { Meta } from '../../tax-data/records/schemas.ts'
import { type CityRate, cityRatesAt } from '../../sales/calculation/city-rates.ts'

/** What the form shows before a visitor has changed it. */
export const EXAMPLE = {
  from: 'DE',
  country: 'FR',
  region: '',
  postal_code: '',
  city: '',
  product_type: 'saas',
  amount: '19.99',
  currency: 'EUR',
  price: 'net',
  buyer: 'individual',
}

/** The fields of the form as the visitor wrote them; all are texts. */
export type CalculatorFields = Record<keyof typeof EXAMPLE, string>
const FIELD_NAMES = keysOf(EXAMPLE)

const FIELD_MAX = 60

/** The fields of an address of the page. A missing one is that of the example, but no seller and currency. */
export function fieldsOf(query: Readonly<Record<string, string>>): CalculatorFields {
  const fields = { ...EXAMPLE, from: '', currency: '' }
  for (const name of FIELD_NAMES) fields[name] = (query[name] ?? fields[name]).trim().slice(0, FIELD_MAX)
  return fields
}

/** A calculation for a visitor: the sale, its tax, the names of its places, and the source of the data. */
export type VisitorAnswer = {
  book: RateBook
  sale: Sale
  assessment: Assessment
  meta: Meta
  /** If the city decides the local tax and none was given: what can be chosen. */
  cities: readonly CityRate[]
}

export type CalculatorResult =
  | ({ kind: 'calculated' } & VisitorAnswer)
  | { kind: 'refused'; book: RateBook; errors: readonly FieldError[] }

/**
 * The tax of a sale by a seller that is registered wherever it has to be. It needs no key, because it
 * reads no account. Faulty fields are a result, by the names of the form. Other failures are thrown.
 */
export async function calculateForVisitor(
  reader: Reader,
  fields: CalculatorFields,
): Promise<CalculatorResult> {
  const book = await bookFor(reader)
  try {
    const sale = saleOfFields(book, fields, todayIn('UTC', reader.now))
    const { address } = sale.customer
    const local = await localBookFor(reader, book, { customer: address, supply: null })
    const assessment = withFieldsOf(SALE_FIELDS, () => assessSale(sale, book, local))
    const version = dataVersionOf(book.version, assessment.local === null ? null : local)
    const meta = metaOfAssessment(book, assessment.rates_used, assessment.rules_used, reader.now, version)
    const cities = await citiesToChoose(reader, book, local, { sale, assessment })
    return { kind: 'calculated', sale, assessment, book, meta, cities }
  } catch (thrown) {
    const error = toApiError(thrown)
    if (endsRequest(error)) throw thrown
    return { kind: 'refused', book, errors: error.errors }
  }
}

async function citiesToChoose(
  reader: Reader,
  book: RateBook,
  local: LocalBook | null,
  { sale, assessment }: Pick<VisitorAnswer, 'sale' | 'assessment'>,
): Promise<CityRate[]> {
  // A product that the county does not tax is not taxed in its cities either.
  if (local === null || assessment.local === null || assessment.tax_amount === 0) return []
  const { product_type } = at(sale.lines, 0)
  const question = { address: sale.customer.address, day: sale.day, product_type, data_version: null }
  return cityRatesAt(reader, book, { tax: assessment.local, local }, question)
}

/** How the form names the engine's parameters. */
const SALE_FIELDS = {
  'customer.address.region': 'region',
  'customer.address.postal_code': 'postal_code',
  'customer.address': 'country',
  'seller.address': 'from',
  'lines[0].product_type': 'product_type',
  lines: 'amount',
}

function saleOfFields(book: RateBook, fields: CalculatorFields, day: string): Sale {
  const country = parse(Country, 'country', fields.country)
  const currency = parse(Currency, 'currency', fields.currency || currencyOf(book, country))
  const seller = fields.from === '' ? null : { country: parse(Country, 'from', fields.from) }
  const line = {
    amount: minorUnits(fields.amount, currency),
    discount: 0,
    quantity: 1,
    product_type: parse(ProductTypeId, 'product_type', fields.product_type),
    tax_behavior: oneOf('price', fields.price, { net: 'exclusive', gross: 'inclusive' } as const),
    taxable: true,
    live: false,
    exemptions: [],
    funded_discount: 0,
    trade_in: 0,
    bundle: [],
  }
  const buyers = { individual: 'individual', business: 'business' } as const
  return {
    currency,
    day,
    seller: { address: seller, registrations: null, over_eu_threshold: true, small_business: false },
    customer: {
      address: addressOf(country, fields),
      type: oneOf('buyer', fields.buyer, buyers),
      vat_id: null,
    },
    ship_from: null,
    importer: null,
    delivery: null,
    marketplace: null,
    supply_address: null,
    lines: [line],
    shipping: null,
    rounding: 'line',
    seller_registered: true,
    exemptions: [],
    local_fallback: null,
    einvoice: null,
    explain: true,
  }
}

/**
 * The region is `US-CA` of the list, or a code or a name in a link. Throws invalid_region for a region of
 * another country. A country without regions ignores it.
 */
function addressOf(country: string, { region, postal_code, city }: CalculatorFields): Address {
  const own = region.startsWith(`${country}-`) ? region.slice(country.length + 1) : region
  const elsewhere = [...REGIONAL].some((each) => own.startsWith(`${each}-`))
  if (elsewhere && regionsOf(country).length > 0)
    throw fieldError('invalid_region', 'region', 'is in another country: choose one of this country')
  return {
    country,
    region: elsewhere ? null : own || null,
    postal_code: postal_code || null,
    city: city || null,
  }
}

function currencyOf(book: RateBook, country: string): string {
  return book.jurisdictions.get(country)?.currency ?? EXAMPLE.currency
}

type Parser<T> = { safeParse: (value: unknown) => { success: true; data: T } | { success: false } }

const ADVICE: Readonly<Partial<Record<keyof CalculatorFields, string>>> = {
  country: 'choose a country of the list',
  from: 'choose a country of the list',
  currency: 'must be a currency code such as EUR',
  product_type: 'choose a product of the list',
}

function parse<T>(schema: Parser<T>, name: keyof CalculatorFields, value: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw fieldError('invalid_request', name, ADVICE[name] ?? 'is not valid')
}

function oneOf<T>(name: keyof CalculatorFields, value: string, words: Readonly<Record<string, T>>): T {
  const word = Object.hasOwn(words, value) ? words[value] : undefined
  if (word !== undefined) return word
  throw fieldError('invalid_request', name, `must be one of ${Object.keys(words).join(', ')}`)
}

/** `19.99` and `19,99` as minor units. A price with more digits than its currency has is refused. */
export function minorUnits(text: string, currency: string): number {
  const digits = minorDigits(currency)
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,4}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > digits) {
    const example = digits === 0 ? '1999' : `19.${'9'.repeat(digits)}`
    throw fieldError('invalid_request', 'amount', `must be a price such as ${example}`)
  }
  return Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, '0') || '0')
}

/** The currencies of the list: those of the places with tax data, and the one that the visitor named. */
export function currenciesOf(book: RateBook | null, named: string): string[] {
  const own =
    book === null ? ['EUR', 'USD'] : [...book.jurisdictions.values()].map(({ currency }) => currency)
  return [...new Set([...own, ...(CURRENCIES.has(named) ? [named] : [])])].toSorted()
}

/** Whether an error of the calculation is one of the visitor's field. */
export function errorOf(errors: readonly FieldError[], name: string): string | null {
  return errors.find(({ path }) => path === name)?.message ?? null
}
