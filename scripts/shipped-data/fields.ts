import * as z from 'zod'
import { CONFIDENCES } from '../../src/engine/book/facts.ts'

/** Fields of the files of data/: days, decimal fractions, minor units of a currency. */
export const Day = z.iso.date()
export const Fraction = z.number().min(0).max(1)
export const MinorUnits = z.int()

/** Where a record comes from. data/README.md explains. */
export const PROVENANCE = {
  notes: z.string().nullable(),
  source: z.string().min(1),
  source_url: z.url(),
  /** Where the record was seen: on a page, in a data set, or nowhere (`background`). */
  evidence: z.enum(['page', 'dataset', 'background']),
  verified_at: Day.nullable(),
  confidence: z.enum(CONFIDENCES),
}
