import type { Scheme } from '../client/src/schema.ts'
import { placeName } from './names.ts'

/** The schemes under which a seller registers, by name. */
export const SCHEMES: Readonly<Record<Scheme, string>> = {
  oss_union: 'EU One Stop Shop',
  oss_non_union: 'EU One Stop Shop for sellers outside the Union',
  ioss: 'EU Import One Stop Shop',
  ca_simplified: 'Canada, simplified GST/HST',
  qc_specified: 'Québec, specified QST',
  tx_single_local: 'Texas, single local use tax rate',
  al_ssut: 'Alabama, simplified sellers use tax',
  no_voec: 'Norway, VOEC',
  sg_ovr: 'Singapore, Overseas Vendor Registration',
  kr_simplified: 'South Korea, simplified registration',
  in_oidar: 'India, OIDAR registration',
  co_retail_delivery_fee: 'Colorado, retail delivery fee',
  mn_retail_delivery_fee: 'Minnesota, retail delivery fee',
}

/** The name of a place or scheme. An id without a name stays as it is. */
export function nameOfPlace(id: string): string {
  return Object.entries(SCHEMES).find(([scheme]) => scheme === id)?.[1] ?? placeName(id)
}
