import type { Context } from '../../platform/context.ts'
import { monthsAfter, readPeriod } from '../../platform/kit/calendar.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { type LiveReturn, readLiveReturns } from '../archive/returns-store.ts'
import { coveredFrom } from '../archive/undeclared.ts'
import { FILING_TYPES, type FilingType } from '../forms/forms.ts'
import type { FilingAmendment } from '../rows/figure-answers.ts'
import { computeReturn } from './compute-return.ts'
import { presentAmendments } from './present-return.ts'

/** A filed return, as far as its amendments depend on it. */
type FiledForm = { type: string; jurisdiction_id: string; late: number }

/** What a filed return lacks and its tax office wants on that return itself. */
export type OpenAmendment = Omit<FilingAmendment, 'period' | 'transactions_url' | 'jurisdiction_id'> & {
  return_id: string
  type: FilingType
  jurisdiction_id: string | null
  place: string
  period: string
  from_date: string
  to_date: string
}

/** The most forms that one answer looks at: each takes some statements, and D1 allows 1,000. */
const FORMS_MAX = 100

/**
 * The filed returns that are to be amended: they have late entries that the next open return does not
 * declare. `filed` are those of the account, or of one form. Those of the first 100 forms with late entries.
 */
export async function readAmendments(
  context: Context,
  filed: readonly FiledForm[],
): Promise<OpenAmendment[]> {
  const late = filed.filter((each) => each.late === 1)
  const forms = [...new Map(late.map((each) => [`${each.type} ${each.jurisdiction_id}`, each])).values()]
  const found = await Promise.all(forms.slice(0, FORMS_MAX).map((form) => readOfForm(context, form)))
  return found.flat()
}

async function readOfForm(context: Context, { type, jurisdiction_id }: FiledForm): Promise<OpenAmendment[]> {
  const form = invariant(
    FILING_TYPES.find((each) => each === type),
    'a return has a form',
  )
  const live = await readLiveReturns(context, type, jurisdiction_id)
  const next = live.flatMap((each) => (each.late === 1 ? (firstOpenPeriod(each, live) ?? []) : []))
  const of = jurisdiction_id === '' ? {} : { jurisdiction_id }
  const computed = await Promise.all(
    [...new Set(next)].map((period) => computeReturn(context, { type: form, period, ...of })),
  )
  return computed.flatMap((each) =>
    presentAmendments(each, () => null).flatMap(
      ({ transactions_url: _, jurisdiction_id: place, ...rest }) => {
        const old = live.find(({ period }) => period === rest.period)
        if (old === undefined) return []
        const { id: return_id, from_date, to_date } = old
        return [
          {
            ...rest,
            return_id,
            type: form,
            jurisdiction_id: of.jurisdiction_id ?? null,
            place,
            from_date,
            to_date,
          },
        ]
      },
    ),
  )
}

/** The name of the first open period after a filed return: of the kind of the one that it follows. */
function firstOpenPeriod(filed: LiveReturn, live: readonly LiveReturn[]): string | null {
  const { period } = coveredFrom(filed, live)
  const next = nextPeriod(period)
  return readPeriod(next) === null ? null : next
}

/** The name of the period after one, of the same kind. */
function nextPeriod(name: string): string {
  const [first = '', last] = name.split('..')
  if (last !== undefined) return monthsFrom(monthsAfter(last, 1), first, last)
  if (first.includes('Q')) {
    const [year, quarter] = [Number(first.slice(0, 4)), Number(first.slice(6))]
    return quarter === 4 ? `${year + 1}-Q1` : `${year}-Q${quarter + 1}`
  }
  return first.length === 4 ? String(Number(first) + 1) : monthsAfter(first, 1)
}

function monthsFrom(begin: string, first: string, last: string): string {
  const number = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  return `${begin}..${monthsAfter(begin, number(last) - number(first))}`
}
