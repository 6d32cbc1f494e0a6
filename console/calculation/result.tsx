import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import type { CalculateAnswer } from '../../client/src/schema.ts'
import type { LineToTell, PlaceNames } from '../../src/engine/words/reason-in-words.ts'
import { badgeOf, stepInWords, tellLine } from '../../src/engine/words/reason-in-words.ts'
import { formatDay, formatMoney, formatRate, formatShare } from '../format.ts'
import { NAMES, productName } from '../names.ts'
import { List } from '../parts/load.tsx'
import { Badge, Facts, Moment, Part } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { IsThisWrong } from '../parts/wrong.tsx'
import { Reasons, Taxes } from '../transactions/reasons.tsx'
import { withSpaces } from '../words.ts'

/** The answer of a calculation: the total first, then why. `first`: nobody asked for it. */
export function Result({ answer, first = false }: { answer: CalculateAnswer; first?: boolean }) {
  const { currency, line_items } = answer
  const money = (amount: number) => formatMoney(amount, currency)
  const notes = [
    ...answer.notes,
    ...line_items.flatMap((line, index) =>
      line.notes.filter((note) => !answer.notes.includes(note)).map((note) => `Line ${index + 1}: ${note}`),
    ),
  ]
  const card = useRef<HTMLDivElement>(null)
  // On a phone it stands below the form.
  // What an effect returns is called at its end, and a newer browser returns a promise of the scrolling.
  useLayoutEffect(() => {
    if (!first) card.current?.scrollIntoView({ block: 'nearest' })
  }, [answer])
  return (
    <div class="card stack" ref={card}>
      <h2>
        {answer.jurisdiction_name} <span class="quiet small">({answer.jurisdiction_id})</span>
      </h2>
      <div>
        <p class="sum">{money(answer.total)}</p>
        <p class="overall">{`${money(answer.tax_amount)} tax on ${money(answer.subtotal)}`}</p>
      </div>
      <Why answer={answer} />
      <List lines={[...new Set(notes)]} />
      <PlainTable
        caption="Lines"
        heads={['Product type', '#Net', '#Rate', '#Tax']}
        rows={[
          ...line_items.map((line) => [
            productName(line.product_type),
            money(line.net_amount),
            formatRate(line.tax_rate),
            money(line.tax_amount),
          ]),
          ...answer.fees.map(({ name, tax_amount }) => [name, null, null, money(tax_amount)]),
        ]}
        sums={['Total', money(answer.subtotal), '', money(answer.tax_amount)]}
      />
      <Taxes of={answer.tax_breakdown} currency={currency} />
      <FactsOf answer={answer} />
    </div>
  )
}

/** The reason of each line in words, as the drawer of a sale tells it. */
function Why({ answer }: { answer: CalculateAnswer }) {
  const { trace = [], currency } = answer
  const names: PlaceNames = {
    book: { jurisdictions: new Map([...NAMES].map(([id, name]) => [id, { name }])) },
    local: Object.fromEntries((answer.local?.parts ?? []).map(({ id, name }) => [id, name])),
  }
  return (
    <Part title="Why">
      <Reasons
        lines={linesToTell(answer).map((line) => ({ badge: badgeOf(line), sentence: tellLine(line, names) }))}
        steps={trace.map((step) => stepInWords(step, currency, names))}
      />
    </Part>
  )
}

function linesToTell({ line_items, currency, jurisdiction_id, trace = [] }: CalculateAnswer): LineToTell[] {
  return line_items.map((line, index) => ({
    ...line,
    currency,
    jurisdiction_id,
    rate_millionths: millionths(line.tax_rate),
    taxes: line.tax_breakdown.map(({ rate, ...tax }) => ({ ...tax, rate_millionths: millionths(rate) })),
    steps: trace.filter((step) => step.line === index || step.line === null),
  }))
}

function millionths(rate: number): number {
  return Math.round(rate * 1_000_000)
}

/** What the VAT id of the form is worth. No authority is asked for a calculation. */
const VAT_IDS: Readonly<Record<string, string>> = {
  format_valid: 'Its format is valid. It was not checked with an authority',
  format_invalid: 'Its format is invalid, so the customer counts as a consumer',
  not_a_customer_id: 'It is the number of a scheme, not of a customer',
}

function FactsOf({ answer }: { answer: CalculateAnswer }) {
  const { decision, meta, jurisdiction_id, transaction_date, line_items } = answer
  const data = (
    <span>
      <Badge word={meta.data_freshness} />{' '}
      {meta.reviewed_on !== null && `reviewed on ${formatDay(meta.reviewed_on)}`}
      {meta.reviewed_on === null && meta.last_verified_at !== null && (
        <Moment at={meta.last_verified_at} />
      )}{' '}
      <IsThisWrong
        place={jurisdiction_id}
        day={transaction_date}
        data_version={meta.data_version}
        product_type={line_items[0]?.product_type ?? ''}
      />
    </span>
  )
  return (
    <Facts
      of={[
        ['Effective rate', formatShare(answer.tax_rate)],
        ['Collect', `${decision.collect ? 'Yes' : 'No'}, ${decisionWords(decision.reason)}`],
        ['Reverse charge', answer.reverse_charge ? 'Yes' : 'No'],
        ['VAT id of the customer', VAT_IDS[answer.customer.vat_id_status] ?? null],
        ['Data', data],
      ]}
    />
  )
}

/** Why the tax is collected or not, after `Yes, ` or `No, `. */
function decisionWords(reason: string): string {
  const duty = DUTIES[reason]
  return duty === undefined ? withSpaces(reason) : `because you are not registered. ${duty}`
}

const DUTIES: Readonly<Record<string, string>> = {
  threshold_exceeded: 'The threshold is exceeded, so you must register',
  threshold_unknown: 'It is unknown whether you must register',
  registration_choice: 'You may register, but you need not',
  registration_appointed: 'Only sellers whom the tax office appoints must register',
}
