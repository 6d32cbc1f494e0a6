import type * as z from 'zod'
import type { HeldRegistration, Principal } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { COUNTRIES } from '../../platform/http/iso-codes.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import type { Seller } from '../../engine/sale/sale.ts'
import { isSmallBusinessId } from '../../engine/regimes/eu-member-states.ts'
import { isScheme } from '../../engine/ground/schemes.ts'
import { heldOn, placeOfEstablishment } from './established-on.ts'
import type { SellerRequest } from './seller-field.ts'

/** What an account knows of itself as a seller. */
export type SellerPrincipal = Pick<
  Principal,
  'seller' | 'over_eu_threshold' | 'small_business' | 'global_turnover'
> & {
  registrations: readonly HeldRegistration[]
  /** Left out: none. */
  establishments?: Principal['establishments']
  /** Left out: none. */
  own_rates?: Principal['own_rates']
}

/**
 * The seller of the request, completed by the account's profile and its registrations that are valid on the
 * day.
 */
export function sellerOf(
  { principal }: { principal: SellerPrincipal },
  given: z.output<typeof SellerRequest> | undefined,
  day: string,
): Seller {
  // Another seller than that of the account has no facts of the account.
  const own_seller = given === undefined || given.country === principal.seller?.country
  const address = given ?? principal.seller
  const held = own_seller ? (principal.establishments ?? NONE) : NONE
  const places = given?.establishments ?? heldOn(held, day).map(placeOfEstablishment)
  const known = given !== undefined || principal.seller !== null || principal.registrations.length > 0
  // Each field by itself: the engine is optimised for one shape, which no spread and no body has.
  return {
    address:
      address === null
        ? null
        : {
            country: address.country,
            region: address.region,
            city: address.city,
            postal_code: address.postal_code,
          },
    registrations: given?.registrations ?? (known ? registeredOn(principal, day) : null),
    establishments: places.filter((id) => !isState(id)),
    present_in: places.filter(isState),
    over_eu_threshold: given?.over_eu_threshold ?? (own_seller && principal.over_eu_threshold),
    small_business: given?.small_business ?? (own_seller && principal.small_business),
    global_turnover: given?.global_turnover ?? (own_seller ? principal.global_turnover : null),
    own_rates: (own_seller ? principal.own_rates : null) ?? null,
  }
}

const NONE = [] as const

/** Fixed establishments decide VAT, and presence in a state of the US sales tax. */
function isState(id: string): boolean {
  return id.startsWith('US-')
}

function registeredOn({ registrations }: SellerPrincipal, day: string): readonly string[] {
  return registrations
    .filter((held) => held.valid_from <= day && (held.valid_to === null || day <= held.valid_to))
    .map((held) => held.id)
}

type StatedPlaces = {
  readonly establishments?: readonly string[] | undefined
  readonly registrations?: readonly string[] | null | undefined
}

/**
 * Throws unknown_jurisdiction. A misspelt registration would look like a missing one, and no tax would be
 * collected. A registration in a country that the data does not cover is accepted, and has no effect.
 */
export function refuseUnknownRegistrations(
  book: RateBook,
  given: StatedPlaces | undefined,
  field = 'seller',
): void {
  given?.establishments?.forEach((id, index) => {
    if (!book.jurisdictions.has(id))
      throw fieldError(
        'unknown_jurisdiction',
        `${field}.establishments[${index}]`,
        `${JSON.stringify(id)} is not a known jurisdiction`,
      )
  })
  given?.registrations?.forEach((id, index) => {
    if (!book.jurisdictions.has(id) && !isScheme(id) && !isSmallBusinessId(id) && !COUNTRIES.has(id))
      throw fieldError(
        'unknown_jurisdiction',
        `${field}.registrations[${index}]`,
        `${JSON.stringify(id)} is not a known jurisdiction or scheme`,
      )
  })
}
