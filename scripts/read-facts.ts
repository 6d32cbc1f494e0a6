import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Facts } from '../src/tax/book/facts.ts'
import { shippedFacts, type ShippedFiles } from '../src/tax-data/shipped-facts.ts'

/** The facts that ship in data/. */
export function readFacts(version = 'shipped', recorded_at = '2026-11-20T00:00:00.000Z'): Facts {
  const files: ShippedFiles = {
    jurisdictions: read('jurisdictions'),
    rates: read('rates'),
    product_rules: read('product-rules'),
    thresholds: read('thresholds'),
    postal_rules: read('postal-rules'),
    consignment_limits: read('consignment-limits'),
    exchange_rates: read('exchange-rates'),
  }
  return shippedFacts(files, version, recorded_at)
}

function read(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../data', `${name}.json`), 'utf8'))
}
