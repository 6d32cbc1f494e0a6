import { may } from '../account.ts'
import { callApi, Failure, type Query } from '../api.ts'
import { formatDay } from '../format.ts'
import { asked, confirmed, Deeds, toast } from '../parts/changes.tsx'
import { periodWords } from '../words.ts'
import { FORMS } from './forms.ts'
import type { TaxReturn } from './return.ts'

const KEPT = 'Its figures and the rows behind them are locked as they are now.'

type ActionsProps = { of: TaxReturn; asked: Query; owed: string | null; changed: () => void }

/** The last step: freeze an open return, or reopen a filed one. `owed` is what it declares, in words. */
export function Actions(props: ActionsProps) {
  const { filed } = props.of
  if (!may('reports:write')) return null
  if (filed === null) return <Freeze {...props} />
  return filed.status === 'filed' ? <Reopen {...props} id={filed.id} /> : null
}

function Freeze({
  of: { figures },
  asked: { type = null, jurisdiction_id, fx_rates },
  owed,
  changed,
}: ActionsProps) {
  const { period, period_ended, to_date, unconverted, boxes, supplies } = figures
  if (!period_ended)
    return <p class="quiet">The period ends on {formatDay(to_date)}. It can be filed after that day.</p>
  if (unconverted.length > 0)
    return <p class="quiet">Enter the missing exchange rates above before you file this return.</p>
  const empty = boxes.length + supplies.length === 0
  const ask = {
    title: `File ${FORMS[figures.type].name}, ${periodWords(period)}?`,
    text:
      `${owed === null ? '' : `It declares ${owed}. `}` +
      `${empty ? 'A nil return is recorded.' : KEPT} ` +
      'Sales and refunds of these days that are recorded later go into the next return as corrections. ' +
      'We do not send it to the tax office. File the return there, too.',
    yes: 'Lock figures and mark as filed',
    dangerous: false,
  }
  const freeze = async (idempotency_key: string) => {
    if (!(await confirmed(ask))) return
    const body = { type, period, ...(jurisdiction_id && { jurisdiction_id }), ...(fx_rates && { fx_rates }) }
    try {
      await callApi('POST', '/v1/returns', { body, idempotency_key })
    } catch (thrown) {
      // Another tab has filed it: the page shows what is so.
      if (!(thrown instanceof Failure) || thrown.reason !== 'period_already_filed') throw thrown
      toast(thrown.message)
      return changed()
    }
    toast(`${periodWords(period)} is filed`)
    changed()
  }
  return <Deeds of={[{ name: ask.yes, act: freeze, kind: 'first' }]} />
}

function Reopen({ of, id, changed }: ActionsProps & { id: string }) {
  const period = periodWords(of.figures.period)
  const reopen = async (idempotency_key: string) => {
    const reason = await asked({
      title: `Reopen ${period}?`,
      text:
        'The filed figures stay as an old version. The period is open again, with all that was ' +
        'recorded since. If the return is at the tax office already, correct it there, too.',
      yes: 'Reopen',
      hint: 'Stored with the return and in the audit log',
    })
    if (reason === null) return
    await callApi('POST', `/v1/returns/${id}/reopen`, { body: { reason }, idempotency_key })
    toast(`${period} is open again`)
    changed()
  }
  return <Deeds of={[{ name: 'Reopen…', act: reopen }]} />
}
