import type { Context } from '../../platform/context.ts'
import { figuresAsFiled } from './figures-as-filed.ts'
import { readLiveReturns, readReturn } from '../archive/returns-store.ts'
import { notesOnOrder } from '../due/order.ts'
import type { FilingQuery } from '../forms/queries.ts'
import { computeReturn } from './compute-return.ts'
import { type PresentedReturn, presentReturn, readTaxes } from './present-return.ts'

/**
 * A return in its official layout, computed from the totals, or as it was filed. Throws invalid_request if
 * the form does not have such a period.
 */
export async function showReturn(context: Context, query: FilingQuery): Promise<PresentedReturn> {
  const live = await readLiveReturns(context, query.type, query.jurisdiction_id ?? '')
  const filed = live.find((each) => each.period === query.period)
  if (filed !== undefined) {
    const row = await readReturn(context, filed.id)
    if (row !== null) return figuresAsFiled(row)
  }
  const computed = await computeReturn(context, query)
  const { period, jurisdiction_id } = computed
  const [taxes, order] = await Promise.all([
    readTaxes(context, computed),
    notesOnOrder(context, { type: query.type, jurisdiction_id, from: period.from }),
  ])
  const presented = presentReturn(query.type, computed, null, taxes)
  return { ...presented, notes: [...presented.notes, ...order] }
}
