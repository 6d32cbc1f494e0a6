/**
 * The member states of the Streamlined Sales and Use Tax Agreement, Tennessee as an associate, with the
 * numeric code of FIPS 5-2 (INCITS 38) that their common return names them by.
 */
export const SST_MEMBER_STATES: ReadonlyMap<string, string> = new Map([
  ['AR', '05'],
  ['GA', '13'],
  ['IN', '18'],
  ['IA', '19'],
  ['KS', '20'],
  ['KY', '21'],
  ['MI', '26'],
  ['MN', '27'],
  ['NE', '31'],
  ['NV', '32'],
  ['NJ', '34'],
  ['NC', '37'],
  ['ND', '38'],
  ['OH', '39'],
  ['OK', '40'],
  ['RI', '44'],
  ['SD', '46'],
  ['TN', '47'],
  ['UT', '49'],
  ['VT', '50'],
  ['WA', '53'],
  ['WV', '54'],
  ['WI', '55'],
  ['WY', '56'],
])

/**
 * Members whose state tax on groceries has, or had, a rate of its own (SSUTA 308 A 2): Ark. Code 26-52-317,
 * K.S.A. 79-3603, Tenn. Code 67-6-228, Utah Code 59-12-103. The common return has that tax apart.
 */
export const SST_FOOD_RATES: ReadonlySet<string> = new Set(['AR', 'KS', 'TN', 'UT'])
