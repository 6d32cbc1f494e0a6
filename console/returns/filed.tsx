import type { FiledReturn } from '../../client/src/schema.ts'
import { momentOfVersion } from '../../src/tax-data/records/data-version.ts'
import { may } from '../account.ts'
import { editableMoney, formatCount, formatDay, formatMoney, parseMoney } from '../format.ts'
import { placeName } from '../names.ts'
import { change } from '../parts/changes.tsx'
import { Form, Input, Select, type Typed } from '../parts/form.tsx'
import { nameOfActor } from '../parts/history.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Copy, Facts, Folded, Moment, Section } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { periodWords } from '../words.ts'
import type { Calendar, Figures, ReturnOfPeriod, TaxReturn } from './return.ts'
import { isFiled, linkToReturn, readFigures, returnOf } from './return.ts'

const STATES: Readonly<Record<string, string>> = {
  open: 'Locked, not reviewed',
  reviewed: 'Reviewed',
  filed: 'Filed with the tax office',
  paid: 'Paid',
}

/** The kept facts of a filed return, what became of it, the late entries after it, and its versions. */
export function Filed({ of: { figures, filed, versions }, calendar }: { of: TaxReturn; calendar: Calendar }) {
  const currency = figures.currency ?? figures.supplies[0]?.currency ?? null
  return (
    <>
      {filed !== null && <Kept filed={filed} calendar={calendar} currency={currency} />}
      {versions.length > (filed === null ? 0 : 1) && <Versions versions={versions} shown={filed} />}
    </>
  )
}

const TELL = 'Add filing details (number, date, payment)'

type KeptProps = { filed: FiledReturn; calendar: Calendar; currency: string | null }

function Kept({ filed, calendar, currency }: KeptProps) {
  const { submission, previous_hash } = filed
  const { number, day, paid_at, payment, state, reviewed_at, reviewed_by } = submission
  const paid = payment !== null && currency && formatMoney(payment, currency)
  return (
    <Section title={`${isFiled(filed) ? 'Filed' : 'Locked, not filed'}, version ${filed.version}`} card>
      <Facts
        of={[
          ['Locked', <Moment at={filed.filed_at} />],
          ['Locked by', nameOfActor(filed.filed_by, filed.filed_by_name)],
          ['Reviewed', reviewed_at && <Moment at={reviewed_at} />],
          ['Reviewed by', reviewed_by && nameOfActor(reviewed_by, submission.reviewed_by_name)],
          [
            'Status',
            number === null && state === 'filed' ? 'Marked as filed here' : (STATES[state] ?? state),
          ],
          ['Number from the tax office', number],
          ['Filed on', day && formatDay(day)],
          ['Paid', paid_at && [formatDay(paid_at), paid].filter(Boolean).join(', ')],
          ['Rows', formatCount(filed.row_count)],
          ['Tax data of', <Moment at={momentOfVersion(filed.data_version)} />],
        ]}
      />
      {filed.status === 'filed' && may('reports:write') && (
        <Folded title={TELL} make={() => <Submission of={filed} currency={currency} />} />
      )}
      <Hash name="Hash" hash={filed.hash} />
      {previous_hash === '' && <p class="quiet small">First filed return.</p>}
      {previous_hash !== '' && <Hash name="Hash of the return filed before it" hash={previous_hash} />}
      <h3>Later changes</h3>
      <After filed={filed} calendar={calendar} />
    </Section>
  )
}

/** The number, the days and the payment of a filed return, as the user tells them. */
function Submission({ of: { id, submission }, currency }: { of: FiledReturn; currency: string | null }) {
  const money = currency ?? 'EUR'
  const paid = submission.payment === null ? '' : editableMoney(submission.payment, money)
  const send = (typed: Typed) => {
    const payment = typed.optional('payment')
    const body = {
      state: typed.text('state'),
      ...typed.optionals('number', 'day', 'paid_at'),
      payment: payment === null ? null : parseMoney(payment, money, 'Amount paid'),
    }
    return change('PUT', `/v1/returns/${id}/submission`, { body, told: 'The filing details are saved' })
  }
  return (
    <Form name="Save" send={send}>
      <div class="fields">
        <Select label="State" name="state" choices={STATES} chosen={submission.state} />
        <Input label="Number" name="number" maxlength={100} value={submission.number ?? ''}>
          From the tax office
        </Input>
        <Input label="Filed on" name="day" type="date" value={submission.day ?? ''} />
        <Input label="Paid on" name="paid_at" type="date" value={submission.paid_at ?? ''} />
        <Input label="Amount paid" name="payment" inputmode="decimal" value={paid}>
          With interest
        </Input>
      </div>
    </Form>
  )
}

function Hash({ name, hash }: { name: string; hash: string }) {
  return (
    <div class="hash">
      <span class="quiet small">{name}</span>
      <code>{hash}</code>
      <Copy text={hash} />
    </div>
  )
}

function After({ filed, calendar }: { filed: FiledReturn; calendar: Calendar }) {
  if (filed.status === 'reopened')
    return (
      <p>
        It was reopened on <Moment at={filed.reopened_at} />
        {`, because: ${filed.reopen_reason ?? 'no reason was recorded'}. It is no longer in force.`}
      </p>
    )
  if (!filed.late_entries) return <p>No later changes to this period.</p>
  const next = nextOpen(filed, calendar)
  if (next === null)
    return (
      <p>
        Sales or refunds of this period were recorded later. They go into the next open return as corrections.
      </p>
    )
  return <CorrectedIn next={next} period={filed.period} />
}

/** The first open return after a filed one. */
function nextOpen({ type, jurisdiction_id, to_date }: FiledReturn, { obligations }: Calendar) {
  const open = obligations.filter(
    (each) => each.type === type && each.from_date > to_date && each.status !== 'filed',
  )
  return open.map(returnOf).find((each) => each !== null && each.jurisdiction_id === jurisdiction_id) ?? null
}

function CorrectedIn({ next, period }: { next: ReturnOfPeriod; period: string }) {
  const loading = useLoading(() => readFigures(next, null), [period])
  const show = ({ corrections }: Figures) => {
    const amounts = corrections
      .filter((each) => each.period === period)
      .map((each) => `${placeName(each.jurisdiction_id)} ${formatMoney(each.tax_amount, each.currency)}`)
    return (
      <p>
        Sales or refunds of this period were recorded later.{' '}
        <a href={linkToReturn(next)}>The return of {periodWords(next.period)}</a>
        {amounts.length === 0
          ? ' declares them.'
          : ` corrects the tax of this return: ${amounts.join(', ')}.`}
      </p>
    )
  }
  return <Loaded of={loading} lines={1} show={show} />
}

function Versions({ versions, shown }: { versions: readonly FiledReturn[]; shown: FiledReturn | null }) {
  const linkTo = ({ id, version, ...of }: FiledReturn) => (
    <a href={linkToReturn(of, { version: id })}>{`Version ${version}${id === shown?.id ? ', shown' : ''}`}</a>
  )
  return (
    <Table
      caption="Versions"
      show_caption
      rows={versions}
      columns={[
        { head: 'Version', cell: linkTo },
        { head: 'Filed', cell: ({ filed_at }) => <Moment at={filed_at} /> },
        { head: 'Reopened', cell: ({ reopened_at }) => reopened_at && <Moment at={reopened_at} /> },
        { head: 'Reason', cell: ({ reopen_reason }) => reopen_reason },
      ]}
    />
  )
}
