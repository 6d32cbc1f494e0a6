import { env } from 'cloudflare:workers'
import { createAccountAndKey } from '../../scripts/create-account-and-key.ts'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import type { Tier } from '../../src/platform/tiers.ts'
import consignment_limits from '../../data/consignment-limits.json'
import delivery_fees from '../../data/delivery-fees.json'
import exchange_rates from '../../data/exchange-rates.json'
import jurisdictions from '../../data/jurisdictions.json'
import postal_rules from '../../data/postal-rules.json'
import product_rules from '../../data/product-rules.json'
import rates from '../../data/rates.json'
import sales_tax_holidays from '../../data/sales-tax-holidays.json'
import thresholds from '../../data/thresholds.json'
import type { Facts } from '../../src/engine/book/facts.ts'
import { applyFacts } from '../../src/tax-data/records/apply-facts.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import { type Answer, call } from './service.ts'
import { nextShard } from './shards.ts'
import { shippedFacts } from '../../scripts/shipped-data/shipped-facts.ts'
import {
  CountryFile,
  type FileOfCountries,
  recordsOfCountries,
} from '../../scripts/shipped-data/country-file.ts'
import { ShippedFiles } from '../../scripts/shipped-data/shipped-files.ts'

const COUNTRIES = Object.values(
  import.meta.glob<object>('../../data/countries/*.json', { eager: true, import: 'default' }),
).map((file) => CountryFile.parse(file))

const withCountries = (name: FileOfCountries, own: readonly unknown[]) => [
  ...own,
  ...recordsOfCountries(COUNTRIES, name),
]

/** The shipped facts, for tests that run in workerd and have no disk. */
export function testFacts(): Facts {
  const files = ShippedFiles.parse({
    jurisdictions: withCountries('jurisdictions', jurisdictions),
    rates: withCountries('rates', rates),
    product_rules: withCountries('product-rules', product_rules),
    sales_tax_holidays,
    thresholds: withCountries('thresholds', thresholds),
    postal_rules,
    consignment_limits: withCountries('consignment-limits', consignment_limits),
    delivery_fees,
    exchange_rates: withCountries('exchange-rates', exchange_rates),
    countries: COUNTRIES,
  })
  return shippedFacts(files, 'test', '2026-11-20T00:00:00.000Z')
}

/** The rows of the shipped facts, by table, as JSON of at most so many rows. */
let shipped: readonly { table: string; columns: readonly string[]; json: string }[] | null = null
const ROWS_MAX = 1_000

/** Writes the shipped facts into the database. The rows that they leave in an empty one are kept. */
export async function writeShippedFacts(): Promise<void> {
  const found = await env.DB.prepare('SELECT 1 FROM facts UNION ALL SELECT 1 FROM data_versions').first()
  if (found === null && shipped !== null) {
    await env.DB.batch(shipped.map(insertRows))
    return
  }
  await applyFacts(env.DB, testFacts(), new Date('2026-11-20T00:00:00Z'), 'shipped data')
  if (found === null)
    shipped = (await Promise.all(['facts', 'later_facts', 'data_versions'].map(keep))).flat()
}

async function keep(table: string) {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all()
  const columns = Object.keys(results[0] ?? {})
  const starts = Array.from({ length: Math.ceil(results.length / ROWS_MAX) }, (_, part) => part * ROWS_MAX)
  return starts.map((from) => ({
    table,
    columns,
    json: JSON.stringify(results.slice(from, from + ROWS_MAX)),
  }))
}

function insertRows({ table, columns, json }: NonNullable<typeof shipped>[number]): D1PreparedStatement {
  const values = columns.map((name) => `value ->> '${name}'`).join()
  return env.DB.prepare(`INSERT INTO ${table} (${columns.join()}) SELECT ${values} FROM json_each(?)`).bind(
    json,
  )
}

/** Loads the shipped data into the test's database and cache. */
export async function loadTestData(): Promise<void> {
  await writeShippedFacts()
  await publishRateBook(env.DB, env.KV, new Date())
}

/** A key of an account of its own. */
export async function testKey(
  account: string,
  scopes: readonly Scope[] = ['*', 'operator'],
  tier: Tier = 'enterprise',
): Promise<string> {
  const request = { account, tier, scopes, sandbox: true }
  return (await createAccountAndKey(env.DB, request, new Date(), nextShard())).key
}

/**
 * Calls the service as a client would; the answer is held against the OpenAPI document. A text is sent as it
 * is.
 */
export async function request(
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(method, path, {
    ...(key !== null && { key }),
    ...(typeof body === 'string' ? { raw: body } : { body }),
    headers,
  })
}
