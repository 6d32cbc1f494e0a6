import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'
import { ProductTypeId } from '../../platform/http/tax-enums.ts'

export const SuggestionsQuery = z.strictObject({
  description: text(500).min(1).describe('The title or description of the product, in English'),
})

const CERTAINTIES = ['high', 'medium', 'low'] as const

export const Certainty = z.enum(CERTAINTIES)

/** A product type that a description may mean. */
export const Suggestion = z.strictObject({
  product_type: ProductTypeId,
  name: z.string(),
  certainty: Certainty.describe(
    '`high`: right for at least 9 of 10 of the titles that were measured. `medium`: other words speak ' +
      'against it. `low`: a guess',
  ),
  because: z
    .array(z.string())
    .describe('The phrases of the table that speak for it; none: it is the broader or the usual type'),
})

export const SuggestionsAnswer = z.strictObject({
  suggestions: z.array(Suggestion).describe('At most three, the best first'),
  queried_at: Timestamp,
})
