import type { Reader } from '../../platform/context.ts'
import { localRatesAt } from '../../sales/calculation/local-rates.ts'
import { presentLocal } from '../../sales/calculation/present-local.ts'
import type { Jurisdiction } from '../../engine/book/facts.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { findPlace, lawOf } from '../../engine/supply/place.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { cityRatesAt } from '../../sales/calculation/city-rates.ts'
import type { ZipView } from './local-taxes.tsx'

const ZIP = /^\d{5}(?:[- ]?\d{4})?$/
const CITY_MAX = 100
const GOODS = 'physical_goods'

/** `postal_code`: null if the reader did not ask. */
type ZipQuestion = { jurisdiction: Jurisdiction; postal_code: string | null; city: string; day: string }

/**
 * The local taxes of a ZIP within a state. Null: the jurisdiction is no state with local taxes. It reads the
 * books in memory, and at most one cached value of KV, so the page needs no key.
 */
export async function zipViewOf(
  reader: Reader,
  book: RateBook,
  { jurisdiction, postal_code, city, day }: ZipQuestion,
): Promise<ZipView | null> {
  if (jurisdiction.parent_id === null || lawOf(book, jurisdiction).localTaxes === null) return null
  if (postal_code === null) return { kind: 'not_asked' }
  const asked = postal_code.trim().slice(0, 10)
  const refused = (why: string): ZipView => ({ kind: 'refused', asked, why })
  if (!ZIP.test(asked)) return refused('Give a ZIP such as 94105 or 94105-1234.')
  try {
    const named = city.trim().slice(0, CITY_MAX)
    const address = {
      country: jurisdiction.parent_id,
      postal_code: asked,
      city: named === '' ? null : named,
    }
    const { jurisdiction_id } = findPlace(book, address, 'address')
    const state = invariant(book.jurisdictions.get(jurisdiction_id), 'a place is a jurisdiction')
    if (state.id !== jurisdiction.id) return { kind: 'elsewhere', asked, state }
    const question = { address, day, product_type: GOODS, data_version: null }
    const found = await localRatesAt(reader, book, question)
    const local = presentLocal(found?.tax ?? null)
    if (local === null) return refused('This state has no local sales tax, or none is in the data.')
    const cities =
      found === null ? [] : await cityRatesAt(reader, book, { tax: found.tax, local: found.book }, question)
    const state_rate = standardRate(book, jurisdiction, day)
    return { kind: 'found', asked, city: named, state_rate, local, cities }
  } catch (thrown) {
    if (thrown instanceof Refusal)
      return refused(`${asked} is not a ZIP of this country that is in the data.`)
    throw thrown
  }
}

/** The general rate of the state as a fraction; null: it has no tax. */
function standardRate(book: RateBook, { id }: Jurisdiction, day: string): number | null {
  const rate = (book.rates.get(id) ?? []).find(
    (each) => each.tax_type === 'SALES_TAX' && each.category === 'standard' && inForce(each, day),
  )
  return rate === undefined ? null : rate.rate_millionths / 1_000_000
}
