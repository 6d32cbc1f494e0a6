import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readAvalara } from './imports/avalara.ts'
import { controlTotals, inLines } from './imports/control-totals.ts'
import type { Imported, ImportOptions } from './imports/sale.ts'
import { readZone, send } from './imports/send.ts'
import { readStripe } from './imports/stripe.ts'
import { readTaxJar } from './imports/taxjar.ts'

const USAGE = `Usage:
  TAX_API_KEY=… npm run import -- stripe FILE.csv [--url URL]
  TAX_API_KEY=… npm run import -- taxjar FILE.csv [--currency USD]
  TAX_API_KEY=… npm run import -- avalara FILE.csv

Records the sales of an export with the tax that was charged. What is on file already is left alone, so the
command can be run again. Prints the sums of net and tax by currency and month: compare them with your books
and with GET /v1/reports/summary?group_by=month.

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
    for (const line of inLines(controlTotals(sales, 'UTC'))) console.error(line)
    return 0
  }
  const key = process.env['TAX_API_KEY']
  if (key === undefined || key === '')
    throw new Error('Set TAX_API_KEY to a key with the scope transactions:write')
  const service = { url: values.url, key }
  const { recorded, present, refused, kept } = await send(sales, service)
  for (const { id, reason } of refused) console.error(`${id} is refused: ${reason}`)
  const zone = await readZone(service)
  console.log(
    `Control totals of what is on file, days in ${zone ?? 'UTC, as the key may not read the zone'}:`,
  )
  for (const line of inLines(controlTotals(kept, zone ?? 'UTC'))) console.log(line)
  console.log(`${recorded} recorded, ${present} on file already, ${refused.length} refused`)
  return refused.length === 0 ? 0 : 1
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
