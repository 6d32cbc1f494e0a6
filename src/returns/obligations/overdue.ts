import type { Attention } from '../../parties/accounts/attention-store.ts'
import type { Context } from '../../platform/context.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { readObligations } from './list.ts'

/** The overdue obligations of an account as one matter that somebody should look at. */
export async function readOverdueMatters(context: Context): Promise<Attention[]> {
  const { account_id, time_zone } = context.principal
  const { obligations } = await readObligations(context, null, dayIn(time_zone, context.now))
  const overdue = obligations.filter(({ status }) => status === 'overdue')
  const [oldest] = overdue
  if (oldest === undefined) return []
  const [counted, them] =
    overdue.length === 1 ? ['1 return is', 'it'] : [`${overdue.length} returns are`, 'them']
  return [
    {
      reason: 'returns_overdue',
      resource_id: account_id,
      message:
        `${counted} overdue, the oldest since ${oldest.due.last_date}. File ${them}, or set ${them} aside ` +
        'with a reason: GET /v1/obligations?status=overdue',
      since: `${oldest.due.last_date}T00:00:00.000Z`,
    },
  ]
}
