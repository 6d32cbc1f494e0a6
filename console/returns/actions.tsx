import type { FiledReturn } from '../../client/src/schema.ts'
import { may, SESSION } from '../account.ts'
import { callApi, Failure, type Query } from '../api.ts'
import { formatDay, todayInZone } from '../format.ts'
import { asked, confirmed, Deeds, toast } from '../parts/changes.tsx'
import { nameInSentence } from '../parts/history.tsx'
import { periodWords } from '../words.ts'
import { FORMS } from './forms.ts'
import { isFiled, type TaxReturn } from './return.ts'

const KEPT = 'Its figures and the rows behind them are locked as they are now.'

type ActionsProps = { of: TaxReturn; asked: Query; owed: string | null; changed: () => void }

/**
 * The one button of a return: lock an open one and mark it as filed, or reopen a filed one. Between them, an
 * account with four eyes has a review. `owed` is what it declares, in words.
 */
export function Actions(props: ActionsProps) {
  const { filed } = props.of
  if (!may('reports:write')) return null
  if (filed === null) return <Freeze {...props} />
  if (filed.status !== 'filed') return null
  return (
    <>
      {needsTwo() && !isFiled(filed) && <SecondPerson of={filed} changed={props.changed} />}
      <Reopen {...props} id={filed.id} />
    </>
  )
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
    return <p class="quiet">Enter the missing exchange rates below before you file this return.</p>
  const empty = boxes.length + supplies.length === 0
  const two = needsTwo()
  const named = `${FORMS[figures.type].name}, ${periodWords(period)}`
  const ask = {
    title: two ? `Lock ${named} for review?` : `File ${named}?`,
    text:
      `${owed === null ? '' : `It declares ${owed}. `}` +
      `${empty ? 'A nil return is recorded.' : KEPT} ` +
      'Sales and refunds of this period that are recorded later go into the next return as corrections. ' +
      (two ? TWO_PEOPLE : 'We do not send it to the tax office. File the return there, too.'),
    yes: two ? 'Lock figures for review' : 'Lock figures and mark as filed',
    dangerous: false,
  }
  const freeze = async (idempotency_key: string) => {
    if (!(await confirmed(ask))) return
    const body = {
      type,
      period,
      ...(jurisdiction_id && { jurisdiction_id }),
      ...(fx_rates && { fx_rates }),
      ...(two && { submission: { state: 'open' } }),
    }
    try {
      await callApi('POST', '/v1/returns', { body, idempotency_key })
    } catch (thrown) {
      // Another tab has filed it: the page shows what is so.
      if (!(thrown instanceof Failure) || thrown.reason !== 'period_already_filed') throw thrown
      toast(thrown.message)
      return changed()
    }
    toast(`${periodWords(period)} is ${two ? 'locked for review' : 'filed'}`)
    changed()
  }
  return (
    <>
      {two && <p class="quiet">{TWO_PEOPLE}</p>}
      <Deeds of={[{ name: ask.yes, act: freeze, kind: 'first' }]} />
    </>
  )
}

const TWO_PEOPLE =
  'This account needs two people for a return: lock its figures, let somebody review them, and let another ' +
  'person mark it as filed.'

/** Whether the account has a return filed only after a review by somebody else. */
function needsTwo(): boolean {
  return SESSION.get()?.account?.four_eyes === true
}

/** The review of a locked return, or after it the filing by another person. */
function SecondPerson({ of, changed }: { of: FiledReturn; changed: () => void }) {
  const { id, period, submission } = of
  const { state, reviewed_by, reviewed_by_name, reviewed_person } = submission
  const send = async (body: object, told: string, idempotency_key: string) => {
    await callApi('PUT', `/v1/returns/${id}/submission`, { body, idempotency_key })
    toast(`${periodWords(period)} ${told}`)
    changed()
  }
  const review = (key: string) => send({ state: 'reviewed' }, 'is reviewed', key)
  if (state === 'open' || reviewed_by === null)
    return (
      <>
        <p>Check the figures. Who reviews this return cannot mark it as filed: another person does that.</p>
        <Deeds of={[{ name: 'Mark as reviewed', act: review, kind: 'first' }]} />
      </>
    )
  const me = SESSION.get()?.id
  if (reviewed_person === me || reviewed_by === me)
    return <p>You reviewed this return, so another person must mark it as filed.</p>
  const file = async (key: string) => {
    const ask = {
      title: `Mark ${periodWords(period)} as filed today?`,
      text: 'We do not send it to the tax office. File the return there, too.',
      yes: 'Mark as filed',
      dangerous: false,
    }
    if (await confirmed(ask)) await send({ state: 'filed', day: todayInZone() }, 'is filed', key)
  }
  return (
    <>
      <p>{`Reviewed by ${nameInSentence(reviewed_by, reviewed_by_name)}. You may mark it as filed.`}</p>
      <Deeds of={[{ name: 'Mark as filed…', act: file, kind: 'first' }]} />
    </>
  )
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
