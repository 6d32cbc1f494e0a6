import { moneyInWords } from '../../engine/book/money-in-words.ts'
import { ApiError } from '../../platform/errors.ts'
import { MONEY } from '../../sales/transactions/give-back/refund-split.ts'
import { GROUPED } from '../../sales/transactions/sums/sums.ts'
import { readSums, type TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { afterRefunds, type FilingRow } from '../rows/figures.ts'
import { type FilingSeller, isDeclared } from '../forms/form.ts'
import { formOf, FILING_TYPES } from '../forms/forms.ts'
import { groupKeyOf } from '../rows/line-entry.ts'
import { type LineSums, rangesOfSales, readLinesIn } from './reconcile-store.ts'
import { readDeclared, readLiveReturns, type ReturnRow } from './returns-store.ts'

/** Sums of one currency after refunds, in minor units. */
type ReconciledSum = { currency: string } & Record<'net_amount' | 'taxable_amount' | 'tax_amount', number>

/**
 * A filed return beside the books: what the books hold of its days, what filed returns declare of them, and
 * the late entries that the next open return declares. The first less the second is the third, else `faults`
 * says what differs.
 */
export type Reconciled = {
  books: ReconciledSum[]
  declared: ReconciledSum[]
  pending: ReconciledSum[]
  faults: string[]
}

/** A return that counts no more has nothing to reconcile. */
const NOTHING: Reconciled = { books: [], declared: [], pending: [], faults: [] }

type Filed = Pick<
  ReturnRow,
  'id' | 'type' | 'jurisdiction_id' | 'period' | 'from_date' | 'to_date' | 'status' | 'late' | 'inputs'
>

/** If sales are recorded meanwhile, totals and lines are of two moments. */
const ATTEMPTS_MAX = 5

/**
 * Reconciles a filed return with the books of today. Lines are read if the sums differ or entries are late;
 * `thorough` reads them in any case, so that it also finds entries whose sum is zero. Throws
 * concurrent_change if the books change all the time.
 */
export async function reconcileReturn(
  source: TotalsOf,
  row: Filed,
  { thorough = false }: { thorough?: boolean } = {},
): Promise<Reconciled> {
  if (row.status !== 'filed') return NOTHING
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const found = await compareOnce(source, row, thorough)
    if (found !== null) return found
  }
  throw new ApiError('concurrent_change')
}

async function compareOnce(source: TotalsOf, row: Filed, thorough: boolean): Promise<Reconciled | null> {
  const live = await readLiveReturns(source, row.type, row.jurisdiction_id)
  const declaring = live
    .filter(({ id, corrects }) => id === row.id || corrects.includes(row.period))
    .map(({ id }) => id)
  const late = live.find(({ id }) => id === row.id)?.late === 1
  const rows = await readDeclared(source, declaring)
  const declared = sumsOf(rows.filter(({ period }) => period.name === row.period).map(netOf))
  const books = await readBooks(source, row)
  const rest = difference(books, declared)
  if (!thorough && !late && rest.size === 0) return presented(books, declared, new Map(), [])
  const open = await readOpen(source, row, declaring)
  if (difference(books, await readBooks(source, row)).size > 0) return null
  const faults = [...faultsOfSums(rest, open), ...(late ? [] : faultsOfLost(open))]
  return presented(books, declared, late ? open : new Map(), faults)
}

type Amounts = Record<(typeof MONEY)[number] | 'transactions' | 'refunds', number>
type Group = Amounts & { currency: string; lines: number }
/** Sums by the key of their group. */
type Groups = Map<string, Group>

const COMPARED = [...MONEY, 'transactions', 'refunds'] as const

/** The sums of the days of a return, from the totals. The form counts them for the seller that filed it. */
async function readBooks(source: TotalsOf, row: Filed): Promise<Groups> {
  const rows = await readSums<FilingRow>(source, row.from_date, row.to_date, {
    columns: GROUPED,
    counted: 'transactions',
  })
  const concerns = concernsOf(row)
  return sumsOf(rows.filter(concerns).map(netOf))
}

/** The lines of the days of a return that no filed return declares. */
async function readOpen(source: TotalsOf, row: Filed, declaring: readonly string[]): Promise<Groups> {
  const concerns = concernsOf(row)
  const found: LineSums[] = []
  for (const range of await rangesOfSales(source, { from: row.from_date, to: row.to_date }))
    for (const each of await readLinesIn(source, range, declaring))
      if (concerns(rowOf(each))) found.push(each)
  return sumsOf(found)
}

function concernsOf({ type, jurisdiction_id, inputs }: Filed): (row: FilingRow) => boolean {
  const form = formOf(
    invariant(
      FILING_TYPES.find((each) => each === type),
      'a return has a form',
    ),
  )
  const { seller }: { seller: FilingSeller } = JSON.parse(inputs)
  const place = jurisdiction_id === '' ? null : jurisdiction_id
  return (row) => isDeclared(form, row, seller, place)
}

/** Lines as a row, as far as a form looks at it. */
function rowOf(sums: LineSums): FilingRow {
  const refunded = {
    uncollected_amount: 0,
    refunded_net_amount: 0,
    refunded_taxable_amount: 0,
    refunded_tax_amount: 0,
    refunded_provincial_tax_amount: 0,
  }
  const period = { name: '', kind: 'months', from: '', to: '' } as const
  return { ...sums, ...refunded, period, corrects: null, sold_currency: sums.currency, sold_on: null }
}

function netOf(row: FilingRow): FilingRow & { lines: number } {
  return { ...row, ...afterRefunds(row), lines: 0 }
}

function sumsOf(rows: readonly (LineSums | (FilingRow & { lines: number }))[]): Groups {
  const groups: Groups = new Map()
  for (const row of rows) {
    const key = groupKeyOf(row)
    const group = groups.get(key) ?? { ...EMPTY, currency: row.currency }
    for (const name of [...COMPARED, 'lines'] as const) group[name] += row[name]
    groups.set(key, group)
  }
  return groups
}

const EMPTY = {
  net_amount: 0,
  taxable_amount: 0,
  tax_amount: 0,
  provincial_tax_amount: 0,
  transactions: 0,
  refunds: 0,
  lines: 0,
}

/** The groups that differ, and by how much. */
function difference(one: Groups, other: Groups): Groups {
  const rest: Groups = new Map()
  for (const [key, group] of [...one, ...other]) {
    const [more, less] = [one.get(key) ?? EMPTY, other.get(key) ?? EMPTY]
    const differs = { ...EMPTY, currency: group.currency }
    for (const name of COMPARED) differs[name] = more[name] - less[name]
    if (COMPARED.some((name) => differs[name] !== 0)) rest.set(key, differs)
  }
  return rest
}

/** Numbers of sales decide whether to look at the lines; only money is a fault. */
function faultsOfSums(rest: Groups, open: Groups): string[] {
  const unexplained = [...difference(rest, open).values()].filter((group) =>
    MONEY.some((name) => group[name] !== 0),
  )
  return byCurrency(unexplained).map(
    (sum) =>
      `The books of its days differ from what returns declare and from late entries by ${inWords(sum)}`,
  )
}

function faultsOfLost(open: Groups): string[] {
  const lines = [...open.values()].reduce((sum, group) => sum + group.lines, 0)
  if (lines === 0) return []
  const sums = byCurrency([...open.values()])
    .map(inWords)
    .join('; ')
  return [`${lines} lines of its days are in no return, and no open return looks for them: ${sums}`]
}

function inWords({ currency, net_amount, tax_amount }: ReconciledSum): string {
  return `${moneyInWords(net_amount, currency)} net and ${moneyInWords(tax_amount, currency)} of tax`
}

function presented(books: Groups, declared: Groups, pending: Groups, faults: string[]): Reconciled {
  return {
    books: byCurrency([...books.values()]),
    declared: byCurrency([...declared.values()]),
    pending: byCurrency([...pending.values()]),
    faults,
  }
}

function byCurrency(groups: readonly Group[]): ReconciledSum[] {
  return [...Map.groupBy(groups, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, same]) => {
      const sum = { currency, net_amount: 0, taxable_amount: 0, tax_amount: 0 }
      for (const group of same) {
        sum.net_amount += group.net_amount
        sum.taxable_amount += group.taxable_amount
        sum.tax_amount += group.tax_amount
      }
      return sum
    })
}
