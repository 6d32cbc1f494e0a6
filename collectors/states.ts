/**
 * The states of the United States, with the federal district and Puerto Rico: the name in English and the
 * postal abbreviation.
 */
const NAMES: Readonly<Record<string, string>> = {
  Alabama: 'AL',
  Alaska: 'AK',
  Arizona: 'AZ',
  Arkansas: 'AR',
  California: 'CA',
  Colorado: 'CO',
  Connecticut: 'CT',
  Delaware: 'DE',
  'District of Columbia': 'DC',
  Florida: 'FL',
  Georgia: 'GA',
  Hawaii: 'HI',
  Idaho: 'ID',
  Illinois: 'IL',
  Indiana: 'IN',
  Iowa: 'IA',
  Kansas: 'KS',
  Kentucky: 'KY',
  Louisiana: 'LA',
  Maine: 'ME',
  Maryland: 'MD',
  Massachusetts: 'MA',
  Michigan: 'MI',
  Minnesota: 'MN',
  Mississippi: 'MS',
  Missouri: 'MO',
  Montana: 'MT',
  Nebraska: 'NE',
  Nevada: 'NV',
  'New Hampshire': 'NH',
  'New Jersey': 'NJ',
  'New Mexico': 'NM',
  'New York': 'NY',
  'North Carolina': 'NC',
  'North Dakota': 'ND',
  Ohio: 'OH',
  Oklahoma: 'OK',
  Oregon: 'OR',
  Pennsylvania: 'PA',
  'Puerto Rico': 'PR',
  'Rhode Island': 'RI',
  'South Carolina': 'SC',
  'South Dakota': 'SD',
  Tennessee: 'TN',
  Texas: 'TX',
  Utah: 'UT',
  Vermont: 'VT',
  Virginia: 'VA',
  Washington: 'WA',
  'West Virginia': 'WV',
  Wisconsin: 'WI',
  Wyoming: 'WY',
}

const BY_NAME = new Map(Object.entries(NAMES).map(([name, code]) => [plain(name), code]))

/** The ids of all states, `US-AL`, `US-AK`, …, in the order of their names. */
export const STATE_IDS: readonly string[] = Object.values(NAMES).map((code) => `US-${code}`)

/** The English names of the states, by id. */
export function stateNames(): Map<string, string> {
  return new Map(Object.entries(NAMES).map(([name, code]) => [`US-${code}`, name]))
}

/** States without any sales tax. Alaska is not here, because it has local ones. */
export const UNTAXED: ReadonlySet<string> = new Set(['US-DE', 'US-MT', 'US-NH', 'US-OR'])

/**
 * The id of the state that a table names: `New York`, `DIST. OF COLUMBIA`, `D.C.`. Null: it is not a state.
 */
export function stateNamed(text: string): string | null {
  const code =
    BY_NAME.get(plain(text)) ??
    (/^(washington,? )?d\.? ?c\.?$|^dist(\.|rict) of columbia$/i.test(text.trim()) ? 'DC' : undefined)
  return code === undefined ? null : `US-${code}`
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}
