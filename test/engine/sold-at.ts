import type { ProductRule } from '../../src/engine/book/facts.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { assessed, book } from './sale.ts'

/** A day on which a rule is in force. */
export const dayOf = ({ effective_from, effective_to }: ProductRule) =>
  effective_from ?? effective_to ?? '2026-06-15'

/** A sale of a registered seller at a place, to a consumer or a business there. */
export function soldAt(
  { jurisdiction_id, product_type, customer_type }: ProductRule,
  day: string,
): Assessment {
  const [country = '', region] = jurisdiction_id === 'XI' ? ['GB'] : jurisdiction_id.split('-')
  const postal_code = jurisdiction_id === 'XI' ? 'BT1 1AA' : undefined
  const to = { country, ...(region && { region }), ...(postal_code && { postal_code }) }
  const type = customer_type === 'b2b' ? ('business' as const) : ('individual' as const)
  return assessed({
    // Of India, sales from abroad alone are covered.
    from: country === 'IN' ? { country: 'GB' } : to,
    to,
    day,
    currency: book.jurisdictions.get(jurisdiction_id)?.currency ?? 'EUR',
    seller_registered: true,
    supply_address: to,
    customer: { address: to, type, vat_id: null },
    lines: [{ amount: 10_000, product_type }],
  })
}
