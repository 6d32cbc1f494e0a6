import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { PresentedReturn } from '../filing/present-return.ts'
import { figuresAsFiled } from '../filing/figures-as-filed.ts'
import { readVersion, type ReturnRow } from '../archive/returns-store.ts'
import type { ChangedFigure, ReturnDifference } from './schemas.ts'

type Difference = z.output<typeof ReturnDifference>
type Changed = z.output<typeof ChangedFigure>

/** What a return declares otherwise than another version of its period. Throws invalid_request. */
export async function compareWithVersion(
  context: Context,
  row: ReturnRow,
  version: number,
): Promise<Difference> {
  const other = await readVersion(context, row, version)
  if (other === null) throw fieldError('invalid_request', 'compare', 'there is no such version of the period')
  return compareVersions(other, row)
}

/** The figures that differ between two versions, in the order of the return. */
export function compareVersions(before: ReturnRow, after: ReturnRow): Difference {
  return {
    return_id: before.id,
    version: before.version,
    changes: changesBetween(figuresAsFiled(before), figuresAsFiled(after)),
  }
}

function changesBetween(before: PresentedReturn, after: PresentedReturn): Changed[] {
  const [old, next] = [amountsOf(before), amountsOf(after)]
  const named = new Map([...next, ...old])
  return [...named].flatMap(([key, { part, figure, field }]) => {
    // A figure that one version lacks is 0 there. One that it has as null is unknown.
    const [from, to] = [old.get(key), next.get(key)].map((found) => (found === undefined ? 0 : found.amount))
    if (from === to || from === undefined || to === undefined) return []
    const difference = from === null || to === null ? null : to - from
    return [{ part, figure, field, before: from, after: to, difference }]
  })
}

type NamedAmount = Pick<Changed, 'part' | 'figure' | 'field'> & { amount: number | null }

const OF_SUPPLY = [
  'gross_sales',
  'exempt_sales',
  'uncollected_sales',
  'taxable_amount',
  'tax_amount',
] as const
const OF_TAX = ['taxable_amount', 'tax_amount'] as const
const OF_TOTALS = ['taxable_amount', 'tax_amount', 'corrections_tax_amount', 'tax_due'] as const

/** The amounts of a return by part, figure and field. */
function amountsOf(figures: PresentedReturn): Map<string, NamedAmount> {
  const { boxes, supplies, corrections, totals } = figures
  const found: NamedAmount[] = [
    ...boxes.map(({ box, amount }) => ({ part: 'boxes', figure: box, field: 'amount', amount }) as const),
    ...supplies.flatMap((supply) => amountsIn('supplies', supply, OF_SUPPLY)),
    ...(figures.jurisdiction_taxes ?? []).flatMap((tax) => amountsIn('jurisdiction_taxes', tax, OF_TAX)),
    ...corrections.flatMap((correction) => amountsIn('corrections', correction, OF_TAX)),
    ...(totals === null
      ? []
      : OF_TOTALS.map((field) => ({ part: 'totals', figure: '', field, amount: totals[field] }) as const)),
  ]
  return new Map(found.map((each) => [`${each.part} ${each.figure} ${each.field}`, each]))
}

function amountsIn<Field extends string>(
  part: Changed['part'],
  figure: Readonly<Record<Field, number>> & { transactions_url: string },
  fields: readonly Field[],
): NamedAmount[] {
  const name = new URLSearchParams(figure.transactions_url.split('?')[1]).get('figure') ?? ''
  return fields.map((field) => ({ part, figure: name, field, amount: figure[field] }))
}
