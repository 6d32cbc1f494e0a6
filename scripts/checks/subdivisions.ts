import { iso31662 } from 'iso-3166'

/** The subdivisions of ISO 3166-2 by country, as codes and names: `{ "AD": "02 Canillo|03 Encamp" }`. */
export function subdivisionsOf(): Record<string, string> {
  const byCountry = Map.groupBy(iso31662, ({ code }) => code.slice(0, 2))
  return Object.fromEntries(
    [...byCountry].map(([country, all]) => [
      country,
      all.map(({ code, name }) => `${code.slice(3)} ${name}`).join('|'),
    ]),
  )
}
