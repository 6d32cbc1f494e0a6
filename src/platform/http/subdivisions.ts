import listed from '../../../data/subdivisions.json' with { type: 'json' }
import { CODED_REGIONS } from '../../engine/book/regions.ts'
import { codeByOtherName, regionKey, withoutWordsAround } from '../../engine/book/region-names.ts'
import { REGIMES } from '../../engine/regimes/list.ts'

/** A subdivision of a country by its ISO 3166-2 code. */
type Subdivision = { id: string; code: string; name: string }

const LISTED: Readonly<Partial<Record<string, string>>> = listed
const byCountry = new Map<string, readonly Subdivision[]>()

/** The subdivisions of a country, by their codes. A country is read on first use: few requests need it. */
export function regionsOf(country: string): readonly Subdivision[] {
  const known = byCountry.get(country)
  if (known !== undefined) return known
  const text = Object.hasOwn(LISTED, country) ? LISTED[country] : undefined
  if (text === undefined) return []
  const regions = text.split('|').map((each) => {
    const [code = ''] = each.split(' ', 1)
    return { id: `${country}-${code}`, code, name: each.slice(code.length + 1) }
  })
  // ISO 3166-2 does not list the regions of mail that are no part of the country.
  const apart = CODED_REGIONS.flatMap((id) =>
    id === country ? (REGIMES[id].address.apart?.regions ?? []) : [],
  )
  const all = [...regions, ...apart.map(({ code, name }) => ({ id: `${country}-${code}`, code, name }))]
  byCountry.set(country, all)
  return all
}

/** By the plain form of ids, codes and names, of each country on first use. */
const byName = new Map<string, ReadonlyMap<string, Subdivision>>()

/**
 * A region by its code, its full id or its name, whatever the case and the accents; null when the country has
 * none of that.
 */
export function findRegion(country: string, text: string): Subdivision | null {
  const known = byName.get(country) ?? namesOf(country)
  byName.set(country, known)
  const key = regionKey(text)
  const named = (name: string) => known.get(codeByOtherName(country, name)?.toLowerCase() ?? name)
  return named(key) ?? named(withoutWordsAround(country, key)) ?? null
}

/** The first region with a name has it. */
function namesOf(country: string): ReadonlyMap<string, Subdivision> {
  return new Map(
    regionsOf(country)
      .flatMap((region) =>
        [region.id, region.code, region.name, ...otherNamesOf(country, region)].map(
          (known) => [regionKey(known), region] as const,
        ),
      )
      .toReversed(),
  )
}

/**
 * Names in another language of the place, and former names and codes (ISO 3166-2, newsletters). Where they
 * differ, both stand in the list that shops copy.
 */
const OTHER_NAMES: Readonly<Partial<Record<string, Readonly<Record<string, readonly string[]>>>>> = {
  ES: {
    BI: ['Vizcaya'],
    SS: ['Guipúzcoa'],
    C: ['La Coruña'],
    GI: ['Gerona'],
    L: ['Lérida'],
    OR: ['Orense'],
    IB: ['Baleares', 'Islas Baleares', 'Balearic Islands'],
    CT: ['Cataluña', 'Catalonia'],
    MD: ['Comunidad de Madrid'],
    VC: ['Comunidad Valenciana', 'Comunitat Valenciana'],
    PV: ['Euskadi', 'Basque Country'],
    TF: ['Sta. Cruz de Tenerife', 'S/C Tenerife'],
    CS: ['Castelló'],
    V: ['València'],
  },
  IT: {
    '23': ['AO', 'Aosta', 'Valle d’Aosta'],
    BZ: ['Bolzano', 'Bozen', 'Südtirol', 'South Tyrol'],
    FC: ['FO', 'Forlì'],
    FI: ['Florence'],
    GE: ['Genoa'],
    MI: ['Milan'],
    MB: ['Monza', 'Monza e della Brianza'],
    NA: ['Naples'],
    PU: ['PS', 'Pesaro'],
    RE: ['Reggio nell’Emilia'],
    RC: ['Reggio di Calabria'],
    RM: ['Rome'],
    TO: ['Turin'],
    TN: ['Trentino'],
    VE: ['Venice'],
  },
  IN: {
    CG: ['CT', 'Chattisgarh'],
    DH: ['DN', 'DD', 'Dadra & Nagar Haveli', 'Daman & Diu', 'Dadra and Nagar Haveli', 'Daman and Diu'],
    DL: ['New Delhi', 'NCT of Delhi'],
    AN: ['Andaman & Nicobar'],
    OD: ['OR', 'Orissa'],
    PY: ['Pondicherry', 'Puducherry'],
    TS: ['TG', 'Telengana'],
    UK: ['UA', 'UT', 'Uttaranchal'],
  },
  MX: { CMX: ['DIF', 'DF', 'Distrito Federal', 'CDMX', 'Mexico City'], MEX: ['Estado de México'] },
  JP: { '13': ['Tokyo-to', '東京都', '東京'] },
}

function otherNamesOf(country: string, { code }: Subdivision): readonly string[] {
  return OTHER_NAMES[country]?.[code] ?? []
}
