import { type Adapter, fieldOf, told } from './adapter.ts'
import type { RegistrationCase, SaleCase } from './deck.ts'

/** The form of this service: `POST /v1/calculate` and `POST /v1/decision/collect`. */
export const ownAdapter: Adapter = {
  name: 'own',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  ask: (asked) =>
    asked.kind === 'sale'
      ? { method: 'POST', path: '/v1/calculate', body: calculationOf(asked) }
      : { method: 'POST', path: '/v1/decision/collect', body: decisionOf(asked) },
  read(body, asked) {
    if (asked.kind === 'registration')
      return told({ must_register: fieldOf(body, 'must_register'), collect: fieldOf(body, 'collect') })
    const lines = fieldOf(body, 'line_items')
    return told({
      tax: fieldOf(body, 'tax_amount'),
      line_tax: Array.isArray(lines) ? lines.map((line) => fieldOf(line, 'tax_amount')) : undefined,
      rate: fieldOf(body, 'tax_rate'),
      jurisdiction: fieldOf(body, 'jurisdiction_id'),
      reverse_charge: fieldOf(body, 'reverse_charge'),
    })
  },
}

function calculationOf(asked: SaleCase) {
  const { type, vat_id, vat_id_valid, ...address } = asked.buyer
  return {
    transaction_date: asked.date,
    currency: asked.currency,
    tax_behavior: asked.prices,
    ...(asked.rounding !== undefined && { rounding: asked.rounding }),
    seller: asked.seller,
    customer: {
      address,
      ...(type !== undefined && { type }),
      ...(vat_id !== undefined && { vat_id }),
      ...(vat_id_valid !== undefined && { vat_id_validated: vat_id_valid }),
    },
    ...(asked.place_of_event !== undefined && { supply_address: asked.place_of_event }),
    line_items: asked.lines.map(({ product, ...line }) => ({ ...line, product_type: product })),
    ...(asked.shipping !== undefined && { shipping_cost: { amount: asked.shipping } }),
  }
}

function decisionOf({ date, jurisdiction, seller, product, sales }: RegistrationCase) {
  const { count, ...sum } = sales
  return {
    date,
    jurisdiction_id: jurisdiction,
    seller,
    ...(product !== undefined && { product_type: product }),
    sales: { ...sum, transaction_count: count },
  }
}
