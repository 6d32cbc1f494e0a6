import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { RefundAnswer } from '../../src/transactions/answers.ts'
import { Failure, mistake } from '../api.ts'
import { editableMoney, formatMoney, parseMoney } from '../format.ts'
import { change } from '../parts/changes.tsx'
import { Check, Form, Input, Typed } from '../parts/form.tsx'
import { Part } from '../parts/parts.tsx'
import { withSpaces } from '../words.ts'
import { type LineLeft, leftOfLines, type Split, splitOfAmount, splitOfLines } from './left-to-refund.ts'
import type { Transaction } from './why.tsx'

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
        : { amount: parseMoney(typed.text('amount'), currency, 'Amount') }),
      reason: typed.text('reason'),
      credit_note_number: typed.optional('number'),
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
              label="Amount, tax included"
              hint={`At most ${money(left)}, spread over all lines`}
              name="amount"
              inputmode="decimal"
              value={editableMoney(left, currency)}
            />
          )}
          <Input label="Reason" hint="Stored with the refund" name="reason" required maxlength={500} />
          <Input label="Number of the credit note" name="number" maxlength={100} />
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
  const check = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement)) return
    const box = target.closest('.refund-line')?.querySelector('input[type="checkbox"]')
    if (box instanceof HTMLInputElement) box.checked = target.value !== ''
  }
  return (
    <div class="section">
      {lines.map(({ line, amount }) => (
        <div class="refund-line">
          <Check name={`line ${line.id}`}>
            {nameOfLine(line)}, {formatMoney(amount, currency)}
          </Check>
          <input
            name={`amount ${line.id}`}
            inputmode="decimal"
            autocomplete="off"
            placeholder={editableMoney(amount, currency)}
            aria-label={`Amount of ${nameOfLine(line)}, tax included`}
            onInput={check}
          />
        </div>
      ))}
      <p class="quiet small">Without an amount, all that is left of the line is refunded.</p>
    </div>
  )
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
  const most = sale.total - sale.amount_refunded
  try {
    if (typed.text('kind') === 'lines') {
      const chosen = chosenLines(lines, typed, sale.currency)
      const fits = chosen.every(
        ({ left, amount }) => amount === null || (amount > 0 && amount <= left.amount),
      )
      return fits ? splitOfLines(sale, chosen) : null
    }
    const amount = parseMoney(typed.text('amount'), sale.currency, 'Amount')
    return amount > 0 && amount <= most ? splitOfAmount(sale, amount) : null
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
    const amount = typed.text(`amount ${left.line.id}`)
    return { left, amount: amount === '' ? null : parseMoney(amount, currency, nameOfLine(left.line)) }
  })
}

function bodyOfLine({ left, amount }: Lines[number]) {
  return { id: left.line.id, ...(amount !== null && { amount }) }
}

function nameOfLine({ description, product_type }: LineLeft['line']): string {
  return description ?? withSpaces(product_type)
}
