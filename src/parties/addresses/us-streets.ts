import { trimEnd } from '../../platform/kit/trim-end.ts'

/** How the Postal Service writes the words of a street (Publication 28, appendices B and C). */
const DIRECTIONS = new Map(
  words('north N,south S,east E,west W,northeast NE,northwest NW,southeast SE,southwest SW'),
)

const SUFFIXES = new Map(
  words(
    'alley Aly,avenue Ave,boulevard Blvd,bypass Byp,causeway Cswy,center Ctr,circle Cir,court Ct,cove Cv,' +
      'creek Crk,crescent Cres,crossing Xing,drive Dr,expressway Expy,freeway Fwy,garden Gdn,gardens Gdns,' +
      'heights Hts,highway Hwy,hill Hl,hills Hls,junction Jct,lake Lk,landing Lndg,lane Ln,mountain Mtn,' +
      'parkway Pkwy,place Pl,plaza Plz,point Pt,ridge Rdg,road Rd,route Rte,square Sq,station Sta,' +
      'street St,' +
      'terrace Ter,trail Trl,turnpike Tpke,valley Vly,village Vlg,vista Vis',
  ),
)

const UNITS = new Map(
  words('apartment Apt,building Bldg,department Dept,floor Fl,room Rm,suite Ste,penthouse Ph,trailer Trlr'),
)

function words(list: string): [string, string][] {
  return list.split(',').map((pair): [string, string] => {
    const [word = '', short = ''] = pair.split(' ')
    return [word, short]
  })
}

/**
 * A street line in the usual form: `1130 West 11th Street, Suite 4` becomes `1130 W 11th St Ste 4`. A line
 * that does not begin with a number stays as it is. The street decides no rate.
 */
export function normaliseStreet(line: string): string {
  if (!/^\d+[A-Za-z]?(?:-\d+)?\s/.test(line)) return line
  const parts = line
    .split(/\s+/)
    .map((part) => trimEnd(part, '.,'))
    .filter((part, index, all) => part !== '' || index === all.length - 1)
  const unit = parts.findIndex((part, index) => index > 1 && UNITS.has(part.toLowerCase()))
  const street = unit < 0 ? parts : parts.slice(0, unit)
  const rest = unit < 0 ? [] : parts.slice(unit)
  return [...streetOf(street), ...rest.map((part) => UNITS.get(part.toLowerCase()) ?? part)].join(' ')
}

/** Number, direction, name, suffix, direction. The name keeps its words: `100 North St`. */
function streetOf(parts: readonly string[]): string[] {
  const [number = '', ...given] = parts
  const last = given.length - 1
  const after = DIRECTIONS.get(given[last]?.toLowerCase() ?? '')
  const suffix_at = after !== undefined && last > 1 ? last - 1 : last
  const suffix = SUFFIXES.get(given[suffix_at]?.toLowerCase() ?? '')
  const before = DIRECTIONS.get(given[0]?.toLowerCase() ?? '')
  return [
    number,
    ...given.map((word, index) => {
      if (index === suffix_at && index > 0 && suffix !== undefined) return suffix
      if (index === last && index > 1 && suffix !== undefined && after !== undefined) return after
      // A direction is the name itself if only the suffix follows.
      return index === 0 && before !== undefined && suffix_at > 1 ? before : word
    }),
  ]
}

/** A city without the state behind it: `Austin, TX` is Austin. */
export function normaliseCity(city: string, region: string | null): string {
  const [name = '', state, ...more] = city.split(/,\s*/)
  const named = state?.toUpperCase().replaceAll('.', '')
  return named !== undefined && more.length === 0 && named === region ? name : city
}
