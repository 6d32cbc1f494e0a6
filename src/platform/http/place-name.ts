import { countryName } from './country-name.ts'
import { nameInSentence } from '../../engine/book/names.ts'
import { regionsOf } from './subdivisions.ts'

/** A place as a sentence names it, by its ISO code and without the tax data: `US-KS` is `Kansas`. */
export function placeOfCode(id: string): string {
  const [country = ''] = id.split('-', 1)
  const region = id === country ? undefined : regionsOf(country).find((each) => each.id === id)
  return nameInSentence(region?.name ?? countryName(id))
}
