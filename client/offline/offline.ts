import { calculateWith, saleAsked } from '../../src/sales/calculation/calculate-with.ts'
import { askedCalculation } from '../../src/sales/calculation/asked-calculation.ts'
import { noteOnTotal } from '../../src/sales/calculation/expected-total.ts'
import { assessmentInWords } from '../../src/engine/words/assessment-in-words.ts'
import { refuseWrongReason, sellingInOrder, termsOfNoSupply } from '../../src/sales/calculation/rare-lines.ts'
import { notesOnRegions } from '../../src/sales/calculation/unread-regions.ts'
import { customsDutyOf } from '../../src/sales/calculation/customs-duty.ts'
import { supplyOfFacilitator } from '../../src/engine/supply/facilitator.ts'
import { withStatedFacts } from '../../src/sales/calculation/stated-facts.ts'
import * as country_alone from '../../src/engine/supply/country-alone.ts'
import * as open_facts from '../../src/engine/terms/open-facts.ts'
import { withAmounts } from '../../src/sales/calculation/line-amounts.ts'
import { CalculateRequest as RequestSchema } from '../../src/sales/calculation/schemas.ts'
import type { Principal } from '../../src/platform/context.ts'
import { fieldError } from '../../src/platform/errors.ts'
import * as schemes from '../../src/parties/customers/customer-scheme.ts'
import { customerVatIdOf, noteOnVatId } from '../../src/parties/customers/customer-vat-id.ts'
import type { ProductNamed } from '../../src/platform/http/tax-enums.ts'
import { validate } from '../../src/platform/http/validate.ts'
import { isOwnType } from '../../src/tax-data/product-codes/product-of-code.ts'
import type { CalculateAnswer, CalculateRequest } from '../src/schema.ts'
import type { createOffline as CreateOffline, OfflineData, TakeOfflineData } from '../src/offline.ts'
import { booksOf, type OfflineBooks, SnapshotError } from './books.ts'

export { SnapshotError }

const WEEK_MS = 7 * 86_400_000

export const takeOfflineData: TakeOfflineData = async (tax, states = []) => {
  const account = await tax.account.get()
  const registrations = []
  for await (const registration of tax.registrations.list()) registrations.push(registration)
  const snapshots = [await tax.metadata.snapshot()]
  for (const local of states) snapshots.push(await tax.metadata.snapshot({ local }))
  return { snapshots, account, registrations }
}

/** The data as the engine reads it. */
export type Loaded = { books: OfflineBooks; principal: Principal; taken_ms: number }

/** Verifies the data and opens its books. Throws a SnapshotError. */
export async function openData(data: OfflineData): Promise<Loaded> {
  return { books: await booksOf(data.snapshots), principal: principalOf(data), taken_ms: takenAt(data) }
}

export const createOffline: typeof CreateOffline = ({ max_age_ms = WEEK_MS, now = Date.now } = {}) => {
  let loaded: Loaded | null = null
  return {
    load: async (data) => {
      loaded = await openData(data)
    },
    calculate: (sale) => {
      if (loaded === null) throw new SnapshotError('No snapshot is loaded')
      const age_ms = Math.max(0, now() - loaded.taken_ms)
      if (age_ms > max_age_ms) throw new SnapshotError('The snapshot is too old')
      const answer = calculateOffline(loaded, sale, new Date(now()))
      return { answer, age_ms, data_version: answer.meta.data_version }
    },
  }
}

/** The oldest part decides how old the data is. Throws a SnapshotError if a part does not say its time. */
function takenAt({ snapshots, account }: OfflineData): number {
  const taken_ms = Math.min(...[account, ...snapshots].map(({ queried_at }) => Date.parse(queried_at)))
  if (Number.isNaN(taken_ms)) throw new SnapshotError('queried_at is missing or no time: take the data again')
  return taken_ms
}

/** Throws what the service throws for a wrong sale, and for what only the service knows. */
export function calculateOffline(
  { books, principal }: Loaded,
  sale: CalculateRequest,
  now: Date,
): CalculateAnswer {
  const requested = validate(RequestSchema, sale)
  for (const field of ['customer_id', 'data_version', 'einvoice', 'compare'] as const)
    if (requested[field])
      throw fieldError('invalid_request', field, 'is unknown without the service: leave it out')
  const line_items = ownLines(withAmounts(requested.line_items), 'line_items')
  const asked = askedCalculation({ ...requested, line_items })
  const late = {
    views: null,
    numbers: null,
    vat_ids: { customerVatIdOf, noteOnVatId },
    regions: { notesOnRegions },
    comparison: null,
    totals: { noteOnTotal },
    words: { assessmentInWords },
    duties: { customsDutyOf },
    schemes,
    rare_lines: { termsOfNoSupply, sellingInOrder, refuseWrongReason },
    facilitator: { supplyOfFacilitator },
    stated: { withStatedFacts },
    open_facts,
    tokens: null,
    country_alone: asked.country_alone ? country_alone : null,
  }
  const context = { principal, now }
  const sold = saleAsked(context, { book: books.book, late }, asked, null)
  const answer = calculateWith(context, { ...books, late }, asked, sold)
  const note = `Calculated without the service, with the tax data of ${books.book.recorded_at.slice(0, 10)}`
  const missing = missingState(books, answer)
  return {
    ...answer,
    notes: [...answer.notes, note, ...(missing === null ? [] : [missing])],
    ...(requested.calculation_token && { calculation_token: null }),
    queried_at: now.toISOString(),
  } as CalculateAnswer
}

/** Lines whose products are types of ours. Throws invalid_request for a code. */
export function ownLines<Line extends { product_type: ProductNamed }>(lines: readonly Line[], field: string) {
  return lines.map((line, index) => {
    const { product_type } = line
    if (isOwnType(product_type)) return { ...line, product_type }
    const detail = `the code ${product_type} is unknown without the service: use a type of ours`
    throw fieldError('invalid_request', `${field}[${index}].product_type`, detail)
  })
}

/** What tells where a sale is taxed. */
type Placed = {
  jurisdiction_id: string | null
  tax_amount: number
  seller_registered: boolean
  line_items: readonly { tax_breakdown: readonly { jurisdiction_id: string }[] }[]
}

/**
 * A note on local taxes that are not loaded, where the seller charges nothing. Throws a SnapshotError where
 * tax would be missing.
 */
export function missingState({ local }: OfflineBooks, answer: Placed): string | null {
  const entries = answer.line_items.flatMap((line) => line.tax_breakdown)
  const places = [answer.jurisdiction_id, ...entries.map((entry) => entry.jurisdiction_id)]
  const isMissing = (id: string | null) =>
    id !== null && /^US-[A-Z]{2}$/.test(id) && (local?.state(id.slice(3)) ?? null) === null
  const place = places.find(isMissing)
  if (place === undefined) return null
  if (answer.tax_amount !== 0 || answer.seller_registered)
    throw new SnapshotError(`The local taxes of ${place} are not loaded: take them with the snapshot`)
  return `The local taxes of ${place} are not loaded. The seller is not registered there, so none is charged`
}

/** The account as a caller. Fields that no calculation reads are empty. */
function principalOf({ account, registrations }: OfflineData): Principal {
  const { country, region, city, postal_code } = account
  return {
    key_id: '',
    person: null,
    account_id: account.id,
    shard: 0,
    tier: account.tier,
    sandbox: account.sandbox,
    suspended: false,
    scopes: new Set(),
    expires_at: null,
    seller: country === null ? null : { country, region, city, postal_code },
    vat_id: null,
    vat_id_policy: account.vat_id_policy,
    small_business: account.small_business,
    over_eu_threshold: account.over_eu_threshold,
    time_zone: account.time_zone,
    periods: account.filing,
    taxjar: null,
    registrations: registrations.map(({ jurisdiction_id, scheme, valid_from, valid_to }) => ({
      id: jurisdiction_id ?? scheme ?? '',
      valid_from,
      valid_to,
      number: null,
    })),
    establishments: account.establishments,
    refuses_unknown_codes: true,
    global_turnover: account.global_turnover,
    own_rates: null,
  }
}
