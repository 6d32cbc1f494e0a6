import { z } from 'zod'

/** The one name of the format. A reader refuses what it does not know. */
export const FORMAT = 'tax-conformance/1'

const Country = z.string().regex(/^[A-Z]{2}$/, 'must be a code of ISO 3166-1')
const Money = z.int().describe('In minor units of the currency, negative for a credit')

const Place = z.strictObject({
  country: Country,
  region: z.string().optional().describe('A state or province, without the code of the country'),
  postal_code: z.string().optional(),
  city: z.string().optional(),
})

const Seller = z.strictObject({
  ...Place.shape,
  registrations: z
    .array(z.string())
    .optional()
    .describe('Jurisdictions (`FR`, `US-TX`) and one-stop shops. Left out: where it is established'),
  over_eu_threshold: z.boolean().optional().describe('Distance sales above the limit of art. 59c'),
})

const Buyer = z.strictObject({
  ...Place.shape,
  type: z.enum(['individual', 'business']).optional(),
  vat_id: z.string().optional(),
  vat_id_valid: z.boolean().optional().describe("The result of the seller's own check of the VAT id"),
})

const Question = {
  id: z.string(),
  description: z.string(),
  source: z.string().describe('The law, the office or the project that gives the answer'),
  confidence: z.enum(['high', 'medium']),
  date: z.iso.date().describe('The day of the sale, or of the question'),
}

const SaleCase = z.strictObject({
  ...Question,
  kind: z.literal('sale'),
  currency: z.string().regex(/^[A-Z]{3}$/),
  prices: z.enum(['exclusive', 'inclusive']).describe('Whether prices contain their tax'),
  rounding: z.enum(['line', 'document']).optional(),
  seller: Seller,
  buyer: Buyer,
  place_of_event: Place.optional().describe('Where an event or a property is'),
  lines: z
    .array(z.strictObject({ product: z.string(), amount: Money, quantity: z.int().min(1).optional() }))
    .min(1),
  shipping: Money.optional(),
  expected: z.strictObject({
    tax: Money.describe('Of all lines and shipping'),
    line_tax: z.array(Money).optional(),
    rate: z.string().optional().describe('A decimal fraction: `0.2`'),
    jurisdiction: z.string().optional().describe('Whose tax it is, or would be: `FR`, `US-TX`'),
    reverse_charge: z.boolean().optional(),
  }),
})

const RegistrationCase = z.strictObject({
  ...Question,
  kind: z.literal('registration'),
  jurisdiction: z.string(),
  seller: Seller,
  product: z.string().optional(),
  sales: z
    .strictObject({ amount: Money, currency: z.string(), count: z.int().min(0) })
    .describe('Sales into the jurisdiction in the period that it measures'),
  expected: z.strictObject({ must_register: z.boolean(), collect: z.boolean().optional() }),
})

export const Deck = z
  .strictObject({
    format: z.literal(FORMAT),
    title: z.string(),
    note: z.string().optional(),
    as_of: z.iso.date().describe('The day for which the answers were last checked'),
    cases: z.array(z.discriminatedUnion('kind', [SaleCase, RegistrationCase])).min(1),
  })
  .refine(({ cases }) => new Set(cases.map(({ id }) => id)).size === cases.length, {
    path: ['cases'],
    message: 'two cases have the same id',
  })

export type Deck = z.infer<typeof Deck>
export type SaleCase = z.infer<typeof SaleCase>
export type RegistrationCase = z.infer<typeof RegistrationCase>
export type LawCase = Deck['cases'][number]

/** Whether a JSON value says that it is a deck, rather than a file of arithmetic. */
export function saysItIsADeck(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'format' in json
}

/** Reads a deck. Throws an Error that names the first fault. */
export function parseDeck(json: unknown): Deck {
  const parsed = Deck.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${z.core.toDotPath(issue?.path ?? []) || 'file'}: ${issue?.message ?? 'is no deck'}`)
}
