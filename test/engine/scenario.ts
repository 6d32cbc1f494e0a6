import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exemption, Sale, VatId } from '../../src/engine/sale/sale.ts'

/**
 * A case of test/engine/oracles/scenarios.json: a sale, or a question about a threshold, with its expected
 * answer.
 */
export type Scenario = {
  case: string
  kind?: 'calculate' | 'threshold'
  input: {
    jurisdiction_id?: string
    seller: {
      country: string
      region?: string
      postal_code?: string
      registrations?: string[]
      over_eu_threshold?: boolean
    }
    customer?: {
      type: 'individual' | 'business'
      address: { country: string; region?: string; postal_code?: string; city?: string }
      vat_id?: string | null
      vat_id_valid?: boolean | null
    }
    supply_address?: { country: string; region?: string }
    product_type?: string
    amount?: number
    line_items?: { amount: number; quantity: number; product_type: string }[]
    currency?: string
    transaction_date?: string
    date?: string
    tax_behavior?: 'exclusive' | 'inclusive'
    exemption?: Omit<Exemption, 'id'> & { status: string }
    sales?: { amount: number; currency: string; transaction_count: number }
  }
  expected: Record<string, unknown>
}

export function readScenarios(): Scenario[] {
  const file = join(import.meta.dirname, 'oracles/scenarios.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Scenario[] }
  return cases
}

/** The scenario as the engine takes it. */
export function saleOf({ input }: Scenario): Sale {
  const { seller, customer, exemption } = input
  const lines = input.line_items ?? [
    { amount: input.amount ?? 0, quantity: 1, product_type: input.product_type ?? 'physical_goods' },
  ]
  return {
    currency: input.currency ?? 'EUR',
    day: input.transaction_date ?? '2026-06-15',
    seller: {
      address: seller,
      registrations: seller.registrations ?? null,
      over_eu_threshold: seller.over_eu_threshold ?? false,
      small_business: false,
    },
    customer: {
      address: customer?.address ?? { country: 'US' },
      type: customer?.type ?? null,
      vat_id: vatIdOf(customer?.vat_id ?? null, customer?.vat_id_valid ?? null),
    },
    ship_from: null,
    importer: null,
    delivery: null,
    local_fallback: null,
    einvoice: null,
    marketplace: null,
    supply_address: input.supply_address ?? null,
    lines: lines.map((line) => ({
      ...line,
      discount: 0,
      tax_behavior: input.tax_behavior ?? 'exclusive',
      taxable: true,
      live: false,
      exemptions: [],
      funded_discount: 0,
      trade_in: 0,
      bundle: [],
    })),
    shipping: null,
    rounding: 'line',
    seller_registered: null,
    exemptions: exemption?.status === 'verified' ? [{ ...exemption, id: 'exm_test' }] : [],
    explain: true,
  }
}

function vatIdOf(vat_id: string | null, valid: boolean | null): VatId | null {
  return vat_id === null
    ? null
    : { country: vat_id.slice(0, 2), good: valid !== false, invalid: valid === false }
}
