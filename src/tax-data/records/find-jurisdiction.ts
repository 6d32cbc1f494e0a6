import { ApiError, fieldError } from '../../platform/errors.ts'
import { canonicalId } from '../../platform/http/field-rules.ts'
import type { Jurisdiction } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { lawOf } from '../../engine/supply/place.ts'

/** A jurisdiction by its id; EL and UK are read as GR and GB. Throws invalid_jurisdiction for the field. */
export function findJurisdiction(book: RateBook, id: string, field: string): Jurisdiction {
  const jurisdiction = book.jurisdictions.get(canonicalId(id))
  if (jurisdiction === undefined) {
    const why = book.countries.get(canonicalId(id))?.left_out?.why
    const unknown = `There is no jurisdiction ${JSON.stringify(id)}`
    const message = why === undefined ? unknown : `${unknown}: its tax is not covered. ${why}`
    throw new ApiError('invalid_jurisdiction', { message, errors: [{ path: field, message }] })
  }
  return jurisdiction
}

/**
 * Refuses a country whose states alone levy tax (the United States, not Canada, which levies its GST). Throws
 * region_required for the field.
 */
export function requireOwnTax(book: RateBook, jurisdiction: Jurisdiction, field: string): Jurisdiction {
  const { address } = lawOf(book, jurisdiction)
  if (jurisdiction.type === 'country' && address.regional && !book.rates.has(jurisdiction.id))
    throw fieldError('region_required', field, 'the country alone does not decide the tax: name a state')
  return jurisdiction
}
