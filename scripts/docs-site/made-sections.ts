import { countriesTable, digitalTable } from '../countries-table.ts'
import { coverageTables, recognisedCountries } from '../coverage-page.ts'
import { errorSections } from '../errors-page.ts'
import { LACKS_TABLES } from './lacks-table.ts'
import { localTable, missesSection, sourcingTable } from '../local-page.ts'
import { productTypeSections } from '../product-types-page.ts'
import { reverseChargeTable } from '../reverse-charge-table.ts'
import { shapesTable } from '../shapes-section.ts'

/** What is made from code and data, by the name in the mark of a guide. */
export const MADE_SECTIONS: ReadonlyMap<string, () => string> = new Map([
  ['countries', countriesTable],
  ['coverage', coverageTables],
  ['digital-countries', digitalTable],
  ['errors', errorSections],
  ...LACKS_TABLES,
  ['local-misses', missesSection],
  ['local-sourcing', sourcingTable],
  ['local-taxes', localTable],
  ['product-types', productTypeSections],
  ['recognised', recognisedCountries],
  ['reverse-charge', reverseChargeTable],
  ['shapes', shapesTable],
])

const MARKED = /^<!-- made: ([\w-]+) -->\n(.*?)^<!-- end -->$/gms

/** In git, a marked section says in a sentence where its facts are. */
const LINES_IN_GIT = 5

/**
 * A guide with its marked sections made from code and data, as the site shows it. Throws if git has such a
 * section at length, because it would be out of date after the next change of the data.
 */
export function withMadeSections(guide: string): string {
  return guide.replaceAll(MARKED, (_, name: string, inGit: string) => {
    const make = MADE_SECTIONS.get(name)
    if (make === undefined) throw new Error(`there is no made section ${name}: correct the mark`)
    if (inGit.split('\n').length - 1 > LINES_IN_GIT)
      throw new Error(`the section ${name} is made by npm run generate: leave a sentence in its place`)
    return make().trim()
  })
}
