import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { NexusAddressesAnswer } from './answers.ts'
import { listNexusRegions } from './nexus-regions.ts'
import { numberOfText } from './number-of-text.ts'

/**
 * `GET /v2/nexus/addresses`, which Magento asks: the places of registration, as addresses. Only the place of
 * the account's profile has a postal code. The numbers of the ids stay the same.
 */
export function listNexusAddresses(context: Context): Answer<typeof NexusAddressesAnswer> {
  const { seller } = context.principal
  const addresses = listNexusRegions(context).regions.map(({ country_code, region_code }) => {
    const id = region_code === null ? country_code : `${country_code}-${region_code}`
    const ownRegion = seller?.region?.replace(/^[A-Z]{2}-/, '') ?? null
    const isOwn = seller?.country === country_code && (region_code === null || ownRegion === region_code)
    return {
      id: numberOfText(id),
      country: country_code,
      state: region_code ?? '',
      zip: isOwn ? (seller.postal_code ?? '') : '',
      city: '',
      street: '',
    }
  })
  return { addresses }
}
