import { type Child, useState } from 'hono/jsx/dom'
import { callApi } from '../api.ts'
import { formatMoney } from '../format.ts'
import { type Names, placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Copy } from '../parts/copy.tsx'
import { Folded } from '../parts/folded.tsx'
import { Select } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Part } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { INVOICE_LANGUAGES } from '../../src/tax/invoice-words.ts'
import {
  type EinvoiceRowOfLine,
  type EinvoiceNumber,
  type EinvoiceRow,
  rateInWords,
  textOfInvoice,
  titleOfCategory,
  type EinvoiceView,
} from './einvoice-words.ts'
import type { Transaction } from './why.tsx'

/** What the invoice of a sale says of its tax. It is read when it is first opened. */
export function Einvoice({ sale }: { sale: Transaction }) {
  return (
    <Part title="E-invoice">
      <Folded
        title="Category, code, sentence and number of the invoice"
        make={() => <Chosen id={sale.id} />}
      />
    </Part>
  )
}

const LAW = 'law'

/** Names of languages in the language of the console. */
const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' })

const CHOICES: readonly (readonly [string, string])[] = [
  [LAW, 'The language of the law'],
  ...INVOICE_LANGUAGES.map((code) => [code, LANGUAGES.of(code) ?? code] as const).toSorted(([, a], [, b]) =>
    a.localeCompare(b),
  ),
]

function Chosen({ id }: { id: string }) {
  const [language, setLanguage] = useState(LAW)
  const loading = useLoading(() => readView(id, language), [id, language])
  return (
    <>
      <Select
        label="Language of the sentences"
        name="einvoice-language"
        choices={CHOICES}
        chosen={language}
        changed={setLanguage}
      />
      <Loaded of={loading} lines={6} show={(read) => <Shown {...read} />} />
    </>
  )
}

type ReadView = { sale: Transaction; view: EinvoiceView | null; names: Names }

async function readView(id: string, language: string): Promise<ReadView> {
  const path = `/v1/transactions/${encodeURIComponent(id)}`
  const [sale, names] = await Promise.all([
    callApi<Transaction>('GET', path, { query: { einvoice: language } }),
    placeNames(),
  ])
  return { sale, view: sale.einvoice ?? null, names }
}

function Shown({ sale, view, names }: ReadView) {
  if (view === null) return <p class="quiet">No view was kept with the sale.</p>
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
      {seller_registrations.length > 0 && <Numbers of={seller_registrations} names={names} />}
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

function Rows({ caption, rows, sale }: { caption: string; rows: readonly EinvoiceRow[]; sale: Transaction }) {
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
function Sentence({ of }: { of: Pick<EinvoiceRow, 'exemption_code' | 'exemption_text' | 'text_source'> }) {
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
      heads={['Line', 'Category', '#Rate', ...(has_origin ? ['By the law of the seller'] : [])]}
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
function AtOrigin({ of: { at_origin } }: { of: EinvoiceRowOfLine }) {
  if (at_origin === null) return <>–</>
  return (
    <>
      {`${at_origin.jurisdiction_id}: ${titleOfCategory(at_origin)} `}
      <Sentence of={at_origin} />
    </>
  )
}

/** The numbers of the seller. One that must not be printed is never shown as a number. */
function Numbers({ of, names }: { of: readonly EinvoiceNumber[]; names: Names }) {
  return (
    <PlainTable
      caption="Numbers of the seller"
      heads={['From', 'Number', 'Field']}
      rows={of.map(({ jurisdiction_id, scheme, registration_number, term, printed }) => [
        [
          jurisdiction_id === null ? null : (names.get(jurisdiction_id) ?? jurisdiction_id),
          scheme && withSpaces(scheme),
        ]
          .filter(Boolean)
          .join(', '),
        printed ? (registration_number ?? 'not on file') : <Badge word="do not print" tone="bad" />,
        printed ? (term ?? '–') : '–',
      ])}
    />
  )
}
