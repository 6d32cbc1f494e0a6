import { sellerOf } from '../../parties/accounts/seller.ts'
import { findRegion } from '../../platform/http/subdivisions.ts'
import type { CalculateBody } from '../../sales/calculation/schemas.ts'
import type { Context } from '../../platform/context.ts'
import { CODED_REGIONS } from '../../engine/book/regions.ts'
import { REGIMES } from '../../engine/regimes/list.ts'
import { postalCode } from './countries.ts'
import { TaxJarError } from './errors.ts'
import type { FROM, TaxesBody } from './schemas.ts'

type NexusPlace = NonNullable<TaxesBody['nexus_addresses']>[number]
type SellerFields = Pick<TaxesBody, keyof typeof FROM | 'nexus_addresses'>
type Destination = Pick<TaxesBody, 'to_state' | 'to_city' | 'to_zip'>

/**
 * The seller of an order. Places of nexus in the request replace the registrations of the account, and the
 * place that goods leave is a place of nexus too. Undefined: the profile of the account. Throws if nothing
 * says where the seller is.
 */
export function sellerOfOrder(context: Context, order: SellerFields, day: string): CalculateBody['seller'] {
  const { principal } = context
  const from: NexusPlace = {
    country: order.from_country,
    state: order.from_state,
    zip: order.from_zip,
    city: order.from_city,
    street: order.from_street,
  }
  const nexus = order.nexus_addresses ?? []
  if (!from.country && nexus.length === 0) {
    if (principal.seller !== null || principal.registrations.length > 0) return undefined
    throw new TaxJarError(
      400,
      'from_country is missing: give it, nexus_addresses, or an address of the account',
    )
  }
  const [first] = nexus
  const own = principal.seller
  const address = from.country ? from : (first ?? from)
  const at =
    !from.country && own !== null
      ? own
      : {
          country: address.country ?? '',
          region: address.state ?? null,
          city: address.city ?? null,
          postal_code: postalCode(address),
          line1: address.street ?? null,
        }
  const held =
    nexus.length > 0
      ? nexus.flatMap(registrationsAt)
      : (sellerOf(context, undefined, day).registrations ?? [])
  return { ...at, registrations: [...new Set([...held, ...(from.country ? registrationsAt(from) : [])])] }
}

/** The address that an order or a document goes to. */
export function destinationOf({ to_state, to_city, to_zip }: Destination, country: string) {
  return {
    country,
    region: to_state ?? null,
    city: to_city ?? null,
    postal_code: postalCode({ country, zip: to_zip }),
  }
}

/** The registrations that nexus at a place means: of the country, and of its state or province. */
function registrationsAt({ country, state }: NexusPlace): string[] {
  if (!country) throw new TaxJarError(400, 'nexus_addresses[][country] is missing')
  const region = CODED_REGIONS.find((id) => id === country)
  const law = region === undefined ? null : REGIMES[region]
  const regional = law?.address.regional === true
  // A country whose states alone levy a tax has no registration of its own.
  const national = !regional || law.provinces !== null ? [country] : []
  if (!state || !regional) return national
  const code = /^[A-Z]{2,3}$/.test(state) ? state : findRegion(country, state)?.code
  return [...national, `${country}-${code ?? state.toUpperCase()}`]
}
