import { useId, useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { RefundAnswer } from '../../src/transactions/answers.ts'
import { Failure, mistake } from '../api.ts'
import { editableMoney, formatMoney, parseMoney } from '../format.ts'
import { change } from '../parts/changes.tsx'
import { Check, Form, Input, Typed } from '../parts/form.tsx'
import { Part } from '../parts/parts.tsx'
import { useWrong } from '../parts/wrong-fields.tsx'
import { withSpaces } from '../words.ts'
import { type LineLeft, leftOfLines, type Split, splitOfAmount, splitOfLines } from './left-to-refund.ts'
import type { Transaction } from './why.tsx'

const AMOUNT = 'Amount, tax included'

type Lines = { left: LineLeft; amount: number | null }[]

/**
 * The step that refunds an amount, which is spread over all lines, or single lines. It says what goes back
 * before it does so. Every attempt sends the same idempotency key, so a second click refunds nothing twice.
 */
export function Refund({ sale, cancel }: { sale: Transaction; cancel: () => void }) {
  const { currency, line_items } = sale
  const left = sale.total - sale.amount_refunded
  const lines = leftOfLines(sale).filter(({ amount }) => amount > 0)
  const [by_line, setByLine] = useState(false)
  const [split, setSplit] = useState<Split | null>(splitOfAmount(sale, left))
  const preview = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement)) return
    const form = currentTarget.querySelector('form')
    if (form !== null) setSplit(splitOf(sale, lines, new Typed(form)))
  }
  const money = (amount: number) => formatMoney(amount, currency)
  const send = (typed: Typed, idempotency_key: string) => {
    const body = {
      ...(typed.text('kind') === 'lines'
        ? { line_items: chosenLines(lines, typed, currency).map(bodyOfLine) }
        : { amount: parseMoney(typed.text('amount'), currency, AMOUNT) }),
      reason: typed.text('reason'),
      credit_note_number: typed.optional('credit_note_number'),
    }
    return change<z.output<typeof RefundAnswer>>('POST', `/v1/transactions/${sale.id}/refund`, {
      body,
      idempotency_key,
      told: ({ refund }) => `Refunded ${money(refund.amount)}, including tax ${money(refund.tax_amount)}`,
    })
  }
  return (
    <Part title="Refund">
      <div onInput={preview}>
        <Form
          name="Refund"
          send={send}
          fieldOf={amountOfPath}
          beside={
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          }
        >
          {line_items.length > 1 && <Kinds choose={setByLine} />}
          {by_line ? (
            <LinesToRefund lines={lines} currency={currency} />
          ) : (
            <Input
              label={AMOUNT}
              hint={`At most ${money(left)}, spread over all lines`}
              name="amount"
              inputmode="decimal"
              value={editableMoney(left, currency)}
            />
          )}
          <Input label="Reason" hint="Stored with the refund" name="reason" required maxlength={500} />
          <Input label="Number of the credit note" name="credit_note_number" maxlength={100} />
          <SplitWords split={split} currency={currency} />
        </Form>
      </div>
    </Part>
  )
}

function Kinds({ choose }: { choose: (by_line: boolean) => void }) {
  return (
    <fieldset class="choices">
      <legend>What</legend>
      <label class="check">
        <input type="radio" name="kind" value="amount" checked onInput={() => choose(false)} />
        An amount
      </label>
      <label class="check">
        <input type="radio" name="kind" value="lines" onInput={() => choose(true)} />
        Single lines
      </label>
    </fieldset>
  )
}

function LinesToRefund({ lines, currency }: { lines: readonly LineLeft[]; currency: string }) {
  return (
    <div class="section">
      {lines.map(({ line, amount }) => (
        <LineToRefund line={line} amount={amount} currency={currency} />
      ))}
      <p class="quiet small">Without an amount, all that is left of the line is refunded.</p>
    </div>
  )
}

type OfLine = Pick<LineLeft, 'line' | 'amount'> & { currency: string }

function LineToRefund({ line, amount, currency }: OfLine) {
  const id = useId()
  const name = nameOfAmount(line.id)
  const { invalid, described, below } = useWrong(name, id)
  const check = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement)) return
    const box = target.closest('.refund-line')?.querySelector('input[type="checkbox"]')
    if (box instanceof HTMLInputElement) box.checked = target.value !== ''
  }
  return (
    <div class="refund-line">
      <Check name={`line ${line.id}`}>
        {nameOfLine(line)}, {formatMoney(amount, currency)}
      </Check>
      <input
        id={id}
        name={name}
        inputmode="decimal"
        autocomplete="off"
        placeholder={editableMoney(amount, currency)}
        aria-label={`Amount of ${nameOfLine(line)}, tax included`}
        aria-invalid={invalid}
        aria-describedby={described ?? undefined}
        onInput={check}
      />
      {below}
    </div>
  )
}

function nameOfAmount(line_id: string): string {
  return `amount ${line_id}`
}

/** The control of an amount of a line that the API refuses. */
function amountOfPath(path: string, form: HTMLFormElement): string | null {
  const [, index] = /^line_items\[(\d+)\]/.exec(path) ?? []
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name^="line "]:checked')]
  const box = index === undefined ? undefined : boxes[Number(index)]
  return box === undefined ? null : nameOfAmount(box.name.slice('line '.length))
}

/** What goes back if the form is sent now. */
function SplitWords({ split, currency }: { split: Split | null; currency: string }) {
  if (split === null) return null
  const { amount, tax_amount, exact } = split
  return (
    <p class="refund-split" role="status">
      <strong>{formatMoney(amount, currency)} back</strong>, of it {exact ? '' : 'about '}
      {formatMoney(tax_amount, currency)} tax
    </p>
  )
}

/** Null as long as the amounts are not right. */
function splitOf(sale: Transaction, lines: readonly LineLeft[], typed: Typed): Split | null {
  try {
    return typed.text('kind') === 'lines'
      ? splitOfLines(sale, chosenLines(lines, typed, sale.currency))
      : splitOfAmount(sale, parseMoney(typed.text('amount'), sale.currency, AMOUNT))
  } catch (thrown) {
    if (thrown instanceof Failure) return null
    throw thrown
  }
}

/** The lines that are checked. Throws a Failure if there is none, or an amount is none. */
function chosenLines(lines: readonly LineLeft[], typed: Typed, currency: string): Lines {
  const chosen = lines.filter(({ line }) => typed.isChecked(`line ${line.id}`))
  if (chosen.length === 0) throw mistake('Lines: choose at least one')
  return chosen.map((left) => {
    const name = nameOfAmount(left.line.id)
    const amount = typed.text(name)
    return { left, amount: amount === '' ? null : parseMoney(amount, currency, name) }
  })
}

function bodyOfLine({ left, amount }: Lines[number]) {
  return { id: left.line.id, ...(amount !== null && { amount }) }
}

function nameOfLine({ description, product_type }: LineLeft['line']): string {
  return description ?? withSpaces(product_type)
}
