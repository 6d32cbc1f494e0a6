import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom'
import type { FilingSupply } from '../../client/src/schema.ts'
import { Failure } from '../api.ts'
import { formatCount, formatMoney, formatRate, parseMoney } from '../format.ts'
import { placeName } from '../names.ts'
import { valueIn } from '../parts/form.tsx'
import { List } from '../parts/load.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { inWords, reasonWords } from '../words.ts'
import { FILE_FORM } from './files.tsx'
import { fieldsInBoxes, type FileField, printedBox } from './forms.ts'
import { figureOf, type Figures } from './return.ts'

/** What the parts of a return share. `link` is the address of the rows of a figure. */
export type FormProps = { figures: Figures; link: (figure: string) => string }

/** The figures of a return as the form has them. Each figure that adds up rows is a link to them. */
export function FormAsPrinted(props: FormProps) {
  const { type, boxes, supplies, jurisdiction_taxes, nil_return, unconverted } = props.figures
  if (boxes.length > 0) return <Boxes {...props} />
  if (supplies.length === 0 && unconverted.length > 0) return null
  if (supplies.length === 0)
    return <p class="quiet">{nil_return ? 'No sales to declare. This is a nil return.' : 'No sales yet.'}</p>
  return (
    <>
      {type === 'us_state' && byName(supplies).map((supply) => <StateForm supply={supply} {...props} />)}
      {type !== 'us_state' && <Supplies {...props} />}
      <StateTotals {...props} />
      {(jurisdiction_taxes ?? []).length > 0 && <LocalTaxes {...props} />}
    </>
  )
}

/** Rows in the order of the names of their places; those of one place stay as they are. */
function byName<Row extends { jurisdiction_id: string }>(rows: readonly Row[]): Row[] {
  const nameOf = ({ jurisdiction_id }: Row) => placeName(jurisdiction_id)
  return rows.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
}

/** An amount of tax with the link to its rows. */
type TaxOfRows = { tax_amount: number; currency: string; transactions_url: string }

type Taxable = { taxable_amount: number; gross_sales?: number }

/** The last two columns of a table of figures. `name` is for screen readers. */
export function amountColumns<Row extends TaxOfRows & Taxable>(
  link: FormProps['link'],
  name: (row: Row) => string,
): Column<Row>[] {
  return [
    { head: 'Taxable amount', number: true, cell: (row) => taxableWords(row, row.currency) },
    { head: 'Tax', number: true, phone: 'figure', cell: (row) => figureLink(link, name(row), row) },
  ]
}

/** Where there were sales, and nothing of them bears tax, zero would hide them. */
function taxableWords({ taxable_amount, gross_sales = 0 }: Taxable, currency: string): string {
  return taxable_amount === 0 && gross_sales !== 0 ? 'Not taxed' : formatMoney(taxable_amount, currency)
}

function figureLink(link: FormProps['link'], name: string, of: TaxOfRows) {
  const text = formatMoney(of.tax_amount, of.currency)
  const tone = of.tax_amount === 0 ? 'quiet' : undefined
  return (
    <a class={tone} href={link(figureOf(of.transactions_url) ?? '')} aria-label={`${text}, rows of ${name}`}>
      {text}
    </a>
  )
}

/** Boxes that need purchases are typed here. Their values go into the file of the return. */
function Boxes({ figures: { type, boxes, currency }, link }: FormProps) {
  const money = currency ?? 'EUR'
  const fields = fieldsInBoxes(type)
  const [typed, setTyped] = useState<ReadonlyMap<string, number>>(new Map())
  const known = new Map([...boxes.map(({ box, amount }) => [box, amount] as const), ...typed])
  const figureIn = ({ box, name, amount, note, transactions_url: url }: Box) => {
    const field = fields.get(box)
    if (field !== undefined && amount === null)
      return <BoxField field={field} changed={(value) => setTyped(withBox(typed, box, value))} />
    const shown = amount ?? (fields.size === 0 ? null : addedUp(box, known))
    if (shown === null) return <span class="quiet">{afterOf(note) ?? 'not from sales'}</span>
    if (url === null) return formatMoney(shown, money)
    const printed = printedBox(box)
    return figureLink(link, printed === '' ? name : `box ${printed}`, {
      tax_amount: shown,
      currency: money,
      transactions_url: url,
    })
  }
  const lines = boxes.map((each) => ({
    box: printedBox(each.box),
    name: each.name,
    note: each.amount === null ? null : each.note,
    figure: figureIn(each),
    on_form: each.form_amount ? `${formatCount(each.form_amount)} on the form` : null,
  }))
  return (
    <>
      <ToBring boxes={boxes} fields={fields} />
      <Paper lines={lines} />
    </>
  )
}

type Box = Figures['boxes'][number]

/** What is filled in before a box adds it up: `after box 2`; null: it adds up no boxes. */
function afterOf(note: string | null): string | null {
  const needed = /^Needs ((?:box|line)(?:es)? .+|[A-Z]+)$/.exec(note ?? '')?.[1]
  return needed === undefined ? null : `after ${needed}`
}

type ToBringProps = { boxes: readonly Box[]; fields: ReadonlyMap<string, FileField> }

/** Which boxes sales do not give, and where their figures are: each once. */
function ToBring({ boxes, fields }: ToBringProps) {
  const needed = boxes.filter(
    ({ amount, note }) => amount === null && note !== null && afterOf(note) === null,
  )
  if (needed.length === 0) return null
  const sourceOf = ({ box, note }: Box) =>
    fields.get(box)?.from ??
    note?.replace(/^Needs (.+), which this service.*/, '$1, from your bookkeeping') ??
    ''
  const named = new Intl.ListFormat('en')
  const lines = [...Map.groupBy(needed, sourceOf)].map(([source, from]) => {
    const names = from.map(({ box, name }) => printedBox(box) || name)
    return `${names.length === 1 ? 'Box' : 'Boxes'} ${named.format(names)}: ${source}`
  })
  return (
    <section class="missing" aria-label="What to bring">
      <h3>
        {fields.size > 0 ? 'Enter what sales do not give' : 'Add at the tax office what sales do not give'}
      </h3>
      <List lines={lines} />
    </section>
  )
}

/** How many boxes need figures that sales do not give, until they are typed. */
export function NeedsYou({ figures: { type, boxes } }: Pick<FormProps, 'figures'>) {
  const fields = fieldsInBoxes(type)
  const needed = boxes.filter(({ box, amount }) => amount === null && fields.has(box)).length
  const [left, setLeft] = useState(needed)
  useLayoutEffect(() => {
    const inputs = () => [...document.querySelectorAll<HTMLInputElement>('.paper input')]
    const count = () => setLeft(inputs().filter(({ value }) => value.trim() === '').length)
    addEventListener('input', count)
    return () => removeEventListener('input', count)
  }, [])
  if (needed === 0) return null
  const all = `${boxes.length} boxes`
  return (
    <p class="quiet small" role="status">
      {left === 0 ? `All ${all} are filled` : `${left} of ${all} need you`}
    </p>
  )
}

function withBox(typed: ReadonlyMap<string, number>, box: string, value: number | null) {
  const others = [...typed].filter(([each]) => each !== box)
  return new Map(value === null ? others : [...others, [box, value] as const])
}

/** Boxes 3 and 5 of VAT100, when the boxes that they add up are known. HMRC takes box 5 without a sign. */
function addedUp(box: string, known: ReadonlyMap<string, number | null>): number | null {
  const amountOf = (each: string) => known.get(each) ?? null
  const [due, acquired, reclaimed] = [amountOf('1'), amountOf('2'), amountOf('4')]
  if (due === null || acquired === null) return null
  if (box === '3') return due + acquired
  return box === '5' && reclaimed !== null ? Math.abs(due + acquired - reclaimed) : null
}

type BoxFieldProps = { field: FileField; changed: (value: number | null) => void }

/** The value is null while it is no amount. What is wrong with it is said below, where the file is made. */
function BoxField({ field: { name, label, currency = 'GBP' }, changed }: BoxFieldProps) {
  const take = (event: Event) => {
    try {
      changed(parseMoney(valueIn(event), currency, label))
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      changed(null)
    }
  }
  return (
    <span class="affixed">
      <span class="quiet" aria-hidden="true">
        {formatMoney(0, currency).replace(/[\d.]+/, '')}
      </span>
      <input
        {...{ name }}
        form={FILE_FORM}
        aria-label={label}
        inputmode="decimal"
        autocomplete="off"
        onInput={take}
      />
    </span>
  )
}

/** The figures of one state, which its own form spreads over its boxes. */
function StateForm({ supply, link }: FormProps & { supply: Figures['supplies'][number] }) {
  const { jurisdiction_id, currency, exempt_by_reason, uncollected_sales } = supply
  const place = placeName(jurisdiction_id)
  const line = (name: string, amount: number, part = false) => ({
    name,
    figure: formatMoney(amount, currency),
    part,
  })
  const reasons = Object.entries(exempt_by_reason ?? {}).flatMap(([reason, amount]) =>
    amount ? [line(`of these: ${reasonWords(reason).toLowerCase()}`, amount, true)] : [],
  )
  const uncollected =
    uncollected_sales === 0 ? [] : [line('Sales that a registered seller would tax', uncollected_sales ?? 0)]
  const lines = [
    line(`Gross sales, ${place}`, supply.gross_sales ?? 0),
    line('Exempt sales', supply.exempt_sales ?? 0),
    ...reasons,
    ...uncollected,
    line('Taxable sales', supply.taxable_amount),
    { name: 'Tax, state and local', figure: figureLink(link, `the tax of ${place}`, supply) },
  ]
  return <Paper lines={lines} />
}

type PaperLine = {
  box?: string
  name: string
  figure: Child
  note?: string | null
  on_form?: string | null
  part?: boolean
}

/** The boxes of a form. */
function Paper({ lines }: { lines: readonly PaperLine[] }) {
  const numbered = lines.some(({ box }) => box !== undefined)
  return (
    <table class={numbered ? 'paper numbered' : 'paper'} aria-label="The form">
      <tbody>
        {lines.map(({ box, name, figure, note, on_form, part }, index) => (
          <tr class={part ? 'part' : undefined}>
            {numbered && <td class="box">{box}</td>}
            <th scope="row">
              {name}
              {note && note !== lines[index - 1]?.note && <span class="quiet small">{note}</span>}
            </th>
            <td class="number">
              {figure}
              {on_form && <span class="quiet small">{on_form}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Supplies by place, kind and rate. */
function Supplies({ figures: { type, supplies }, link }: FormProps) {
  const nameOf = (supply: FilingSupply) => placeName(supply.jurisdiction_id)
  const kind = { head: 'Kind', cell: (each: FilingSupply) => inWords(each.kind ?? '') }
  const sales = (row: FilingSupply) =>
    figureLink(link, `the sales of ${nameOf(row)}`, { ...row, tax_amount: row.gross_sales })
  const net = { head: 'Net sales', number: true, cell: sales }
  return (
    <Table
      caption="Supplies"
      rows={byName(supplies)}
      columns={[
        { head: 'Place', cell: nameOf },
        ...(supplies.some((each) => each.kind !== null) ? [kind] : []),
        { head: 'Rate', number: true, cell: ({ rate }) => rate !== null && formatRate(rate) },
        ...(type === 'generic' ? [net] : []),
        ...amountColumns<FilingSupply>(link, (row) => `the tax of ${nameOf(row)}`),
      ]}
    />
  )
}

/** What is due in each state. The sums are those of the head and of the list. */
function StateTotals({ figures: { type, state_totals, totals, supplies } }: FormProps) {
  const [first] = state_totals
  if (first === undefined || totals === null || state_totals.length < 2) return null
  const money = (amount: number) => formatMoney(amount, first.currency)
  const { taxable_amount, tax_amount, corrections_tax_amount, tax_due } = totals
  const netOf = (of: readonly FilingSupply[]) => of.reduce((sum, { gross_sales }) => sum + gross_sales, 0)
  const states = state_totals.map((each) => {
    const own = supplies.filter(({ jurisdiction_id: id }) => id === each.jurisdiction_id)
    return { ...each, gross_sales: netOf(own) }
  })
  const net = { head: 'Net sales', number: true, cell: (each: Taxable) => money(each.gross_sales ?? 0) }
  const [all, column] = type === 'generic' ? [[netOf(supplies)], [net]] : [[], []]
  return (
    <Table
      caption="Totals by state"
      show_caption
      rows={byName(states)}
      sums={['Total', ...[...all, taxable_amount, tax_amount, corrections_tax_amount, tax_due].map(money)]}
      columns={[
        { head: 'Place', cell: ({ jurisdiction_id: id }) => placeName(id) },
        ...column,
        { head: 'Taxable amount', number: true, cell: (each) => taxableWords(each, first.currency) },
        { head: 'Tax', number: true, cell: (each) => money(each.tax_amount) },
        { head: 'Corrections', number: true, cell: (each) => money(each.corrections_tax_amount) },
        { head: 'Due', number: true, phone: 'figure', cell: (each) => money(each.tax_due) },
      ]}
    />
  )
}

/** The tax of each county, city and district, as the schedules of states ask for it. */
function LocalTaxes({ figures: { jurisdiction_taxes }, link }: FormProps) {
  return (
    <Table
      caption="Tax by jurisdiction"
      show_caption
      rows={jurisdiction_taxes ?? []}
      columns={[
        { head: 'Jurisdiction', cell: ({ name }) => name },
        { head: 'Level', cell: ({ level }) => inWords(level) },
        { head: 'Code', cell: ({ code }) => code },
        { head: 'Rate', number: true, cell: ({ rate }) => rate !== null && formatRate(rate) },
        ...amountColumns<NonNullable<Figures['jurisdiction_taxes']>[number]>(link, ({ name }) => name),
      ]}
    />
  )
}
