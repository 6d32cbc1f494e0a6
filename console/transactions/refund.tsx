import { useId, useState } from 'hono/jsx/dom'
import type { RefundAnswer, Transaction } from '../../client/src/schema.ts'
import { proRata } from '../../src/sales/transactions/give-back/refund-split.ts'
import { Failure, mistake } from '../api.ts'
import { editableMoney, formatMoney, parseMoney } from '../format.ts'
import { change } from '../parts/changes.tsx'
import { Check, Form, Input, Typed } from '../parts/form.tsx'
import { Part, Press } from '../parts/parts.tsx'
import { useWrong } from '../parts/wrong-fields.tsx'
import { withSpaces } from '../words.ts'

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
  const all = editableMoney(left, currency)
  const send = (typed: Typed, idempotency_key: string) => {
    const body = {
      ...(typed.text('kind') === 'lines'
        ? { line_items: chosenLines(lines, typed, currency).map(bodyOfLine) }
        : { amount: parseMoney(typed.text('amount'), currency, AMOUNT) }),
      reason: typed.text('reason'),
      ...typed.optionals('credit_note_number'),
    }
    return change<RefundAnswer>('POST', `/v1/transactions/${sale.id}/refund`, {
      body,
      idempotency_key,
      told: ({ refund }) => `Refunded ${money(refund.amount)}, including tax ${money(refund.tax_amount)}`,
    })
  }
  return (
    <Part title="Refund">
      <div onInput={preview}>
        <Form
          {...{ send }}
          name="Refund"
          fieldOf={amountOfPath}
          beside={<Press name="Cancel" act={cancel} />}
        >
          {line_items.length > 1 && <Kinds choose={setByLine} />}
          {by_line && <LinesToRefund lines={lines} currency={currency} />}
          {!by_line && (
            <Input label={AMOUNT} name="amount" inputmode="decimal" value={all}>
              {`At most ${money(left)}, split over all lines`}
            </Input>
          )}
          <Input label="Reason" name="reason" required maxlength={500}>
            Stored with the refund
          </Input>
          <Input label="Credit note number" name="credit_note_number" maxlength={100} />
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
      {lines.map((each, index) => (
        <LineToRefund {...each} name={nameAmong(lines, index)} currency={currency} />
      ))}
      <p class="quiet small">Without an amount, the rest of the line is refunded.</p>
    </div>
  )
}

function LineToRefund({
  line,
  amount,
  name: shown,
  currency,
}: LineLeft & { name: string; currency: string }) {
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
        {shown}, {formatMoney(amount, currency)}
      </Check>
      <input
        {...{ id, name }}
        inputmode="decimal"
        autocomplete="off"
        placeholder={editableMoney(amount, currency)}
        aria-label={`Amount of ${shown}, tax included`}
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

/** The amount that is refunded if the form is sent now. */
function SplitWords({ split, currency }: { split: Split | null; currency: string }) {
  if (split === null) return null
  const { amount, tax_amount, exact } = split
  return (
    <p class="refund-split" role="status">
      <strong>{formatMoney(amount, currency)} refund</strong>, including {exact ? '' : 'about '}
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
    const amount = parseMoney(typed.text('amount'), sale.currency, AMOUNT)
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
    const name = nameOfAmount(left.line.id)
    const amount = typed.text(name)
    return { left, amount: amount === '' ? null : parseMoney(amount, currency, name) }
  })
}

function bodyOfLine({ left, amount }: Lines[number]) {
  return { id: left.line.id, ...(amount !== null && { amount }) }
}

/** Lines of one name are told apart by their numbers. */
function nameAmong(lines: readonly LineLeft[], index: number): string {
  const names = lines.map(({ line }) => nameOfLine(line))
  const name = names[index] ?? ''
  return names.filter((each) => each === name).length === 1 ? name : `${name} (line ${index + 1})`
}

function nameOfLine({ description, product_type }: LineLeft['line']): string {
  return description ?? withSpaces(product_type)
}

/**
 * What a refund would give back, in minor units with tax. `exact` is false if earlier refunds or fees were
 * spread in a way that only the service counts.
 */
type Split = { amount: number; tax_amount: number; exact: boolean }

/** What is left of a line, in minor units. */
type LineLeft = {
  line: Transaction['line_items'][number]
  amount: number
  tax_amount: number
}

/** What is left of each line of a sale after its refunds. */
export function leftOfLines({ line_items, refunds, subtotal, tax_amount: tax }: Transaction): LineLeft[] {
  return line_items.map((line) => {
    let [net_back, tax_back] = [0, 0]
    for (const refund of refunds) {
      const own = refund.line_items?.find(({ id }) => id === line.id)
      const spread = refund.line_items === null
      net_back += spread
        ? proRata(line.net_amount, refund.amount - refund.tax_amount, subtotal)
        : (own?.net_amount ?? 0)
      tax_back += spread ? proRata(line.tax_amount, refund.tax_amount, tax) : (own?.tax_amount ?? 0)
    }
    const amount = line.net_amount + line.tax_amount - net_back - tax_back
    return { line, amount, tax_amount: line.tax_amount - tax_back }
  })
}

/** The split of an amount over the whole sale. */
function splitOfAmount(sale: Transaction, amount: number): Split {
  const { total, tax_amount, amount_refunded, tax_refunded, refunds, line_items } = sale
  const rest = amount === total - amount_refunded
  const tax = rest ? tax_amount : proRata(tax_amount, amount_refunded + amount, total)
  const by_line = refunds.some((each) => each.line_items !== null)
  const fees = line_items.some(({ product_type }) => product_type === 'retail_delivery_fee')
  return { amount, tax_amount: tax - tax_refunded, exact: rest || (!by_line && !fees) }
}

/** The split of amounts of single lines; a null amount is all that is left of the line. */
function splitOfLines(sale: Transaction, chosen: Lines): Split {
  const parts = chosen.map(({ left, amount }) => ({
    amount: amount ?? left.amount,
    tax_amount: amount === null ? left.tax_amount : proRata(left.tax_amount, amount, left.amount),
  }))
  const sum = (name: 'amount' | 'tax_amount') => parts.reduce((total, part) => total + part[name], 0)
  const exact = sale.refunds.every((each) => each.line_items !== null)
  return { amount: sum('amount'), tax_amount: sum('tax_amount'), exact }
}
