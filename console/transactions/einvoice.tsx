import { type Child, useState } from 'hono/jsx/dom'
import type {
  Einvoice,
  EinvoiceAtOrigin,
  EinvoiceBreakdownRow,
  EinvoiceLineRow,
  EinvoiceSellerRegistration,
  Transaction,
} from '../../client/src/schema.ts'
import { INVOICE_LANGUAGES } from '../../src/engine/ground/invoice-words.ts'
import { read } from '../api.ts'
import { formatMoney } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Select } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Badge, Copy, Folded, Part } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'

const TITLE = 'Category, code, sentence and number of the invoice'

/** What the invoice of a sale says of its tax. It is read when it is first opened. */
export function EinvoiceOf({ sale }: { sale: Transaction }) {
  return (
    <Part title="E-invoice">
      <Folded title={TITLE} make={() => <Chosen id={sale.id} />} />
    </Part>
  )
}

const LAW = 'law'

/** Names of languages in the language of the console. */
const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' })

const CHOICES = Object.fromEntries([
  [LAW, 'The language of the law'],
  ...INVOICE_LANGUAGES.map((code) => [code, LANGUAGES.of(code) ?? code]).toSorted(([, a = ''], [, b = '']) =>
    a.localeCompare(b),
  ),
])

function Chosen({ id }: { id: string }) {
  const [einvoice, setLanguage] = useState(LAW)
  const readSale = () => withNames(read('/v1/transactions/{id}', { id, einvoice }))
  const loading = useLoading(readSale, [id, einvoice])
  const language = { choices: CHOICES, chosen: einvoice, changed: setLanguage }
  return (
    <>
      <Select label="Language of the sentences" name="einvoice-language" {...language} />
      <Loaded of={loading} lines={6} show={(sale) => <Shown sale={sale} view={sale.einvoice} />} />
    </>
  )
}

function Shown({ sale, view }: { sale: Transaction; view: Einvoice | undefined }) {
  if (view === undefined) return <p class="quiet">No invoice fields were stored with the sale.</p>
  const { breakdown, seller_registrations, requires, warnings } = view
  return (
    <>
      {warnings.map(({ message, lines }) => (
        <p>
          <Badge word="check" tone="warn" /> {message}.{lines.length > 0 && ` ${linesInWords(lines)}.`}
        </p>
      ))}
      {breakdown.length > 0 && <Rows caption="Breakdown" rows={breakdown} sale={sale} />}
      <Lines sale={sale} />
      {seller_registrations.length > 0 && <Numbers of={seller_registrations} />}
      {requires.length > 0 && (
        <p class="quiet">The invoice also needs: {requires.map((need) => withSpaces(need)).join(', ')}.</p>
      )}
      {sale.refunds.map(({ einvoice = [], credit_note_number, reason }) =>
        einvoice.length === 0 ? null : (
          <Rows caption={`Credit note: ${credit_note_number ?? reason}`} rows={einvoice} sale={sale} />
        ),
      )}
      <div class="actions">
        <Copy text={textOfInvoice(sale, view)} name="Copy what the invoice says" />
      </div>
    </>
  )
}

/** Lines are counted from 1 for people. */
function linesInWords(lines: readonly number[]): string {
  const counted = lines.map((line) => line + 1).join(', ')
  return lines.length === 1 ? `Line ${counted}` : `Lines ${counted}`
}

type RowsOfInvoice = { caption: string; rows: readonly EinvoiceBreakdownRow[]; sale: Transaction }

function Rows({ caption, rows, sale }: RowsOfInvoice) {
  const money = (amount: number) => formatMoney(amount, sale.currency)
  return (
    <PlainTable
      caption={caption}
      heads={['Category', 'Code and sentence', '#Rate', '#Base', '#Tax']}
      rows={rows.map((row) => [
        titleOfCategory(row),
        <Sentence of={row} />,
        rateInWords(row),
        money(row.taxable_amount),
        money(row.tax_amount),
      ])}
    />
  )
}

/** The code and the sentence of a row, with a mark on words that nobody has confirmed. */
function Sentence({ of }: { of: EinvoiceBreakdownRow | EinvoiceAtOrigin }) {
  const { exemption_code, exemption_text, text_source } = of
  if (exemption_code === null && exemption_text === null) return <>–</>
  return (
    <>
      {exemption_code !== null && <code>{exemption_code}</code>} {exemption_text}{' '}
      {text_source === 'unconfirmed' && <Badge word="unconfirmed" tone="warn" />}
    </>
  )
}

function Lines({ sale }: { sale: Transaction }) {
  const rows = sale.line_items.flatMap(({ description, product_type, einvoice = [] }, index) =>
    einvoice.map((row) => ({ row, name: `${index + 1}. ${description ?? withSpaces(product_type)}` })),
  )
  if (rows.length === 0) return null
  const has_origin = rows.some(({ row }) => row.at_origin !== null)
  return (
    <PlainTable
      caption="Lines of the invoice"
      heads={['Line', 'Category', '#Rate', ...(has_origin ? ['Under the seller’s law'] : [])]}
      rows={rows.map(({ row, name }): Child[] => [
        name,
        titleOfCategory(row),
        rateInWords(row),
        ...(has_origin ? [<AtOrigin of={row} />] : []),
      ])}
    />
  )
}

/** What the law of the seller says of a line that another place taxes. */
function AtOrigin({ of: { at_origin } }: { of: EinvoiceLineRow }) {
  if (at_origin === null) return <>–</>
  return (
    <>
      {`${at_origin.jurisdiction_id}: ${titleOfCategory(at_origin)} `}
      <Sentence of={at_origin} />
    </>
  )
}

/** The numbers of the seller. One that must not be printed is never shown as a number. */
function Numbers({ of }: { of: readonly EinvoiceSellerRegistration[] }) {
  return (
    <PlainTable
      caption="Seller’s tax numbers"
      heads={['From', 'Number', 'Field']}
      rows={of.map(({ jurisdiction_id, scheme, registration_number, term, printed }) => [
        [jurisdiction_id === null ? null : placeName(jurisdiction_id), scheme && withSpaces(scheme)]
          .filter(Boolean)
          .join(', '),
        printed ? (registration_number ?? 'no number') : <Badge word="do not print" tone="bad" />,
        printed ? (term ?? '–') : '–',
      ])}
    />
  )
}

/** The categories of UNCL5305 in words. A standard may have others. */
const CATEGORIES: Readonly<Record<string, string>> = {
  S: 'taxed',
  Z: 'zero rate',
  E: 'exempt',
  AE: 'reverse charge',
  K: 'within the Union',
  G: 'export',
  O: 'outside the scope',
}

/** The category with its meaning, such as `K, within the Union`. */
function titleOfCategory({ category }: { category: string | null }): string {
  if (category === null) return 'no category'
  const meaning = CATEGORIES[category]
  return meaning === undefined ? category : `${category}, ${meaning}`
}

function rateInWords({ rate_percent }: { rate_percent: string | null }): string {
  return rate_percent === null ? '–' : `${rate_percent}\u00a0%`
}

/** What the invoice says of its tax, as plain text to be pasted. Only numbers that are printed are in it. */
function textOfInvoice({ currency }: Transaction, view: Einvoice): string {
  const { breakdown, seller_registrations, requires, warnings } = view
  const money = (amount: number) => formatMoney(amount, currency)
  const rows = breakdown.flatMap((row) => {
    const { exemption_code, exemption_text, text_source, taxable_amount, tax_amount } = row
    const sums = `${money(taxable_amount)}, tax ${money(tax_amount)}`
    const rate = row.rate_percent === null ? '' : ` ${row.rate_percent}\u00a0%`
    const mark = text_source === 'unconfirmed' ? ' [unconfirmed]' : ''
    const text = exemption_text && `  ${exemption_text}${mark}`
    return [`${row.category}${rate}: ${sums}`, exemption_code && `  ${exemption_code}`, text]
  })
  const numbers = seller_registrations.map(
    ({ printed, registration_number: number, term }) =>
      printed && number && `${term ? `${term} ` : ''}${number}`,
  )
  const needed = requires.length > 0 && `Also needed: ${requires.map((need) => withSpaces(need)).join(', ')}`
  const notes = warnings.map(({ message }) => `Note: ${message}`)
  return [...rows, ...numbers, needed, ...notes].filter(Boolean).join('\n')
}
