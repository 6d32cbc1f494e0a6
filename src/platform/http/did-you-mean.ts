import { closest, distance } from 'fastest-levenshtein'
import type * as z from 'zod'

/** A longer word is no slip of the keyboard, and takes long to compare. A shorter one is close to all. */
const WORD_MAX = 40
const WORD_MIN = 3

/** A number of four digits makes a word a code. Codes with close numbers mean quite other products. */
const CODE = /\d{4}/

/** Names that other services give to fields of ours. */
const NAMES_OF_PEERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    state: 'region',
    zip: 'postal_code',
    zip_code: 'postal_code',
    postcode: 'postal_code',
    country_code: 'country',
    tax_code: 'product_type',
    product_tax_code: 'product_type',
    taxcode: 'product_type',
    unit_price: 'unit_amount',
    price: 'amount',
    shipping: 'shipping_cost',
    freight: 'shipping_cost',
    customer_details: 'customer',
    lines: 'line_items',
    items: 'line_items',
    to_country: 'customer',
    to_state: 'customer',
    to_zip: 'customer',
    order_id: 'external_id',
    transaction_id: 'external_id',
  }),
)

/** `: did you mean …?` with our name of a peer's field, or the known word that is closest; else empty. */
export function didYouMean(word: string, known: readonly string[]): string {
  const named = NAMES_OF_PEERS.get(word.toLowerCase())
  if (named !== undefined && known.includes(named)) return `: did you mean ${named}?`
  const words = known.filter((each) => !CODE.test(each))
  if (word.length < WORD_MIN || word.length > WORD_MAX || words.length === 0 || CODE.test(word)) return ''
  const near = closest(word.toLowerCase(), words)
  const allowed = Math.max(1, Math.min(3, Math.floor(word.length / 3)))
  return distance(word.toLowerCase(), near) <= allowed ? `: did you mean ${near}?` : ''
}

/** `: did you mean address of customer?` for a name that is a field one object deeper; else empty. */
export function meantDeeper(word: string, schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const field = fieldsAt(schema, path).find((name) => fieldsAt(schema, [...path, name]).includes(word))
  return field === undefined ? '' : `: did you mean ${word} of ${field}?`
}

/** The fields of the object at a path of a schema; empty if there is no such object. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  // The union of all kinds, so that the compiler knows the parts of each.
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [step, ...rest] = path
  switch (def.type) {
    case 'object': {
      if (step === undefined) return Object.keys(def.shape)
      const field = def.shape[String(step)]
      return field === undefined ? [] : fieldsAt(field, rest)
    }
    case 'array':
      return step === undefined ? [] : fieldsAt(def.element, rest)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return fieldsAt(def.innerType, path)
    case 'pipe':
      return fieldsAt(def.in, path)
    default:
      return []
  }
}
