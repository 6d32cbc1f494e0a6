import type * as z from 'zod'
import { keysOf, recordOf } from '../../platform/kit/keys-of.ts'
import { type Decimal, amountText, minorUnits, signOf, withSign } from './amounts.ts'
import type { TransactionDocument } from './answers.ts'
import type { DocumentKind } from '../../platform/database/values/taxjar-document-kinds.ts'
import { TaxJarError } from './errors.ts'
import { numberOfText } from './number-of-text.ts'
import { type DocumentInput, FROM, TO } from './schemas.ts'

export type ShownDocument = z.output<typeof TransactionDocument>

/** An order or refund as it is stored and answered. Amounts are decimals, negative for a refund. */
export type DocumentFields = Omit<
  ShownDocument,
  'user_id' | 'transaction_date' | 'amount' | 'shipping' | 'sales_tax'
> & {
  transaction_date: string
  amount: Decimal
  shipping: Decimal
  sales_tax: Decimal
}

/** How the document is named: transactions of each provider have ids of their own. */
export type DocumentName = { kind: DocumentKind; provider: string; document_id: string }

export const PROVIDER = 'api'

/** The fields of a new document. Throws 406 for those that are missing. */
export function newDocument(
  kind: DocumentKind,
  given: DocumentInput,
  country: string | null,
): DocumentFields {
  for (const name of REQUIRED[kind]) if (!given[name]) throw new TaxJarError(406, `${name} is missing`)
  if (given.transaction_id === '.' || given.transaction_id === '..')
    throw new TaxJarError(400, 'transaction_id must not be . or ..: no path could name it')
  return withGiven(kind, BLANK, { ...given, from_country: given.from_country ?? country })
}

const SUMS = ['amount', 'shipping', 'sales_tax'] as const
const REQUIRED = {
  order: ['transaction_id', 'transaction_date', 'to_country', ...SUMS],
  refund: ['transaction_id', 'transaction_reference_id', 'transaction_date', ...SUMS],
} as const

/** The fields that are kept as they were given. */
const PLACES = keysOf({ ...FROM, ...TO })
const KEPT = ['exemption_type', 'customer_id', ...PLACES] as const
const CITIES = ['from_city', 'to_city'] as const

const BLANK: DocumentFields = {
  transaction_id: '',
  transaction_date: '',
  transaction_reference_id: null,
  provider: PROVIDER,
  exemption_type: null,
  customer_id: null,
  ...recordOf(PLACES, null),
  amount: '0',
  shipping: '0',
  sales_tax: '0',
  line_items: [],
}

/** A document with the fields that an update gives. The other fields stay; lines are replaced as a whole. */
export function withGiven(kind: DocumentKind, before: DocumentFields, given: DocumentInput): DocumentFields {
  const sign = kind === 'order' ? 1 : -1
  const fields = { ...before }
  for (const name of KEPT) fields[name] = given[name] ?? before[name]
  for (const name of CITIES) fields[name] = fields[name]?.toUpperCase() ?? null
  for (const name of SUMS) fields[name] = amountText(withSign(given[name] ?? before[name], sign))
  return {
    ...fields,
    transaction_id: given.transaction_id ?? before.transaction_id,
    transaction_date: given.transaction_date ? dateOf(given.transaction_date) : before.transaction_date,
    transaction_reference_id:
      kind === 'order' ? null : (given.transaction_reference_id ?? before.transaction_reference_id),
    provider: given.provider ?? before.provider,
    line_items: given.line_items ? linesOf(given.line_items, sign) : before.line_items,
  }
}

type GivenLine = NonNullable<DocumentInput['line_items']>[number]

/** Amounts get the sign of the document, whatever was sent. A line against the others keeps its own. */
function linesOf(lines: readonly GivenLine[], sign: 1 | -1): DocumentFields['line_items'] {
  const sum = lines.reduce(
    (total, { unit_price, quantity }) => total + minorUnits(unit_price ?? '0', 'USD', quantity ?? '1'),
    0,
  )
  const turned = sum !== 0 && Math.sign(sum) !== sign
  return lines.map((line, index) => {
    const price = line.unit_price ?? '0'
    const own = signOf(price) * (turned ? -1 : 1)
    const direction = own === 0 ? sign : own > 0 ? 1 : -1
    return {
      id: index,
      quantity: Number(line.quantity ?? '1'),
      product_identifier: line.product_identifier ?? null,
      description: line.description ?? null,
      product_tax_code: line.product_tax_code ?? null,
      unit_price: amountText(withSign(price, direction)),
      discount: amountText(withSign(line.discount ?? '0', 1)),
      sales_tax: amountText(withSign(line.sales_tax ?? '0', direction)),
    }
  })
}

const FIRST_MS = Date.parse('1900-01-01T00:00:00Z')
const END_MS = Date.parse('9999-01-01T00:00:00Z')
const DATE =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2}|UTC)?)?$/

/**
 * A date as TaxJar takes it: `2015/05/14`, `2015-05-14`, with a time in UTC, or with a time and its zone. The
 * result is ISO 8601 in UTC; a date alone is its first moment. Throws 400.
 */
export function dateOf(text: string): string {
  const [found, year, month, day, time = '00:00', zone = 'Z'] = DATE.exec(text) ?? []
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const moment = new Date(`${year}-${month}-${day}T${time}${offset}`)
  // A zone can move the first and the last day of the calendar out of the years 0000 to 9999.
  const inCalendar = moment.getTime() >= FIRST_MS && moment.getTime() < END_MS
  if (found === undefined || !inCalendar || !isDay(Number(year), Number(month), Number(day)))
    throw new TaxJarError(400, `transaction_date ${JSON.stringify(text)} is not a date`)
  return moment.toISOString()
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Whether a date of TaxJar has no time. It then means that day in the time zone of the account. */
export function isDayAlone(text: string): boolean {
  return text.length === 10
}

/** The id in our books: the id of another provider than `api` has its name before it. */
export function externalId(provider: string, id: string): string {
  return provider === PROVIDER ? id : `${provider}:${id}`
}

/** A document as it is answered. */
export function presentDocument(account_id: string, fields: DocumentFields): ShownDocument {
  return { ...fields, user_id: numberOfText(account_id) }
}

/** What is answered to the deletion of a document. */
export function presentDeleted(
  account_id: string,
  { transaction_id, provider }: DocumentFields,
): ShownDocument {
  return {
    ...BLANK,
    transaction_id,
    provider,
    user_id: numberOfText(account_id),
    transaction_date: null,
    amount: null,
    shipping: null,
    sales_tax: null,
  }
}
