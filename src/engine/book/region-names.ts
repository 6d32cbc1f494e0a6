/**
 * Territories with a country code of their own that are a region of another country in the data. Customs
 * write IC for the Canary Islands.
 */
export const COUNTRIES_KEPT_AS_REGIONS: ReadonlyMap<string, string> = new Map([
  ['PR', 'US-PR'],
  ['IC', 'ES-CN'],
])

/** A name without case and accents, so that `Québec` and `quebec` are one. */
export function plainName(name: string): string {
  const plain = /^[ -~]*$/.test(name) ? name : name.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain.trim().toLowerCase()
}

/** A name by its letters and numbers, without case, accents and signs: `D.C.` and `dc` are one. */
export function regionKey(name: string): string {
  if (NO_NAME.test(name)) return ''
  return plainName(name)
    .replaceAll('&', 'and')
    .replaceAll(/[^\p{Ll}\p{Lu}\p{Lo}\p{N}]/gu, '')
}

/** Not applicable, which is not Naples (NA), and the number of a block (1-3), which is not Tokyo (13). */
const NO_NAME = /^\s*n\s?[./-]\s?a\s?\.?\s*$|^\s*[1-9]\d*[^\p{L}\p{N}]+\d+\s*$/iu

/** Whether a form without a region has this in its place. Ask first if the country has such a region. */
export function saysNoRegion(region: string): boolean {
  return !/\d/.test(region) && /^(?:na|none|null|unknown|undefined)?$/.test(regionKey(region))
}

/**
 * Other names of states and provinces: abbreviations from before the postal ones (GPO Style Manual, chapter
 * 9; Canada Post, former symbols NF, PQ, LB), French names (Geographical Names Board of Canada), and former
 * names (Newfoundland to 2001, Yukon Territory to 2003).
 */
const OTHER_NAMES: Readonly<Partial<Record<string, string>>> = {
  US: `DC:washingtondc|distofcolumbia AL:ala AZ:ariz AR:ark CA:calif|cal CO:colo CT:conn DE:del FL:fla IL:ill
    IN:ind KS:kans|kan MA:mass MI:mich MN:minn MS:miss MT:mont NE:nebr|neb NV:nev NM:nmex ND:ndak|ndakota
    NC:ncarolina OK:okla OR:oreg|ore PA:penn|penna SC:scarolina SD:sdak|sdakota TN:tenn TX:tex WA:wash
    WV:wva|wvirginia WI:wis|wisc WY:wyo`,
  CA: `NL:newfoundland|labrador|nf|nfld|nfl|lb|terreneuveetlabrador|terreneuve QC:pq|que
    YT:yk|yukonterritory PE:pei|princeedwardis|ileduprinceedouard
    NT:nwt|northwestterritory|territoiresdunordouest ON:ont AB:alta
    SK:sask MB:man BC:colombiebritannique NS:nouvelleecosse NB:nouveaubrunswick`,
}

/** The words around the name of a state or province. */
const AROUND = /^(?:the)?(?:state|province|commonwealth)(?:of|de|du)|(?:state|province|territory|canada|usa)$/

const read = new Map<string, ReadonlyMap<string, string>>()

/** The code of a state or province by another name, as regionKey returns it; null: it is none. */
export function codeByOtherName(country: string, key: string): string | null {
  const names = OTHER_NAMES[country]
  if (names === undefined) return null
  const codes = read.get(country) ?? new Map(names.split(/\s+/).flatMap(codesOfNames))
  read.set(country, codes)
  return codes.get(key) ?? null
}

function codesOfNames(named: string): [string, string][] {
  const [code = '', names = ''] = named.split(':')
  return names.split('|').map((name) => [name, code])
}

/** The name without `State of`, `Province` and the country; the name itself if it has none of them. */
export function withoutWordsAround(country: string, key: string): string {
  const bare = OTHER_NAMES[country] === undefined ? key : key.replace(AROUND, '')
  const prefix = country.toLowerCase()
  return bare.length === 4 && bare.startsWith(prefix) ? bare.slice(2) : bare
}
