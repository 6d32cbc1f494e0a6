import type { Reader } from '../../platform/context.ts'
import { supplyKind } from '../../engine/book/product-types.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { findPlace } from '../../engine/supply/place.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { LocalTax } from '../../engine/regimes/us-local/local-stack.ts'
import type { Address } from '../../engine/sale/sale.ts'
import { localBookFor } from '../../tax-data/records/local-book-for.ts'

export type LocalRates = { tax: LocalTax; book: LocalBook }

/** What is asked; without a version of the data it is the one in force. */
export type LocalRatesQuestion = {
  address: Address
  day: string
  product_type: string
  data_version: string | null
}

/**
 * The local taxes at an address, as a seller from elsewhere has to charge them; null: there are none. Throws
 * a Refusal if the address is not enough.
 */
export async function localRatesAt(
  reader: Reader,
  book: RateBook,
  { address, day, product_type, data_version }: LocalRatesQuestion,
): Promise<LocalRates | null> {
  const { jurisdiction_id, name, law } = findPlace(book, address, 'address')
  const local = await localBookFor(reader, book, { customer: address, supply: null }, data_version)
  if (local === null || law.localTaxes === null) return null
  const taxes = law.localTaxes(local, {
    jurisdiction_id,
    state_name: name,
    kind: supplyKind(product_type) ?? 'goods',
    destination: { address, whose: 'the address' },
    origin: null,
    day,
    fallback: null,
    registrations: null,
    present: false,
    marketplace: false,
  })
  const tax = taxes.of(product_type)
  return tax === null ? null : { tax, book: local }
}
