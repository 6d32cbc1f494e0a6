import { at } from '../../ground/invariant.ts'

/** ZIPs in a row that have one postal city. Both ends are included. */
export type ZipsOfCity = { city: string; from: string; to: string }

/** Reads texts such as `35201-35298 35301`, by the name of the city. In ascending order. */
export function zipsOfCities(texts: Readonly<Record<string, string>>): ZipsOfCity[] {
  const runs = Object.entries(texts).flatMap(([city, text]) =>
    text.split(' ').map((run) => {
      const [from = '', to = from] = run.split('-')
      return { city, from, to }
    }),
  )
  return runs.toSorted((one, other) => (one.from < other.from ? -1 : 1))
}

/** The postal city of a ZIP; null: none with a tax is on file. A binary search, because each sale asks. */
export function cityOfZip(zips: readonly ZipsOfCity[], zip5: string): string | null {
  let [low, high] = [0, zips.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(zips, middle).from <= zip5) low = middle + 1
    else high = middle
  }
  const run = zips[low - 1]
  return run !== undefined && zip5 <= run.to ? run.city : null
}

/** The first three digits of the ZIPs of each city, by the key that `keyOf` makes of its name. */
export function zip3sOfCities(
  zips: readonly ZipsOfCity[],
  keyOf: (city: string) => string,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { city, from, to } of zips) {
    const key = keyOf(city)
    const zip3s = found.get(key) ?? new Set<string>()
    for (let zip3 = Number(from.slice(0, 3)); zip3 <= Number(to.slice(0, 3)); zip3++)
      zip3s.add(String(zip3).padStart(3, '0'))
    found.set(key, zip3s)
  }
  return found
}
