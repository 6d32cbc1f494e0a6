import { supplyKind } from '../book/product-types.ts'
import type { Customer, Seller } from '../sale/sale.ts'
import {
  ISSUERS_FOR_GOODS,
  ISSUERS_FOR_SERVICES,
  memberStateOf,
  REGISTRATIONS_IN,
} from './eu-member-states.ts'
import type { DeclaredLine, LineScheme } from './regime.ts'

/**
 * The one-stop shop through which the tax of a line is declared (Directive 2006/112/EC, art. 358a, 369a,
 * 369l); '' is the seller's own number or establishment. Who uses a scheme declares all its supplies by it,
 * also in a state where it has a number: a number is no establishment (art. 369b, 369f). This alone decides,
 * for the books, for returns and their files, and for the number on the invoice.
 */
export function schemeOf(line: DeclaredLine, seller: Seller, customer: Customer): LineScheme {
  if (!line.bears_tax) return ''
  const held = seller.registrations ?? []
  const asked: DeclaredSale = {
    line,
    customer,
    state: memberStateOf(line.place_of_supply),
    home: seller.address === null ? null : memberStateOf(seller.address.country),
    established: statesOf(seller),
    holds: (id) => held.includes(id),
  }
  return isGoods(line.product_type) ? schemeOfGoods(asked) : schemeOfService(asked)
}

type DeclaredSale = {
  line: DeclaredLine
  customer: Customer
  /** The member state that taxes the line. */
  state: string
  /** The seller's own country; null: unknown. */
  home: string | null
  /** Where the seller is established. */
  established: readonly string[]
  holds: (registration: string) => boolean
}

/** The countries in which a seller is established: its own, and those of its fixed establishments. */
function statesOf({ address, establishments = [] }: Seller): readonly string[] {
  return address === null ? establishments : [memberStateOf(address.country), ...establishments]
}

/**
 * The place that the goods leave decides: a sale within one state is not of a scheme, and a sale to the
 * seller's own state from a stock elsewhere is (annex III of Implementing Regulation (EU) 2020/194, part 2d).
 */
function schemeOfGoods(asked: DeclaredSale): LineScheme {
  const { line, state, home, holds } = asked
  const { origin } = line
  if (origin !== null && !isInUnion(origin)) return line.low_value && holds('ioss') ? 'ioss' : ''
  if (origin === state) return state === home ? atHome(asked, !line.fetched) : ''
  if (holds('oss_union')) return 'oss_union'
  if (isOwnNumberIn(asked)) return ''
  // An unknown seller counts as one in the Union.
  return home === null || isInUnion(home) || origin === 'XI' ? 'oss_union' : ''
}

function schemeOfService(asked: DeclaredSale): LineScheme {
  const { line, customer, state, home, established, holds } = asked
  if (state === home) return atHome(asked, supplyKind(line.product_type) === 'digital')
  // A fixed establishment makes the supplies in its own state (art. 369a).
  if (established.includes(state)) return ''
  // The schemes are for supplies to consumers.
  if (customer.vat_id?.good === true && ISSUERS_FOR_SERVICES.has(customer.vat_id.country)) return ''
  const scheme = home === null || established.some(isInUnion) ? 'oss_union' : 'oss_non_union'
  return holds(scheme) || !isOwnNumberIn(asked) ? scheme : ''
}

function isOwnNumberIn({ state, established, holds }: DeclaredSale): boolean {
  return established.includes(state) || (REGISTRATIONS_IN[state] ?? [state]).some(holds)
}

/** Art. 59c: taxed at the seller, although the consumer of the goods or electronic services is elsewhere. */
function atHome({ home, customer }: DeclaredSale, counts: boolean): LineScheme {
  const bought_in = memberStateOf(customer.address.country)
  const elsewhere = bought_in !== home && isInUnion(bought_in)
  return elsewhere && customer.vat_id === null && counts ? 'below_eu_threshold' : ''
}

/** Northern Ireland counts as a member state for goods. */
function isInUnion(country: string): boolean {
  return ISSUERS_FOR_GOODS.has(country)
}

function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}
