import * as z from 'zod'
import type { Facts } from '../src/engine/book/facts.ts'
import { countryFiles, readRecords } from './country-files.ts'
import { shippedFacts } from './shipped-data/shipped-facts.ts'
import { ShippedFiles } from './shipped-data/shipped-files.ts'

/** The shipped facts of data/. Throws if a record has a wrong shape. */
export function readFacts(version = 'shipped', recorded_at = '2026-11-20T00:00:00.000Z'): Facts {
  return shippedFacts(readShippedFiles(), version, recorded_at)
}

/** The files of data/ that become facts. Throws if a record has a wrong shape. */
export function readShippedFiles(): ShippedFiles {
  return ShippedFiles.parse({
    jurisdictions: readRecords('jurisdictions'),
    rates: readRecords('rates'),
    product_rules: readRecords('product-rules'),
    sales_tax_holidays: readRecords('sales-tax-holidays'),
    thresholds: readRecords('thresholds'),
    postal_rules: readRecords('postal-rules'),
    consignment_limits: readRecords('consignment-limits'),
    delivery_fees: readRecords('delivery-fees'),
    exchange_rates: readRecords('exchange-rates'),
    countries: countryFiles(),
  })
}

/** The ids under which earlier versions of data/ shipped a fact that has another id now. */
export function readRetiredIds(): string[] {
  return z.array(z.string()).parse(readRecords('retired'))
}
