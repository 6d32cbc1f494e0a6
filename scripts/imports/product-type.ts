import { PRODUCT_TYPE_IDS, PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { didYouMean } from '../../src/platform/http/did-you-mean.ts'

const TYPES: ReadonlySet<string> = new Set(PRODUCT_TYPE_IDS)

/** As many types are named that contain a word. */
const NAMED_MAX = 3

/** A product type of ours. Throws an error that names the nearest types, and where the list is. */
export function requireType(text: string, place = ''): string {
  if (TYPES.has(text)) return text
  const said = `${place}"${text}" is not a product type of this service${nearest(text)}`
  throw new Error(`${said}${said.endsWith('?') ? '' : '.'} The list is in docs/product-types`)
}

/** The types whose id or name contains the word, or else the one that is spelt alike. */
function nearest(text: string): string {
  const word = text.trim().toLowerCase()
  const containing = PRODUCT_TYPES.filter(
    ({ id, name }) => word.length > 2 && (id.includes(word) || name.toLowerCase().includes(word)),
  )
  const ids = containing.slice(0, NAMED_MAX).map(({ id }) => id)
  return ids.length > 0 ? `: did you mean ${ids.join(' or ')}?` : didYouMean(text, PRODUCT_TYPE_IDS)
}
