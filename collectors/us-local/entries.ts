import { plainName } from '../../src/engine/book/region-names.ts'
import type { LocalJurisdiction, LocalRate } from '../../src/engine/regimes/us-local/local-book.ts'
import { dayPlus } from './compact-day.ts'
import type { Understood } from './odd-records.ts'

/** A record of a state's own list. */
export type Entry = {
  type: 'county' | 'city' | 'district'
  name: string
  /** Of a city: the name of its county; null: the list does not say. */
  county: string | null
  /** Of a county: its FIPS code, if the list has it. It decides before the name. */
  county_fips?: string
  /** The code that the state gives it; null: the list has none. */
  code: string | null
  /** The rates with their days. One rate with its first day only continues what is on file. */
  rates: readonly LocalRate[]
  /** The names of districts that tax the whole city. */
  districts?: readonly string[]
  /** The state finds the rate by the address inside of the place, so the list has none. */
  address_decides?: true
}

type ListFacts = { state: string; source: string; as_of: string }

/**
 * The jurisdictions of a list. Those on file keep their id, their ZIPs and their earlier rates. Those that
 * the list lacks, and those without a rate in it, are left out.
 */
export function jurisdictionsOfList(
  given: readonly Entry[],
  known: readonly LocalJurisdiction[],
  facts: ListFacts,
): LocalJurisdiction[] {
  const entries = given.filter(({ rates }) => rates.length > 0)
  const byName = Map.groupBy(known, ({ type, name }) => nameKeyOf(type, name))
  const counties = new Map(
    known.flatMap(({ type, name, county_fips }) =>
      type === 'county' && county_fips !== null ? [[nameKeyOf('county', name), county_fips]] : [],
    ),
  )
  const byFips = new Map(
    known.flatMap((each) => (each.type === 'county' ? [[each.county_fips, each] as const] : [])),
  )
  const ids = new Set<string>()
  const districts = new Map<string, string>()
  const made = entries.map((entry) => {
    const named = entry.type === 'county' ? entry.name : entry.county
    const county_fips =
      entry.county_fips ?? (named === null ? null : (counties.get(nameKeyOf('county', named)) ?? null))
    const before =
      entry.county_fips === undefined
        ? sameOnFile(byName.get(nameKeyOf(entry.type, entry.name)) ?? [], entry, county_fips, ids)
        : (byFips.get(entry.county_fips) ?? null)
    const id = before?.id ?? newId(facts.state, entry, county_fips, ids)
    ids.add(id)
    if (entry.type === 'district') districts.set(entry.name, id)
    return { entry, id, before, county_fips }
  })
  return made.map(({ entry, id, before, county_fips }) => ({
    id,
    state: facts.state,
    type: entry.type,
    code: entry.code ?? before?.code ?? slugOf(entry.name),
    name: before?.name ?? shownName(entry.name),
    county_fips: before?.county_fips ?? county_fips,
    rates: continued(before?.rates ?? [], entry.rates),
    also: entry.districts?.flatMap((name) => districts.get(name) ?? []) ?? before?.also ?? [],
    zips: before?.zips ?? [],
    source: facts.source,
    as_of: facts.as_of,
  }))
}

/** A city is the same if its county is, or if one of both is not known. */
function sameOnFile(
  named: readonly LocalJurisdiction[],
  { type }: Entry,
  county_fips: string | null,
  taken: ReadonlySet<string>,
): LocalJurisdiction | null {
  const free = named.filter(({ id }) => !taken.has(id))
  if (type !== 'city' || county_fips === null) return free[0] ?? null
  const same = free.find((each) => each.county_fips === county_fips)
  return same ?? free.find((each) => each.county_fips === null) ?? null
}

function nameKeyOf(type: LocalJurisdiction['type'], name: string): string {
  const spelled = type === 'district' ? shortened(name) : name.replace(/ \(city and county\)$/i, '')
  const bare = plainName(spelled).replaceAll(/[^a-z0-9]/g, '')
  const plain = bare.replace(/^(?:cityandcountyof|cityof|townof|villageof)/, '').replace(/^saint/, 'st')
  if (type !== 'county') return `${type} ${plain}`
  return `county ${plain.replace(/(?:county|parish|cityandborough|borough)$/, '')}`
}

/** Lists shorten the names of districts: `Midland Cty Hosp Dis` is the Midland County Hospital District. */
function shortened(name: string): string {
  return name
    .toLowerCase()
    .replace(/ *\(.*\)$/, '')
    .replaceAll(/\b(?:county|cty)\b/g, 'co')
    .replaceAll(/\bhospital\b/g, 'hosp')
    .replaceAll(/\b(?:district|dist)\b/g, 'dis')
}

/** The places of a list without a rate because the address decides. `county_fips` null: it is not known. */
export function undecidedOf(
  entries: readonly Entry[],
  known: readonly LocalJurisdiction[],
): { name: string; county_fips: string | null }[] {
  const counties = new Map(
    known.flatMap(({ type, name, county_fips }) =>
      type === 'county' ? [[nameKeyOf('county', name), county_fips] as const] : [],
    ),
  )
  return entries.flatMap(({ name, county, address_decides }) =>
    address_decides === true
      ? [{ name: shownName(name), county_fips: counties.get(nameKeyOf('county', county ?? '')) ?? null }]
      : [],
  )
}

/**
 * The entries without those that say the same a second time. Two that say different things of one place are
 * left out both, and are odd.
 */
export function withoutDuplicates(entries: readonly Entry[]): Understood<Entry> {
  const said = Map.groupBy(entries, ({ type, name, county, county_fips, code }) =>
    JSON.stringify([type, plainName(name), county, county_fips, code]),
  )
  const groups = [...said.values()].map((own) => new Map(own.map((each) => [JSON.stringify(each), each])))
  return {
    made: groups.flatMap((own) => (own.size === 1 ? [...own.values()] : [])),
    odd: groups.flatMap((own) => (own.size === 1 ? [] : [...own.keys()])),
  }
}

function newId(
  state: string,
  { type, name }: Entry,
  county_fips: string | null,
  taken: ReadonlySet<string>,
): string {
  const county = type === 'city' && county_fips !== null ? `${county_fips.slice(2)}-` : ''
  const first = `US-${state}-${type === 'district' ? 'D-' : ''}${county}${slugOf(name)}`
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? first : `${first}-${number}`
    if (!taken.has(id)) return id
  }
}

function slugOf(name: string): string {
  return plainName(name)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Lists in capitals: `EL PASO` is shown as `El Paso`. */
function shownName(name: string): string {
  if (name !== name.toUpperCase()) return name
  return name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

/**
 * The rates on file with those of a list. A list with closed periods replaces them. A single open rate closes
 * the one before on the day before its own, unless it says the same.
 */
export function continued(before: readonly LocalRate[], given: readonly LocalRate[]): LocalRate[] {
  const [only] = given
  if (given.length !== 1 || only === undefined || only.to !== null || only.from === null) return [...given]
  const { from } = only
  const open = before.at(-1)
  const same = open !== undefined && open.to === null && open.rate_millionths === only.rate_millionths
  if (same) return [...before.slice(0, -1), { ...open, ...food(only) }]
  const kept = before.flatMap((rate) => {
    if (rate.from !== null && rate.from >= from) return []
    return [rate.to === null || rate.to >= from ? { ...rate, to: dayPlus(from, -1) } : rate]
  })
  return [...kept, only]
}

function food({ food_millionths }: LocalRate): Pick<LocalRate, 'food_millionths'> {
  return food_millionths === undefined ? {} : { food_millionths }
}
