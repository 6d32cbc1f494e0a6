import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { placeInSentence } from '../../src/engine/book/names.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { Address, Exemption, FacilitatedSeller, Sale, SaleLine } from '../../src/engine/sale/sale.ts'
import * as rules from '../../src/engine/supply/facilitator.ts'
import * as open_facts from '../../src/engine/terms/open-facts.ts'

export const book = openRateBook(readFacts())

/** How a sentence names a place of the shipped data. */
export function named(jurisdiction_id: string): string {
  return placeInSentence(book, jurisdiction_id)
}

type Line = Partial<SaleLine> & { amount: number }

/** A sale in a few words, with the defaults of most sales. */
export type SaleInWords = Partial<Omit<Sale, 'seller' | 'lines' | 'shipping' | 'facilitator'>> & {
  /** Whom a marketplace that asks sells for. */
  facilitated_seller?: FacilitatedSeller | null
  from: Address | null
  registrations?: string[] | null
  over_eu_threshold?: boolean
  small_business?: boolean
  to: Address
  lines: Line[]
  shipping?: Line
  exemption?: Omit<Exemption, 'id' | 'valid_from' | 'valid_to'>
}

export function assessed(words: SaleInWords): Assessment {
  return assessSale(saleOf(words), book)
}

export function saleOf({
  from,
  to,
  registrations = null,
  over_eu_threshold = false,
  small_business = false,
  lines,
  shipping,
  exemption,
  facilitated_seller = null,
  ...rest
}: SaleInWords): Sale {
  return {
    currency: 'EUR',
    day: '2026-06-15',
    seller: { address: from, registrations, over_eu_threshold, small_business },
    customer: { address: to, type: 'individual', vat_id: null },
    ship_from: null,
    importer: null,
    delivery: null,
    local_fallback: null,
    einvoice: null,
    marketplace: null,
    facilitator: rest.marketplace === 'facilitator' ? { seller: facilitated_seller, rules } : null,
    supply_address: null,
    lines: lines.map(lineOf),
    shipping: shipping === undefined ? null : { ...lineOf(shipping), product_type: 'shipping' },
    rounding: 'line',
    seller_registered: null,
    exemptions:
      exemption === undefined
        ? []
        : [{ ...exemption, id: 'exm_test', valid_from: '2020-01-01', valid_to: null }],
    explain: false,
    open_facts,
    ...rest,
  }
}

function lineOf(line: Line): SaleLine {
  return {
    discount: 0,
    quantity: 1,
    product_type: 'physical_goods',
    tax_behavior: 'exclusive',
    taxable: true,
    live: false,
    exemptions: [],
    funded_discount: 0,
    trade_in: 0,
    bundle: [],
    ...line,
  }
}
