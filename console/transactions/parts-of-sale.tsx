import type { Child } from 'hono/jsx/dom'
import type { Transaction, TransactionLine } from '../../client/src/schema.ts'
import { linkToCertificate } from '../certificates/certificate.tsx'
import { formatDay, formatMoney, formatRate, spanOfDays } from '../format.ts'
import { placeName, productName } from '../names.ts'
import { Badge, Facts, Moment } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { leftOfLines } from './refund.tsx'

/** The lines of a sale, with a mark on those that refunds name. */
export function Lines({ sale }: { sale: Transaction }) {
  const money = (amount: number) => formatMoney(amount, sale.currency)
  const left = new Map(leftOfLines(sale).map(({ line, amount }) => [line.id, amount]))
  const named = Map.groupBy(
    sale.refunds.flatMap(({ line_items }) => line_items ?? []),
    ({ id }) => id,
  )
  const mark = ({ id }: TransactionLine): Child => {
    const parts = named.get(id)
    if (parts === undefined) return null
    if (left.get(id) === 0) return <Badge word="refunded" />
    const refunded = parts.reduce((sum, { net_amount, tax_amount }) => sum + net_amount + tax_amount, 0)
    return <Badge word={`${money(refunded)} refunded`} tone="news" />
  }
  return (
    <PlainTable
      caption="Lines"
      heads={['Item', '#Net', '#Rate', '#Tax']}
      rows={sale.line_items.map((line) => [
        <>
          {itemOf(line)} {mark(line)}
        </>,
        money(line.net_amount),
        rateOf(line),
        money(line.tax_amount),
      ])}
      sums={['Total', money(sale.subtotal), '', money(sale.tax_amount)]}
    />
  )
}

function itemOf({ description, product_type, quantity }: TransactionLine): string {
  const product = productName(product_type)
  const name = description === null || description === product ? product : `${description}, ${product}`
  return quantity === 1 ? name : `${quantity} × ${name}`
}

/** A line that bears several rates, such as shipping of several goods, has none of the law. */
function rateOf({ tax_breakdown, tax_rate }: TransactionLine): string {
  const own = Map.groupBy(tax_breakdown, ({ jurisdiction_id, tax_type }) => `${jurisdiction_id} ${tax_type}`)
  const is_mixed = [...own.values()].some((parts) => new Set(parts.map(({ rate }) => rate)).size > 1)
  return is_mixed ? 'several' : formatRate(tax_rate)
}

/** The taxes of all lines, added up by jurisdiction, kind and rate. */
export function taxesOf({ line_items }: Transaction) {
  const parts = line_items.flatMap(({ tax_breakdown }) => tax_breakdown)
  const groups = Map.groupBy(parts, ({ jurisdiction_id, tax_type, category, rate }) =>
    [jurisdiction_id, tax_type, category, rate].join(' '),
  )
  return [...groups.values()].flatMap((own) => {
    const sum = (name: 'taxable_amount' | 'tax_amount') => own.reduce((total, part) => total + part[name], 0)
    const sums = { taxable_amount: sum('taxable_amount'), tax_amount: sum('tax_amount') }
    return own.slice(0, 1).map((first) => ({ ...first, ...sums }))
  })
}

/** What proves the place of the customer and a lower tax. */
export function Proof({ sale }: { sale: Transaction }) {
  const { evidence, evidence_status, vat_proof, certificates, payments, currency, customer } = sale
  const named = (number: string | null, id: string | null): Child => {
    if (id === null || customer.id === null) return number
    return <a href={linkToCertificate(customer.id, id)}>{number ?? id}</a>
  }
  return (
    <>
      {evidence.length > 0 && (
        <PlainTable
          caption={`Evidence of the place: ${withSpaces(evidence_status)}`}
          heads={['Kind', 'Country', 'Value']}
          rows={evidence.map(({ type, country, value }) => [withSpaces(type), placeName(country), value])}
        />
      )}
      {vat_proof !== null && (
        <Facts
          of={[
            ['VAT id checked', `${vat_proof.vat_id}: ${vat_proof.valid ? 'valid' : 'not valid'}`],
            ['By', vat_proof.source],
            ['Consultation number', vat_proof.consultation_number],
            ['At', <Moment at={vat_proof.checked_at} />],
          ]}
        />
      )}
      {certificates.length > 0 && (
        <PlainTable
          caption="Certificates"
          heads={['Certificate', 'Place', 'Valid']}
          rows={certificates.map((each) => [
            named(each.certificate_number, each.exemption_id),
            placeName(each.jurisdiction_id),
            spanOfDays(each.valid_from, each.valid_to),
          ])}
        />
      )}
      {payments.length > 0 && (
        <PlainTable
          caption="Payments"
          heads={['Day', 'Reference', '#Amount']}
          rows={payments.map((one) => [
            formatDay(one.date),
            one.reference,
            formatMoney(one.amount, currency),
          ])}
        />
      )}
    </>
  )
}

/** The refunds of a sale, with the lines that each one names. */
export function Refunds({ sale }: { sale: Transaction }) {
  if (sale.refunds.length === 0) return null
  const names = sale.line_items.map((line) => itemOf({ ...line, quantity: 1 }))
  const isOnly = (name: string) => names.filter((each) => each === name).length === 1
  const lines = new Map(
    sale.line_items.map(({ id }, index) => {
      const name = names[index] ?? ''
      return [id, isOnly(name) ? name : `${name} (line ${index + 1})`]
    }),
  )
  const nameOf = ({ id }: { id: string }) => lines.get(id) ?? 'a line'
  return (
    <PlainTable
      caption="Refunds"
      heads={['Date', 'Reason and lines', '#Tax', '#Amount']}
      rows={sale.refunds.map((refund) => [
        <Moment at={refund.refunded_at} />,
        <>
          {[refund.reason, refund.credit_note_number].filter(Boolean).join(', ')}
          <span class="quiet small block">{refund.line_items?.map(nameOf).join(', ') ?? 'all lines'}</span>
        </>,
        formatMoney(refund.tax_amount, sale.currency),
        formatMoney(refund.amount, sale.currency),
      ])}
    />
  )
}
