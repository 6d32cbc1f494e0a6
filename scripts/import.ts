import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readAvalara } from './imports/avalara.ts'
import type { Imported, ImportedSale, ImportOptions } from './imports/sale.ts'
import { readZone, send } from './imports/send.ts'
import { readStripe } from './imports/stripe.ts'
import { readTaxJar } from './imports/taxjar.ts'
import { controlTotals, totalsTable } from './imports/totals.ts'

const USAGE = `Usage:
  TAX_API_KEY=… npm run import -- stripe FILE.csv [--url URL]
  TAX_API_KEY=… npm run import -- taxjar FILE.csv [--currency USD]
  TAX_API_KEY=… npm run import -- avalara FILE.csv

Records the sales of an export with the tax that was charged. What is on file already is left alone, so the
command can be run again. It prints control totals: net and tax of the file by month and currency.

  --url           the service (default http://127.0.0.1:8787)
  --currency      for files that name no currency (default USD)
  --product-type  for codes of products that are not mapped; without it such a code is an error
  --dry-run       read the file, print the sales as JSON lines, and record nothing`

type Reader = (csv: string, options: ImportOptions) => Imported
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['stripe', readStripe],
  ['taxjar', readTaxJar],
  ['avalara', readAvalara],
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
  if (reader === undefined || file === undefined) throw new Error(USAGE)
  const product_type = values['product-type'] ?? null
  const { sales, skipped } = reader(readFileSync(file, 'utf8'), { currency: values.currency, product_type })
  for (const { row, reason } of skipped) console.error(`Row ${row} is skipped: ${reason}`)
  if (values['dry-run']) {
    for (const sale of sales) console.log(JSON.stringify(sale))
    console.error(namedTotals('Control totals of the file', sales, 'UTC'))
    return 0
  }
  const key = process.env['TAX_API_KEY']
  if (key === undefined || key === '')
    throw new Error('Set TAX_API_KEY to a key with the scope transactions:write')
  const service = { url: values.url, key }
  const { recorded, present, refused } = await send(sales, service)
  for (const { id, reason } of refused) console.error(`${id} is refused: ${reason}`)
  console.log(`${recorded} recorded, ${present} on file already, ${refused.length} refused`)
  const zone = await readZone(service)
  if (zone === null)
    console.error('The key may not read the time zone of the account: months are those of UTC')
  console.log(namedTotals('Control totals of the file', sales, zone ?? 'UTC'))
  if (refused.length > 0) {
    const ids = new Set(refused.map(({ id }) => id))
    const left_out = sales.filter(({ external_id }) => ids.has(external_id))
    console.log(namedTotals('Of these, refused and not in the books', left_out, zone ?? 'UTC'))
  }
  return refused.length === 0 ? 0 : 1
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
        'dry-run': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error })
  }
}
