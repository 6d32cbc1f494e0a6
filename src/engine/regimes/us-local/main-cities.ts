/** ZIPs in a row that have one postal city. Both ends are included. */
export type ZipsOfCity = { city: string; from: string; to: string }

/** Reads texts such as `35201-35298 35301`, by the name of the city. */
export function zipsOfCities(texts: Readonly<Record<string, string>>): ZipsOfCity[] {
  return Object.entries(texts).flatMap(([city, text]) =>
    text.split(' ').map((run) => {
      const [from = '', to = from] = run.split('-')
      return { city, from, to }
    }),
  )
}

/** The postal city of a ZIP; null: it has no local tax, or it is not on file. */
export function cityOfZip(zips: readonly ZipsOfCity[], zip5: string): string | null {
  return zips.find(({ from, to }) => from <= zip5 && zip5 <= to)?.city ?? null
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
