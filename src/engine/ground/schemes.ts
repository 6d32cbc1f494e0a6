/** The one-stop shops: a seller registers once for the tax of all member states. */
export const UNION_SCHEMES = ['oss_union', 'oss_non_union', 'ioss'] as const

/**
 * The schemes under which a seller registers: the one-stop shops, those of Canada for sellers abroad,
 * those of Texas and Alabama for sellers from elsewhere, those of countries for what consumers buy from
 * abroad, and those for the retail delivery fees of states.
 */
export const SCHEMES = [
  ...UNION_SCHEMES,
  'ca_simplified',
  'qc_specified',
  'tx_single_local',
  'al_ssut',
  'no_voec',
  'sg_ovr',
  'kr_simplified',
  'in_oidar',
  'co_retail_delivery_fee',
  'mn_retail_delivery_fee',
] as const

export type UnionScheme = (typeof UNION_SCHEMES)[number]
export type SchemeId = (typeof SCHEMES)[number]

/** How a sentence names each scheme. */
export const SCHEME_NAMES: Readonly<Record<SchemeId, string>> = {
  oss_union: 'the One Stop Shop',
  oss_non_union: 'the One Stop Shop for sellers outside the Union',
  ioss: 'the Import One Stop Shop',
  ca_simplified: 'the simplified GST/HST of Canada',
  qc_specified: 'the specified QST registration of Québec',
  tx_single_local: 'the single local use tax rate of Texas',
  al_ssut: 'the simplified sellers use tax of Alabama',
  no_voec: 'the VAT on E-Commerce (VOEC) of Norway',
  sg_ovr: 'the Overseas Vendor Registration of Singapore',
  kr_simplified: 'the simplified registration for electronic services of South Korea',
  in_oidar: 'the registration for online services (OIDAR) of India',
  co_retail_delivery_fee: 'the retail delivery fee of Colorado',
  mn_retail_delivery_fee: 'the retail delivery fee of Minnesota',
}

/** Whether a text is the id of a scheme. */
export function isScheme(text: string): text is SchemeId {
  return Object.hasOwn(SCHEME_NAMES, text)
}
