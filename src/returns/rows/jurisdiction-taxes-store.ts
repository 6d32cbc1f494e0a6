import type { Context } from '../../platform/context.ts'
import { orTooLarge, readSumsOfPeriods } from '../../sales/transactions/sums/sums-store.ts'
import { refuseInexact } from '../../sales/transactions/sums/sums.ts'
import { sealed, sealedReturns } from '../../sales/sealed/with-sealed.ts'
import { addUpTaxes, type JurisdictionTax, TAX_COLUMNS, taxesOfEntry } from './jurisdiction-tax.ts'
import { conditionsOf, dayNear, type LineScope, pagesOfLines, REFUNDED, SOLD } from './report-lines-store.ts'

/** The lines of so many sales are read to add up their taxes. A return with more lines cannot be filed. */
const SALES_MAX = 100_000

/**
 * The taxes of lines by jurisdiction and rate, from the lines themselves. Null: there are too many sales.
 * Throws amount_out_of_range if a sum is too large to be exact.
 */
export async function readJurisdictionTaxes(
  context: Context,
  scopes: readonly LineScope[],
): Promise<JurisdictionTax[] | null> {
  const grouping = { columns: ['currency'], counted: 'transactions' } as const
  const sums = await readSumsOfPeriods(context, scopes, grouping)
  if (sums.flat().reduce((sum, { transactions }) => sum + transactions, 0) > SALES_MAX) return null
  const read = await Promise.all(scopes.map((scope) => readScope(context, scope)))
  return addUpTaxes(read.flat())
}

async function readScope(context: Context, scope: LineScope): Promise<JurisdictionTax[]> {
  if (context.env.CHESTS === undefined) return readOfBooks(context, scope)
  if (scope.not_in.length === 0) return readWithChests(context, scope)
  const { besideSealed } = await sealedReturns.load()
  return besideSealed(context, scope, async (found) =>
    found.length === 0 ? readWithChests(context, scope) : addUpLines(context, scope),
  )
}

/** Lines of sealed returns are in no table, so no statement can leave them out. */
async function addUpLines(context: Context, scope: LineScope): Promise<JurisdictionTax[]> {
  let taxes: JurisdictionTax[] = []
  for await (const lines of pagesOfLines(context, scope))
    taxes = addUpTaxes([...taxes, ...lines.flatMap(taxesOfEntry)])
  return taxes
}

async function readWithChests(context: Context, scope: LineScope): Promise<JurisdictionTax[]> {
  const { everywhere } = await sealed.load()
  const range = { from: dayNear(scope.from, -1), before: dayNear(scope.to, 2) }
  const read = async (books: Context['books']) => readOfBooks({ ...context, books }, scope)
  return (await everywhere(context, range, read)).flat()
}

async function readOfBooks({ books, principal }: Context, scope: LineScope): Promise<JurisdictionTax[]> {
  const conditions = conditionsOf(scope, {}, null)
  const { key, taxable_amount, tax_amount, ...named } = TAX_COLUMNS
  const columns = Object.entries(named).map(([name, sql]) => `max(${sql}) AS ${name}`)
  const statement = books
    .prepare(
      `SELECT ${key} AS "key", ${columns.join(', ')}, sum(${taxable_amount}) AS taxable_amount,
         sum(${tax_amount}) AS tax_amount
       FROM (SELECT * FROM (${SOLD} UNION ALL ${REFUNDED}) found
         WHERE day BETWEEN ?2 AND ?3 ${conditions.map(([sql]) => `AND ${sql}`).join(' ')}) found
       LEFT JOIN json_each(found.taxes) tax
       GROUP BY 1`,
    )
    .bind(
      principal.account_id,
      scope.from,
      scope.to,
      dayNear(scope.from, -1),
      dayNear(scope.to, 2),
      ...conditions.flatMap(([, ...values]) => values),
    )
  const { results } = await orTooLarge(statement.all<JurisdictionTax>())
  for (const row of results) for (const sum of [row.taxable_amount, row.tax_amount]) refuseInexact(sum)
  return results
}
