import type { TaxLayer } from '../book/layer.ts'
import { nameInSentence } from '../book/names.ts'
import { isVoucher, productInSentence } from '../book/product-types.ts'
import type { Supplied, Walk } from '../found/found.ts'
import type {
  FacilitatedSale,
  Place,
  RegimeLaw,
  Supply,
  TaxedKind,
  UntaxedReason,
  UntaxedSupply,
  VoucherLaw,
} from '../regimes/regime.ts'
import type { Product } from '../sale/lines.ts'

/** What the law is asked about one supply. */
export type SupplyQuestion = {
  walk: Walk
  kind: TaxedKind
  product: Product
  withinLimit: FacilitatedSale['withinConsignmentLimit']
}

const NONE: readonly never[] = []

type Accounted = Pick<Supplied, 'supply' | 'freed' | 'notes'>

/** Why the sale of a voucher is not taxed. */
export const NO_SUPPLY = 'The sale of a multi-purpose voucher is not a supply. Tax is due when it is redeemed'

/** Step 3: who accounts for the tax of a supply at its place. */
export function accountedFor(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  if (asked.product.nature.voucher) return soldVoucher(asked, supply, place)
  const freed = postageOfVouchers(asked, place)
  if (freed === null) return bySellerOrMarketplace(asked, supply, place)
  const sent = untaxed('not_a_supply', supply.place, freed, SENT_VOUCHER)
  return { freed: NONE, notes: NONE, supply: sent }
}

const SENT_VOUCHER = 'A charge for sending only vouchers is not part of a taxable amount'

/** The law that frees the postage of vouchers without goods; null: none does, or it is no such postage. */
function postageOfVouchers({ walk, product }: SupplyQuestion, { law }: Place): string | null {
  if (product.nature.kind !== 'shipping') return null
  const { lines, day } = walk.sale
  return lines.some(({ product_type }) => isVoucher(product_type))
    ? (voucherLaw(law, day)?.postage ?? null)
    : null
}

/** A voucher whose use is not yet known is no supply by the law of the place that would tax it. */
function soldVoucher(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { sale, seller } = asked.walk
  const { law } = supply.kind === 'untaxed' ? (seller ?? place) : place
  const rule = voucherLaw(law, sale.day)
  if (rule !== null)
    return { freed: NONE, notes: NONE, supply: untaxed('not_a_supply', supply.place, rule.basis, NO_SUPPLY) }
  const accounted = bySellerOrMarketplace(asked, supply, place)
  const named = nameInSentence(law.name)
  const note =
    `The law of ${named} on vouchers is not in the data for ${sale.day}, so it was ` + `taxed as a service`
  return { ...accounted, notes: [...accounted.notes, note] }
}

/** The law on a day by which the sale of a voucher for several kinds of supply is no supply; null: none. */
export function voucherLaw({ vouchers }: RegimeLaw, day: string): VoucherLaw | null {
  return vouchers !== null && (vouchers.from === null || vouchers.from <= day) ? vouchers : null
}

/** The seller accounts for the tax, unless a marketplace does or it is a small business at home. */
function bySellerOrMarketplace(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { walk } = asked
  const facilitated = walk.sale.marketplace === 'facilitated'
  const taxed = supply.kind === 'taxed'
  const sale = facilitated ? facilitatedSale(asked, taxed ? place : walk.customer) : null
  const byMarketplace = sale === null ? null : supplyOfMarketplace(sale)
  if (byMarketplace !== null) return { supply: byMarketplace, freed: NONE, notes: noteOnMarketplace(sale) }
  if (supply.kind !== 'taxed') return { supply, freed: NONE, notes: NONE }
  const notes = sale === null ? NONE : [whyNotMarketplace(sale)]
  const abroad = supply.established ? null : smallAbroad(walk, place)
  if (abroad !== null) return { supply: ofSmallBusiness(supply.place, abroad), freed: NONE, notes }
  // A territory has the scheme of its state.
  const basis = place.law.small_business ?? walk.seller?.law.small_business ?? null
  if (!walk.sale.seller.small_business || !supply.established || basis === null)
    return { supply, freed: NONE, notes }
  const freed = freedAsSmall(walk, place)
  if (freed.length < place.taxes.length) return { supply, freed, notes }
  return { supply: ofSmallBusiness(supply.place, basis), freed: NONE, notes }
}

function noteOnMarketplace(sale: FacilitatedSale | null): readonly string[] {
  const note = sale?.place.law.marketplaceNote?.(sale) ?? null
  return note === null ? NONE : [note]
}

function untaxed(reason: UntaxedReason, place: string, basis: string, detail: string): UntaxedSupply {
  return { kind: 'untaxed', reason, place, basis, detail }
}

function ofSmallBusiness(place: string, basis: string): UntaxedSupply {
  return untaxed('small_business', place, basis, 'The seller is a small business that charges no tax')
}

function smallAbroad({ sale, seller }: Walk, place: Place): string | null {
  return place.law.smallBusinessFromAbroad?.(place, seller, sale.seller, sale.day) ?? null
}

/**
 * The taxes of a place that a small business of its country need not charge. A province has its own
 * threshold for small sellers, so a seller that registered there owes its tax.
 */
function freedAsSmall({ registrations }: Walk, { law, taxes }: Place): readonly TaxLayer[] {
  return taxes.filter(
    ({ tax_type, jurisdiction_id }) =>
      !(law.provinces?.taxes.includes(tax_type) && registrations.holds(jurisdiction_id)),
  )
}

/** Why no marketplace accounts for a sale. An act that is not on file is never said to free it. */
function whyNotMarketplace(sale: FacilitatedSale): string {
  const unknown = lawNotOnFile(sale)
  if (unknown === null) return SELLER_ACCOUNTS
  return `${unknown}. The answer assumes that the seller accounts for it. Ask the marketplace`
}

/** That the data does not say who accounts for a sale on a marketplace; null: it says it. */
export function lawNotOnFile(sale: FacilitatedSale): string | null {
  const { law, name } = sale.place
  if (law.isMarketplaceLawOnFile?.(sale) !== false) return null
  return (
    'The data does not say whether the marketplace collects the tax on ' +
    `${productInSentence(sale.product_type)} in ${name}`
  )
}

const SELLER_ACCOUNTS =
  'The marketplace is not liable for the tax of this sale, so the seller accounts for it'

/** The sale of a seller on a marketplace, as the law of a place on marketplaces looks at it. */
export function facilitatedSale(
  { walk, kind, product, withinLimit }: SupplyQuestion,
  place: Place,
): FacilitatedSale {
  const { day } = walk.sale
  return {
    kind,
    product_type: product.product_type,
    lawful: place.marketplace_from !== null && place.marketplace_from <= day,
    place,
    establishment: walk.seller,
    origin: kind === 'goods' ? walk.origin : walk.seller,
    customer: walk.sale.customer,
    business_only: product.line?.business_only ?? false,
    day,
    holds: walk.registrations.counts,
    withinConsignmentLimit: withinLimit,
  }
}

/** The supply of a marketplace that accounts for its tax by the law of the place; null: the seller does. */
function supplyOfMarketplace(sale: FacilitatedSale): UntaxedSupply | null {
  const { place } = sale
  const basis = place.law.marketplaceAccounts(sale)
  if (basis === null) return null
  const detail = 'The marketplace that makes the sale accounts for the tax, so the seller collects nothing'
  return untaxed('marketplace_collects', place.jurisdiction_id, basis, detail)
}
