import { dayOfRequest } from './day-of-request.ts'
import type { Context } from '../../platform/context.ts'
import { type KnownCustomer, loadCustomerOf } from '../../parties/customers/known-customers.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import { thresholdsOfQuestion } from '../../engine/answer/collect-question.ts'
import { type CollectDecision, decideCollection } from '../../engine/answer/decide.ts'
import type { Threshold } from '../../engine/book/facts.ts'
import { type ProductTypeName, supplyKind } from '../../engine/book/product-types.ts'
import { findPlace, placeOfJurisdiction } from '../../engine/supply/place.ts'
import type { Place } from '../../engine/regimes/regime.ts'
import { recordedSales } from '../nexus/nexus.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { isOtherLimit, type Sales } from '../../engine/terms/thresholds.ts'
import { requireTypeIfNamed } from '../../tax-data/product-codes/product-of-code.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { findJurisdiction, requireOwnTax } from '../../tax-data/records/find-jurisdiction.ts'
import { metaOfThresholds } from '../../tax-data/records/meta.ts'
import { presentThreshold } from '../../tax-data/records/present-facts.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import { futureNotes } from './future-notes.ts'
import type { DecisionAnswer } from './answers.ts'
import { facilitatedSellerOf } from './asked-calculation.ts'
import { facilitatorOf } from './sale-of-request.ts'
import type { DecisionBody } from './rule-schemas.ts'
import { refuseUnknownRegistrations, sellerOf } from '../../parties/accounts/seller.ts'
import { hasVatId } from '../../parties/customers/has-vat-id.ts'
import { loadModules } from './late-modules.ts'

/** Whether the seller has to collect in a jurisdiction, with the chain of reasons. */
export async function decideCollect(
  context: Context,
  requested: DecisionBody,
): Promise<Answer<typeof DecisionAnswer>> {
  const body = { ...requested, product_type: await requireTypeIfNamed(requested.product_type) }
  const book = await bookFor(context)
  refuseUnknownRegistrations(book, body.seller)
  const facilitated_seller = facilitatedSellerOf(body.marketplace)
  refuseUnknownRegistrations(book, facilitated_seller ?? undefined, 'marketplace.seller')
  const day = dayOfRequest(context, body.date)
  const { customer } = body
  const known = await loadCustomerOf(context, body)
  const place = placeOfQuestion(book, body, known)
  const marketplace = body.marketplace?.role ?? null
  const { vat_ids, facilitator } = await loadModules([
    ...(hasVatId(customer, known) ? (['vat_ids'] as const) : []),
    ...(marketplace === 'facilitator' ? (['facilitator'] as const) : []),
  ])
  const country = place.jurisdiction_id.slice(0, 2)
  const vat_id = vat_ids?.customerVatIdOf(context, customer, known, country).vat_id ?? null
  const question = {
    place,
    seller: sellerOf(context, body.seller, day),
    seller_registered: body.seller_registered ?? null,
    customer_type: customer?.type ?? null,
    vat_id,
    ship_from: body.ship_from ?? null,
    importer: body.importer ?? null,
    supply_address: body.supply_address ?? null,
    marketplace,
    facilitator: facilitatorOf({ marketplace, facilitated_seller }, facilitator),
    exemptions: known?.exemptions ?? [],
    product_type: body.product_type ?? null,
    price: askedPrice(body),
    day,
  }
  const sales =
    body.sales === undefined ? await ownSales(context, book, thresholdsOfQuestion(question, book), day) : null
  const { global_turnover = null } = question.seller
  const salesOf = (threshold: Threshold | null) => {
    const sold = statedSales(body, threshold) ?? sales?.get(threshold?.id ?? '') ?? null
    return sold === null ? null : { ...sold, global_turnover }
  }
  const decision = withFieldsOf(DECISION_FIELDS, () =>
    decideCollection({ ...question, sales: salesOf }, book),
  )
  return presentDecision(context, book, place, decision, futureNotes(day, context))
}

/** The sales that the request states for a threshold: those of 3 months are stated apart. */
function statedSales({ sales }: DecisionBody, threshold: Threshold | null): Sales | null {
  if (sales === undefined) return null
  const { last_3_months, ...stated } = sales
  if (threshold === null || !isOtherLimit(threshold)) return stated
  return last_3_months === undefined ? null : { ...stated, ...last_3_months }
}

/** The account's recorded sales, by the id of each threshold that has an amount. */
async function ownSales(
  context: Context,
  book: RateBook,
  thresholds: readonly Threshold[],
  day: string,
): Promise<Map<string, Sales>> {
  const measurable = thresholds.filter((threshold) => threshold.amount !== null)
  return new Map(
    await Promise.all(
      measurable.map(
        async (threshold) => [threshold.id, await recordedSales(context, book, threshold, day)] as const,
      ),
    ),
  )
}

/** How the request names the engine's parameters. */
const DECISION_FIELDS = { day: 'date', 'lines[0]': '', 'seller.address': 'seller' }

function askedPrice({ amount, currency }: DecisionBody): { amount: number; currency: string } | null {
  if (amount === undefined) return null
  if (currency === undefined) throw fieldError('invalid_request', 'currency', 'is required with amount')
  return { amount, currency }
}

function placeOfQuestion(book: RateBook, body: OwnQuestion, known: KnownCustomer | null): Place {
  if (body.jurisdiction_id !== undefined) {
    const jurisdiction = findJurisdiction(book, body.jurisdiction_id, 'jurisdiction_id')
    const { id } = requireOwnTax(book, jurisdiction, 'jurisdiction_id')
    return invariant(placeOfJurisdiction(book, id), `${id} exists`)
  }
  const spot = body.supply_address
  if (spot && body.product_type !== undefined && isTakenOnSpot(body.product_type))
    return findPlace(book, spot, 'supply_address')
  const address = body.customer?.address ?? known?.address
  if (!address)
    throw fieldError('invalid_request', 'jurisdiction_id', 'required unless customer.address is given')
  return findPlace(book, address, 'customer.address')
}

type OwnQuestion = Omit<DecisionBody, 'product_type'> & { product_type: ProductTypeName | undefined }

/** A sale of it is taxed where it takes place, whoever buys it. */
function isTakenOnSpot(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'on_site' || kind === 'property'
}

function presentDecision(
  context: Context,
  book: RateBook,
  place: Place,
  decision: CollectDecision,
  notes: readonly string[],
): Answer<typeof DecisionAnswer> {
  const { threshold, progress } = decision
  return {
    jurisdiction_id: place.jurisdiction_id,
    collect: decision.collect,
    reason: decision.reason,
    reasons: decision.reasons,
    seller_registered: decision.seller_registered,
    must_register: decision.must_register,
    threshold: threshold === null ? null : presentThreshold(book, threshold),
    progress:
      progress === null
        ? null
        : {
            amount: progress.amount,
            currency: progress.currency,
            transaction_count: progress.transaction_count,
            ratio: progress.ratio_millionths === null ? null : progress.ratio_millionths / MILLION,
          },
    explanation: decision.explanation,
    notes: [...decision.doubts, ...notes],
    meta: metaOfThresholds(book, decision.rates_used, threshold === null ? [] : [threshold], context.now),
  }
}
