import type { CollectQuestion } from '../../src/engine/answer/collect-question.ts'

/** A question whether a seller collects in a place, of which only these are known. */
export function questionOf(
  known: Pick<CollectQuestion, 'place' | 'seller'> & Partial<CollectQuestion>,
): CollectQuestion {
  return {
    seller_registered: null,
    customer_type: null,
    vat_id: null,
    ship_from: null,
    importer: null,
    supply_address: null,
    marketplace: null,
    exemptions: [],
    product_type: null,
    price: null,
    day: '2026-06-15',
    sales: () => null,
    ...known,
  }
}
