import { regionsOf } from '../../platform/http/subdivisions.ts'
import { sellerOf } from '../../parties/accounts/seller.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { COUNTRIES } from '../../platform/http/iso-codes.ts'
import { isSmallBusinessId } from '../../engine/regimes/eu-member-states.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import type { NexusRegionsAnswer } from './answers.ts'

/**
 * `GET /v2/nexus/regions`: where the account is registered today. Schemes such as the one-stop shop are no
 * region, and a country with registered regions is not listed beside them.
 */
export function listNexusRegions(context: Context): Answer<typeof NexusRegionsAnswer> {
  const { principal, now } = context
  const held = sellerOf(context, undefined, todayIn(principal.time_zone, now)).registrations ?? []
  const ids = [...new Set(held)].filter(
    (id) => COUNTRIES.has(id.slice(0, 2)) && /^[A-Z]{2}(-|$)/.test(id) && !isSmallBusinessId(id),
  )
  const shown = ids.filter((id) => id.includes('-') || !ids.some((other) => other.startsWith(`${id}-`)))
  return { regions: shown.toSorted().map(regionOf) }
}

/** A jurisdiction as TaxJar names it: `US-CA` is California of the United States. */
export function regionOf(id: string) {
  const [country_code = '', code] = id.split('-')
  return {
    country_code,
    country: countryName(country_code),
    region_code: code ?? null,
    region:
      code === undefined ? null : (regionsOf(country_code).find((each) => each.id === id)?.name ?? code),
  }
}
