import { type Child, useState } from 'hono/jsx/dom'
import { readAvalara } from '../../scripts/imports/avalara.ts'
import { checkSales, rowOf } from '../../scripts/imports/check.ts'
import { refusedFile } from '../../scripts/imports/refused.ts'
import type { FileFormat } from '../../scripts/imports/rows.ts'
import type { Imported, ImportedSale, ImportOptions } from '../../scripts/imports/sale.ts'
import { type Result, sendBatches, type Sent } from '../../scripts/imports/send.ts'
import { readStripe } from '../../scripts/imports/stripe.ts'
import { readTaxJar } from '../../scripts/imports/taxjar.ts'
import { readTemplate, TEMPLATE } from '../../scripts/imports/template.ts'
import { type ControlTotal, controlTotals } from '../../scripts/imports/totals.ts'
import { SESSION } from '../account.ts'
import { callApi, Failure, mistake, saveFile } from '../api.ts'
import { formatCount, formatMoney } from '../format.ts'
import { productTypes } from '../names.ts'
import { Deeds, toast } from '../parts/changes.tsx'
import { Check, Choice, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { List, recordsChanged, useLoading } from '../parts/load.tsx'
import { Folded, Part, Press, useTitle } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { counted, periodWords } from '../words.ts'

const READERS: Readonly<Record<string, (csv: string, options: ImportOptions) => Imported>> = {
  template: readTemplate,
  stripe: readStripe,
  taxjar: readTaxJar,
  avalara: readAvalara,
}

const LAYOUTS = {
  template: 'The template',
  stripe: 'Stripe: itemized tax report',
  taxjar: 'TaxJar: line items or orders',
  avalara: 'Avalara: transaction import',
}

const DATES = { '': 'As in the file', dmy: 'Day first: 31/03/2026', mdy: 'Month first: 03/31/2026' }

/** More is for the command `npm run import`, which does not wait for a page. */
const BYTES_MAX = 10_000_000

/** How many faulty rows are listed. */
const LISTED = 50

const PRODUCT_TYPE = 'Product type for other codes'

/** A checked file: nothing of it is recorded yet. */
type Checked = { name: string; imported: Imported }

/** Sales of a CSV file: what it has is shown, with control totals, before anything is recorded. */
export function ImportSales() {
  const [checked, setChecked] = useState<Checked | null>(null)
  useTitle('Import sales')
  return checked === null ? (
    <ChooseFile checked={setChecked} />
  ) : (
    <CheckedFile key={checked.name} of={checked} back={() => setChecked(null)} />
  )
}

function ChooseFile({ checked }: { checked: (file: Checked) => void }) {
  const [layout, setLayout] = useState('template')
  const { value: products } = useLoading(productTypes)
  const check = async (typed: Typed) => {
    const file = typed.file('file')
    if (file === null) throw mistake('file: choose one')
    if (file.size > BYTES_MAX) throw mistake('file: is larger than 10 MB. Split it, or use npm run import')
    const options = optionsOf(typed, typed.chosen('product_type', PRODUCT_TYPE, products ?? []))
    const read = readFileOf(layout, await file.text(), options)
    checked({ name: file.name, imported: await checkSales(read, isInBooks, new Date()) })
  }
  return (
    <>
      <p>
        Sales are recorded with the tax that you charged. You see what is wrong in the file, and its totals,
        before anything is recorded.
      </p>
      <Deeds
        of={[
          {
            name: 'Download the template',
            act: async () => saveFile(new Blob([TEMPLATE], { type: 'text/csv' }), 'sales-template.csv'),
          },
        ]}
      />
      <Form name="Check the file" send={check}>
        <Input label="CSV file" name="file" type="file" accept=".csv,text/csv" required />
        <Select label="Layout" name="layout" choices={LAYOUTS} chosen={layout} changed={setLayout} />
        {layout === 'taxjar' && (
          <Input label="Currency" name="currency" value="USD" required minlength={3} maxlength={3}>
            TaxJar's files name no currency
          </Input>
        )}
        <Select label="Dates" name="dates" choices={DATES} chosen="" />
        {layout !== 'template' && (
          <Choice label={PRODUCT_TYPE} name="product_type" options={products ?? []}>
            Leave empty to refuse rows with an unknown product code
          </Choice>
        )}
        <Check name="decimal_comma">Decimal comma: 1.234,56</Check>
      </Form>
    </>
  )
}

/** Whether a sale that a credit note names is in the books; null if the key may not read them. */
async function isInBooks(external_id: string): Promise<boolean | null> {
  try {
    await callApi('GET', `/v1/transactions/external/${encodeURIComponent(external_id)}`)
    return true
  } catch (thrown) {
    if (!(thrown instanceof Failure) || (thrown.status !== 404 && thrown.status !== 403)) throw thrown
    return thrown.status === 404 ? false : null
  }
}

function optionsOf(typed: Typed, product_type: string | null): ImportOptions {
  const order = typed.text('dates')
  const dates: FileFormat['dates'] = order === 'dmy' || order === 'mdy' ? order : null
  const decimal_comma = typed.isChecked('decimal_comma')
  return {
    currency: typed.text('currency').toUpperCase() || 'USD',
    product_type,
    map: new Map(),
    skip_bad_rows: true,
    format: { decimal_comma, dates, columns: new Map() },
  }
}

/** Throws a Failure if a column is missing, or if there is no sale. */
function readFileOf(layout: string, csv: string, options: ImportOptions): Imported {
  try {
    const imported = (READERS[layout] ?? readTemplate)(csv, options)
    if (imported.sales.length + imported.bad.length === 0) throw new Error('The file has no sales')
    return imported
  } catch (thrown) {
    if (thrown instanceof Error) throw mistake(`file: ${inFields(thrown.message)}`)
    throw thrown
  }
}

/** The words of the command for its options, in those of the form. */
function inFields(message: string): string {
  return message
    .replace(/give --dates dmy or --dates mdy/, 'choose the order under Dates')
    .replace(/give --dates dmy/, 'choose it under Dates')
    .replace(/give --decimal-comma/, 'check Decimal comma')
    .replace(/ The list is in docs\/product-types$/, '')
    .replace(/give --map with it, or --product-type for all such codes/, `choose a ${PRODUCT_TYPE}`)
    .replace(/If they have other names, give --columns .*$/, 'Choose another layout, or rename the columns')
}

function CheckedFile({ of: { name, imported }, back }: { of: Checked; back: () => void }) {
  const { sales, bad, notes, skipped } = imported
  const [progress, setProgress] = useState<Sent | null>(null)
  const [done, setDone] = useState(false)
  const record = async () => {
    const sent = await sendBatches(sales, sendBatch, (so_far) => setProgress({ ...so_far }))
    setDone(true)
    recordsChanged()
    toast(`${counted(sent.recorded, 'sale')} recorded`)
  }
  return (
    <>
      <p class="overall">{verdictOf(imported)}</p>
      <p class="quiet">{name}</p>
      {progress !== null && <Progress of={progress} imported={imported} />}
      <LeftOut title="Errors: not recorded" of={bad} />
      <Rows title="To look at: recorded as they are" of={notes.map(({ reason }) => reason)} />
      <Totals title="Control totals of the file" of={sales} />
      <Rows title="Rows that are not sales" of={skipped.map(({ row, reason }) => `Row ${row}: ${reason}`)} />
      <div class="foot">
        <Deeds
          of={[
            !done &&
              sales.length > 0 && {
                name: `Record ${counted(sales.length, 'sale')}`,
                act: record,
                kind: 'first',
              },
          ]}
        >
          <Press name={done ? 'Import another file' : 'Choose another file'} act={back} />
        </Deeds>
      </div>
    </>
  )
}

/** `378 of 383 ready, 5 have errors, 1 to look at`. */
function verdictOf({ sales, bad, notes }: Imported): string {
  const all = counted(sales.length + bad.length, 'sale')
  const errors = bad.length === 1 ? '1 has an error' : `${formatCount(bad.length)} have errors`
  return [
    `${formatCount(sales.length)} of ${all} ready`,
    ...(bad.length > 0 ? [errors] : []),
    ...(notes.length > 0 ? [`${formatCount(notes.length)} to look at`] : []),
  ].join(', ')
}

/** Sales that are not recorded, with their rows as a file to correct. */
function LeftOut({ title, of }: { title: string; of: Imported['bad'] }) {
  const reasons = of.map(({ reason }) => inFields(reason))
  const file = () =>
    new Blob([refusedFile(of.map((each, index) => ({ ...each, reason: reasons[index] ?? '' })))], {
      type: 'text/csv',
    })
  return (
    <Rows title={title} of={reasons}>
      <Deeds
        of={[
          {
            name: 'Download these rows with their reasons',
            act: async () => saveFile(file(), 'rows-to-correct.csv'),
          },
        ]}
      />
      {reasons.some((reason) => reason.includes('is not a product type')) && (
        <p>
          <a href="/docs/product-types" target="_blank">
            All product types
          </a>
        </p>
      )}
    </Rows>
  )
}

/** Sales with an id that exists are left alone, so the same file can be sent again. */
async function sendBatch(transactions: readonly ImportedSale[]): Promise<readonly Result[]> {
  const path = '/v1/transactions/batch'
  return (await callApi<{ results: Result[] }>('POST', path, { body: { transactions } })).results
}

/** A line for each currency, which opens its months. */
function Totals({ title, of }: { title: string; of: readonly ImportedSale[] }) {
  const totals = controlTotals(of, SESSION.get()?.account?.time_zone ?? 'UTC')
  if (totals.length === 0) return null
  return (
    <Part title={title}>
      {[...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, months]) => (
        <Folded
          key={currency}
          title={sumsOf(currency, months)}
          make={() => <Months title={title} currency={currency} of={months} />}
        />
      ))}
    </Part>
  )
}

function sumsOf(currency: string, months: readonly ControlTotal[]): string {
  const sum = (name: 'documents' | 'net' | 'tax') => months.reduce((all, each) => all + each[name], 0)
  const [net, tax] = [formatMoney(sum('net'), currency), formatMoney(sum('tax'), currency)]
  return `${currency}: ${counted(sum('documents'), 'sale')}, ${net} net, ${tax} tax`
}

type MonthsProps = { title: string; currency: string; of: readonly ControlTotal[] }

function Months({ title, currency, of }: MonthsProps) {
  return (
    <PlainTable
      caption={`${title}, ${currency}`}
      heads={['Month', '#Sales', '#Net', '#Tax']}
      rows={of.map(({ month, documents, net, tax }) => [
        periodWords(month),
        formatCount(documents),
        formatMoney(net, currency),
        formatMoney(tax, currency),
      ])}
    />
  )
}

function Rows({ title, of, children }: { title: string; of: readonly string[]; children?: Child }) {
  if (of.length === 0) return null
  const more = of.length - LISTED
  return (
    <Part title={`${title}: ${formatCount(of.length)}`}>
      <List lines={[...of.slice(0, LISTED), ...(more > 0 ? [`${formatCount(more)} more`] : [])]} />
      {children}
    </Part>
  )
}

function Progress({ of: { recorded, present, refused }, imported }: { of: Sent; imported: Imported }) {
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]))
  const left_out = imported.sales.filter((sale) => reasons.has(sale.external_id))
  const seen = recorded + present + refused.length
  const counts = [
    `${formatCount(recorded)} recorded`,
    `${formatCount(present)} already in the books`,
    `${formatCount(refused.length)} refused`,
  ]
  return (
    <>
      <p role="status">
        {`${formatCount(seen)} of ${formatCount(imported.sales.length)}: ${counts.join(', ')}.`}
      </p>
      <LeftOut
        title="Refused"
        of={left_out.map((sale) => {
          const row = rowOf(imported, sale)
          const reason = `Row ${row}, ${sale.external_id}: ${reasons.get(sale.external_id) ?? ''}`
          return { row, reason, rows: imported.rows.get(sale) ?? [] }
        })}
      />
      <Totals title="Refused, and not in the books" of={left_out} />
    </>
  )
}
