import type { Place, Regime } from '../place.ts'
import type { VatId } from '../sale.ts'

/** What the place-of-supply rules look at: one kind of supply between two places. */
export type Deal = {
  kind: 'goods' | 'digital' | 'service'
  seller: Place
  customer: Place
  /** The customer is a taxable person, as far as the seller can know. */
  business: boolean
  vat_id: VatId | null
  over_eu_threshold: boolean
  /** Whether the seller holds a registration or scheme. */
  holds: (registration: string) => boolean
  /**
   * Whether the goods of the sale are within the value up to which the region taxes consignments at the sale.
   */
  withinConsignmentLimit: (region: 'EU' | 'UK' | 'AU') => boolean
}

export type UntaxedReason = 'export' | 'intra_community_supply' | 'not_subject_to_tax' | 'not_supported'

/**
 * Where a supply is taxed and who accounts for it. `basis` cites the law, `detail` is one sentence for
 * people.
 */
export type Supply = { place: string; basis: string; detail: string } & (
  | {
      kind: 'taxed'
      /**
       * Registrations and schemes that entitle the seller to charge; null: each tax by its own jurisdiction.
       */
      registrations: readonly string[] | null
      established: boolean
    }
  | { kind: 'reverse_charge' }
  | { kind: 'untaxed'; reason: UntaxedReason }
)

/**
 * The law of one regime. `within`: both parties are in it; `from`: the seller is, the customer is not; `to`:
 * the customer is, the seller is not; `at`: the supply takes place there, whoever deals; `destination`: the
 * seller is unknown. `from` answers null where the seller's law has nothing to say.
 */
export type RegimeLaw = {
  within: (deal: Deal) => Supply
  from: (deal: Deal) => Supply | null
  to: (deal: Deal) => Supply
  at: (place: Place, seller: Place | null, business: boolean) => Supply
  destination: (customer: Place) => Supply
}

/** Whether the seller is established in the regime's own country. */
export function isEstablishedIn(seller: Place | null, regime: Regime): boolean {
  return seller !== null && seller.regime === regime
}
