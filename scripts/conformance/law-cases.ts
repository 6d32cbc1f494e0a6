import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deck, FORMAT, type LawCase, parseDeck, type RegistrationCase, type SaleCase } from './deck.ts'

// Not imported from wrangler.ts, which loads all of wrangler: this runs before each build.
const ORACLES = join(import.meta.dirname, '../../test/engine/oracles')

export const LAW_DECK = 'test/conformance/law.json'

/** The day for which the cases of practitioners were answered. */
const AS_OF = '2026-11-20'

/** The day of a scenario that names none. */
const DAY_OF_SCENARIO = '2026-06-15'

/**
 * Sources that name no law, office or project: another case, or a law without its number. Cases that have
 * only such a source are not in the deck.
 */
const NO_SOURCE =
  /^(same|before|ETA|dropped .*|arithmetic|three-decimal|state law|state statute\b.*|statute of the .*|own rule.*|no (sales|state sales|general) .*|physical presence|SSUTA specified digital products .*)$/

/** Products and places of these cases are as in the request, and the shape of a request is known. */
type Place = SaleCase['buyer']
type Practitioners = {
  id: string
  note: string
  source: string
  confidence: 'high' | 'medium'
  endpoint?: string
  request: {
    date?: string
    transaction_date?: string
    jurisdiction_id?: string
    product_type?: string
    currency?: string
    tax_behavior?: 'exclusive' | 'inclusive'
    seller: SaleCase['seller']
    customer?: {
      address: Place
      type?: 'individual' | 'business'
      vat_id?: string
      vat_id_validated?: boolean
    }
    supply_address?: Place
    line_items?: { product_type: string; amount: number; quantity?: number }[]
    shipping_cost?: { amount: number }
    sales?: { amount: number; currency: string; transaction_count: number }
  }
  expect: {
    tax_amount?: number
    tax_rate?: number
    jurisdiction_id?: string
    reverse_charge?: boolean
    must_register?: boolean
    collect?: boolean
  }
}

type Scenario = {
  case: string
  kind?: 'calculate' | 'threshold'
  origin: string
  confidence: 'high' | 'medium'
  input: {
    jurisdiction_id?: string
    seller: SaleCase['seller']
    customer?: {
      type: 'individual' | 'business'
      address: Place
      vat_id?: string | null
      vat_id_valid?: boolean | null
    }
    supply_address?: Place
    product_type?: string
    amount?: number
    line_items?: { amount: number; quantity: number; product_type: string }[]
    currency?: string
    transaction_date?: string
    date?: string
    tax_behavior?: 'exclusive' | 'inclusive'
    exemption?: object
    sales?: { amount: number; currency: string; transaction_count: number }
  }
  expected: {
    tax_amount?: number | null
    rate?: number | null
    vat_country?: string
    jurisdiction_id?: string
    reverse_charge?: boolean
    threshold_exceeded?: boolean
  }
}

/** The deck of law, made from the oracles of the tests: those with a source. */
function lawDeck(): Deck {
  const practitioners: Practitioners[] = JSON.parse(readFileSync(join(ORACLES, 'law.json'), 'utf8'))
  const { cases: scenarios }: { cases: Scenario[] } = JSON.parse(
    readFileSync(join(ORACLES, 'scenarios.json'), 'utf8'),
  )
  return parseDeck({
    format: FORMAT,
    title: 'Sales tax, VAT and GST: what the law says of single sales',
    note: 'Made by npm run generate. docs/conformance.md explains the format.',
    as_of: AS_OF,
    cases: [
      ...practitioners.filter(({ source }) => !NO_SOURCE.test(source)).map(caseOfPractitioner),
      ...scenarios.flatMap((each) => caseOfScenario(each) ?? []),
    ],
  })
}

/** The text of the file. */
export function lawDeckText(): string {
  return `${JSON.stringify(lawDeck(), null, 1)}\n`
}

function caseOfPractitioner({ id, note, source, confidence, request, expect }: Practitioners): LawCase {
  const head = { id, description: note, source, confidence }
  if (request.sales !== undefined) {
    const { must_register = false, collect } = expect
    return registrationCase(
      { ...head, date: request.date ?? AS_OF },
      { ...request, jurisdiction_id: request.jurisdiction_id ?? '', sales: request.sales },
      { must_register, ...(collect !== undefined && { collect }) },
    )
  }
  const { address = { country: '' }, type, vat_id, vat_id_validated } = request.customer ?? {}
  return {
    ...head,
    kind: 'sale',
    date: request.transaction_date ?? AS_OF,
    currency: request.currency ?? '',
    prices: request.tax_behavior ?? 'exclusive',
    seller: request.seller,
    buyer: buyerOf(address, type, vat_id ?? null, vat_id_validated ?? null),
    ...(request.supply_address !== undefined && { place_of_event: request.supply_address }),
    lines: (request.line_items ?? []).map(({ product_type, ...line }) => ({
      product: product_type,
      ...line,
    })),
    ...(request.shipping_cost !== undefined && { shipping: request.shipping_cost.amount }),
    expected: {
      tax: expect.tax_amount ?? 0,
      ...(expect.tax_rate !== undefined && { rate: String(expect.tax_rate) }),
      ...(expect.jurisdiction_id !== undefined && { jurisdiction: expect.jurisdiction_id }),
      ...(expect.reverse_charge !== undefined && { reverse_charge: expect.reverse_charge }),
    },
  }
}

/** Null: the case rests on a rule of the project alone, on a certificate, or has no whole tax expected. */
function caseOfScenario({ case: named, origin, confidence, input, expected }: Scenario): LawCase | null {
  if (NO_SOURCE.test(origin) || input.exemption !== undefined) return null
  const [id = '', description = ''] = named.split(/: (.*)/)
  const head = { id: `S-${id}`, description, source: origin, confidence }
  if (input.sales !== undefined && input.jurisdiction_id !== undefined)
    return registrationCase(
      { ...head, date: input.date ?? DAY_OF_SCENARIO },
      { ...input, jurisdiction_id: input.jurisdiction_id, sales: input.sales },
      { must_register: expected.threshold_exceeded === true },
    )
  const { customer } = input
  const { tax_amount } = expected
  if (customer === undefined || typeof tax_amount !== 'number') return null
  // The answer is that of the state alone, and a ZIP code has local taxes on top.
  if (customer.address.country === 'US' && customer.address.postal_code !== undefined) return null
  const lines = input.line_items ?? [
    { amount: input.amount ?? 0, quantity: 1, product_type: input.product_type ?? 'physical_goods' },
  ]
  return {
    ...head,
    kind: 'sale',
    date: input.transaction_date ?? DAY_OF_SCENARIO,
    currency: input.currency ?? 'EUR',
    prices: input.tax_behavior ?? 'exclusive',
    seller: sellerOf(input.seller),
    buyer: buyerOf(customer.address, customer.type, customer.vat_id ?? null, customer.vat_id_valid ?? null),
    ...(input.supply_address !== undefined && { place_of_event: input.supply_address }),
    lines: lines.map(({ product_type, ...line }) => ({ product: product_type, ...line })),
    expected: {
      tax: tax_amount,
      ...(typeof expected.rate === 'number' && { rate: String(expected.rate) }),
      ...(expected.reverse_charge !== undefined && { reverse_charge: expected.reverse_charge }),
    },
  }
}

type Asked = Pick<RegistrationCase, 'id' | 'description' | 'source' | 'confidence' | 'date'>
type Measured = {
  jurisdiction_id: string
  product_type?: string
  seller: SaleCase['seller']
  sales: { amount: number; currency: string; transaction_count: number }
}

function registrationCase(
  asked: Asked,
  { jurisdiction_id, product_type, seller, sales }: Measured,
  expected: RegistrationCase['expected'],
): RegistrationCase {
  const { transaction_count, ...sum } = sales
  return {
    ...asked,
    kind: 'registration',
    jurisdiction: jurisdiction_id,
    seller: sellerOf({ ...seller, registrations: seller.registrations ?? [] }),
    ...(product_type !== undefined && { product: product_type }),
    sales: { ...sum, count: transaction_count },
    expected,
  }
}

/** A threshold that was not passed is not said. */
function sellerOf({ over_eu_threshold, ...seller }: SaleCase['seller']): SaleCase['seller'] {
  return over_eu_threshold === true ? { ...seller, over_eu_threshold } : seller
}

function buyerOf(
  address: Place,
  type: 'individual' | 'business' | undefined,
  vat_id: string | null,
  vat_id_valid: boolean | null,
): SaleCase['buyer'] {
  return {
    ...address,
    ...(type !== undefined && { type }),
    ...(vat_id !== null && { vat_id }),
    ...(vat_id_valid !== null && { vat_id_valid }),
  }
}
