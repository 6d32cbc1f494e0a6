import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readAvalara } from './imports/avalara.ts'
import { checkSales } from './imports/check.ts'
import { columnsOf, datesOf, mapOf } from './imports/options.ts'
import { refusedFile } from './imports/refused.ts'
import type { Imported, ImportedSale, ImportOptions } from './imports/sale.ts'
import { isInBooks, readZone, send } from './imports/send.ts'
import { readStripe } from './imports/stripe.ts'
import { readTaxJar } from './imports/taxjar.ts'
import { readTemplate, TEMPLATE } from './imports/template.ts'
import { controlTotals, totalsTable } from './imports/totals.ts'

const USAGE = `Usage:
  TAX_API_KEY=… npm run import -- stripe FILE.csv [--url URL]
  TAX_API_KEY=… npm run import -- taxjar FILE.csv [--currency USD]
  TAX_API_KEY=… npm run import -- avalara FILE.csv
  TAX_API_KEY=… npm run import -- template FILE.csv
  npm run -s import -- template > FILE.csv

Records the sales of an export with the tax that was charged. The template is our own layout. What
is already recorded is left alone, so the command can be run again. The whole file is checked before anything
is recorded. It prints control totals: net and tax of the file by month and currency.

  --url           the service (default http://127.0.0.1:8787)
  --currency      for files that name no currency (default USD)
  --product-type  for codes of products that are not mapped; without it such a code is an error
  --map           a CSV file with your codes: code,product_type
  --columns       names of the columns, if they differ: "transaction_id=Order ID, to_zip=Post code"
  --decimal-comma amounts are written 1.234,56
  --dates         dmy or mdy: the order in 03/04/2026 or 03.04.2026
  --skip-bad-rows leave out documents with an error, and name them
  --refused       a CSV file to write: what was left out or refused, with the reasons
  --dry-run       check the file, print the sales as JSON lines, and record nothing`

type Reader = (csv: string, options: ImportOptions) => Imported
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['stripe', readStripe],
  ['taxjar', readTaxJar],
  ['avalara', readAvalara],
  ['template', readTemplate],
])

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    return 0
  }
  const { positionals, values } = readArguments()
  const [provider = '', file] = positionals
  const reader = READERS.get(provider)
  if (provider === 'template' && file === undefined) {
    process.stdout.write(TEMPLATE)
    return 0
  }
  if (reader === undefined || file === undefined) throw new Error(USAGE)
  const service = values['dry-run'] ? null : { url: values.url, key: keyOf(process.env['TAX_API_KEY']) }
  const read = reader(readFileSync(file, 'utf8'), optionsOf(values))
  const checked = await checkSales(
    read,
    async (id) => (service === null ? null : isInBooks(id, service)),
    new Date(),
  )
  const { sales, skipped, bad, notes } = checked
  for (const { row, reason } of skipped) console.error(`Row ${row} is skipped: ${reason}`)
  for (const { reason } of notes) console.error(`Look at it: ${reason}`)
  if (bad.length > 0 && !values['skip-bad-rows']) {
    writeRefused(values.refused, bad)
    throw new Error([...bad.map(({ reason }) => reason), 'Nothing is recorded'].join('\n'))
  }
  for (const { reason } of bad) console.error(`Left out: ${reason}`)
  if (bad.length > 0) console.error(`${bad.length} documents are left out, because they have errors`)
  const refused = service === null ? printSales(sales) : await record(sales, service)
  const left_out = [
    ...bad,
    ...refused.map(({ sale, reason }) => ({ reason, rows: checked.rows.get(sale) ?? [] })),
  ]
  writeRefused(values.refused, left_out)
  return left_out.length === 0 ? 0 : 1
}

function writeRefused(file: string | undefined, left_out: Parameters<typeof refusedFile>[0]): void {
  if (file !== undefined && left_out.length > 0) writeFileSync(file, refusedFile(left_out))
}

function keyOf(key = ''): string {
  if (key === '') throw new Error('Set TAX_API_KEY to a key with the scope transactions:write')
  return key
}

/** A dry run. Nothing is refused. */
function printSales(sales: readonly ImportedSale[]): [] {
  for (const sale of sales) console.log(JSON.stringify(sale))
  console.error(namedTotals('Control totals of the file', sales, 'UTC'))
  return []
}

/** Records the sales, prints what became of them, and returns those that the service refused. */
async function record(sales: readonly ImportedSale[], service: { url: string; key: string }) {
  const { recorded, present, refused } = await send(sales, service)
  for (const { id, reason } of refused) console.error(`${id} is refused: ${reason}`)
  console.log(`${recorded} recorded, ${present} recorded already, ${refused.length} refused`)
  const zone = await readZone(service)
  if (zone === null)
    console.error('The key may not read the time zone of the account: months are those of UTC')
  console.log(namedTotals('Control totals of the file', sales, zone ?? 'UTC'))
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]))
  const left_out = sales.filter(({ external_id }) => reasons.has(external_id))
  if (left_out.length > 0)
    console.log(namedTotals('Of these, refused and not in the books', left_out, zone ?? 'UTC'))
  return left_out.map((sale) => ({ sale, reason: reasons.get(sale.external_id) ?? '' }))
}

function optionsOf(values: ReturnType<typeof readArguments>['values']): ImportOptions {
  return {
    currency: values.currency,
    product_type: values['product-type'] ?? null,
    map: values.map === undefined ? new Map() : mapOf(values.map),
    // All errors are named at once, and end the command unless they may be left out.
    skip_bad_rows: true,
    format: {
      decimal_comma: values['decimal-comma'],
      dates: datesOf(values.dates),
      columns: columnsOf(values.columns ?? ''),
    },
  }
}

function namedTotals(name: string, sales: readonly ImportedSale[], zone: string): string {
  return `${name}:\n${totalsTable(controlTotals(sales, zone))}`
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:8787' },
        currency: { type: 'string', default: 'USD' },
        'product-type': { type: 'string' },
        map: { type: 'string' },
        columns: { type: 'string' },
        'decimal-comma': { type: 'boolean', default: false },
        dates: { type: 'string' },
        'skip-bad-rows': { type: 'boolean', default: false },
        refused: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error })
  }
}
