import { multiplyAndDivideBig } from '../../engine/arithmetic/rounding.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { MEMBER_STATES, memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { csvOf } from '../../platform/kit/csv.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { type DocumentFormat, type Missing, requireEnded, type ReturnContent, wholeUnits } from './format.ts'

type Entry = { vat_id: string; kind: 'goods' | 'services'; amount: number }

/**
 * Supplies to businesses in other member states, by customer and kind (Directive 2006/112/EC, art. 262 to
 * 264). Amounts in minor units of the return's currency. Reports in `missing` customers without a VAT id, and
 * listed sales without an exchange rate: other sales of the return need none here.
 */
function recapitulate({ figures, lines }: ReturnContent, missing: Missing): Entry[] {
  requireEnded(figures, missing)
  const state = figures.jurisdiction_id ?? ''
  const groups = new Map<string, Entry>()
  const sums = Map.groupBy(
    lines.filter((line) => isListed(state, line)),
    listKeyOf,
  )
  for (const own of sums.values()) {
    const [first] = own
    if (first === undefined) continue
    const vat_id = first.customer_vat_id ?? ''
    if (!/^[A-Z]{2}[A-Z0-9+*]{2,12}$/.test(vat_id)) {
      missing.add(`transactions.${first.transaction_id}`, 'has no VAT id of the customer')
      continue
    }
    const kind = soldKindOf(first.product_type)
    const sum = own.reduce((total, { net_amount }) => total + net_amount, 0)
    const amount = amountIn(figures, first, sum, missing)
    const known = groups.get(`${vat_id} ${kind}`)
    if (known === undefined) groups.set(`${vat_id} ${kind}`, { vat_id, kind, amount })
    else known.amount += amount
  }
  return [...groups.values()]
    .filter(({ amount }) => amount !== 0)
    .toSorted((a, b) => (`${a.vat_id} ${a.kind}` < `${b.vat_id} ${b.kind}` ? -1 : 1))
}

/** Goods delivered from the state to another one, and services that the customer accounts for there. */
function isListed(state: string, { reason, place_of_supply, product_type }: LineEntry): boolean {
  if (reason === 'intra_community_supply') return true
  const place = memberStateOf(place_of_supply)
  return (
    reason === 'reverse_charge' &&
    soldKindOf(product_type) === 'services' &&
    place !== state &&
    MEMBER_STATES.includes(place)
  )
}

/**
 * Lines with the same key are added up before they are converted: those of one customer, kind, currency and
 * month. Reason and place are in the key, because they decide whether a line is listed.
 */
function listKeyOf(line: LineEntry): string {
  const { customer_vat_id, transaction_id, product_type, currency, sold_in, reason, place_of_supply } = line
  return [
    customer_vat_id ?? transaction_id,
    soldKindOf(product_type),
    currency,
    sold_in,
    reason,
    place_of_supply,
  ].join(' ')
}

function amountIn(
  figures: ReturnContent['figures'],
  { currency }: LineEntry,
  sum: number,
  missing: Missing,
): number {
  const own = figures.currency ?? currency
  if (currency === own) return sum
  const used = figures.exchange_rates.find((each) => each.currency === currency)
  if (used === undefined) {
    missing.add('fx_rates', `needs a rate for ${currency}`)
    return 0
  }
  const numerator = 1_000_000n * 10n ** BigInt(minorDigits(own))
  const denominator = BigInt(Math.round(used.rate * 1_000_000)) * 10n ** BigInt(minorDigits(currency))
  return multiplyAndDivideBig(BigInt(sum), numerator, denominator)
}

/** The recapitulative statement in a layout of this service, for any member state. Minor units. */
export const ecSalesList = {
  format: 'ec_sales_list',
  types: ['eu_domestic'],
  needs_lines: true,
  mergeBy: listKeyOf,
  media_type: 'text/csv',
  extension: 'csv',
  layout: { status: 'own', source: 'This service: docs/returns.md', source_url: null },
  write(content, _details, missing) {
    const { figures } = content
    const rows = recapitulate(content, missing).map(({ vat_id, kind, amount }) => ({
      member_state: figures.jurisdiction_id,
      period: figures.period,
      customer_country: vat_id.slice(0, 2),
      customer_vat_id: vat_id,
      kind,
      currency: figures.currency,
      amount,
    }))
    return csvOf(COLUMNS, rows, true)
  },
} as const satisfies DocumentFormat

const COLUMNS = [
  'member_state',
  'period',
  'customer_country',
  'customer_vat_id',
  'kind',
  'currency',
  'amount',
] as const

/** The German import takes at most so many lines. */
const LINES_MAX = 1_500

/** The import file of the German recapitulative statement: L for goods, S for services, whole euros. */
export const deZmCsv = {
  format: 'de_zm_csv',
  types: ['eu_domestic'],
  needs_lines: true,
  mergeBy: listKeyOf,
  media_type: 'text/csv',
  extension: 'csv',
  layout: {
    status: 'unverified',
    source: 'Mein ELSTER, help to the import of Meldelisten zur Zusammenfassenden Meldung',
    source_url: 'https://www.elster.de/eportal/helpGlobal?themaGlobal=zmdo_import_eop',
  },
  write(content, _details, missing) {
    if (content.figures.jurisdiction_id !== 'DE')
      missing.add('jurisdiction_id', 'must be DE: the file is for Germany')
    const entries = recapitulate(content, missing)
    if (entries.length > LINES_MAX)
      missing.add('lines', `has ${entries.length} lines, and the import takes ${LINES_MAX}`)
    const lines = entries.map(({ vat_id, kind, amount }) =>
      [vat_id, wholeUnits(amount), kind === 'goods' ? 'L' : 'S'].join(','),
    )
    return ['#v3.0', 'USt-IdNr.,Betrag (EUR),Art der Leistung', ...lines, ''].join('\r\n')
  },
} as const satisfies DocumentFormat
