import type { ExplainedTransactionAnswer, SaleReturn, Scope, Transaction } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { Failure, read } from '../api.ts'
import { formatDay, formatMoney, todayInZone } from '../format.ts'
import { learnNames, placeName, productTypes, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { useInPlace } from '../parts/in-place.tsx'
import { Read } from '../parts/load.tsx'
import { Badge, Copy, Facts, Id, Moment, useTitle } from '../parts/parts.tsx'
import { IsThisWrong } from '../parts/wrong.tsx'
import { linkToReturn } from '../returns/return.ts'
import { periodWords, returnName } from '../words.ts'
import { statusOf } from './columns.tsx'
import { EinvoiceOf } from './einvoice.tsx'
import { Lines, Proof, Refunds, taxesOf } from './parts-of-sale.tsx'
import { Taxes, Why } from './reasons.tsx'
import { Refund } from './refund.tsx'

type ReadSale = { sale: ExplainedTransactionAnswer; customer: string | null }

/** The drawer of a sale. */
export function Record({ id }: RecordProps) {
  const show = (read: ReadSale) => <Inside key={read.sale.updated_at} {...read} />
  return <Read read={() => withNames(readSale(id))} of={[id]} lines={12} show={show} />
}

async function readSale(id: string): Promise<ReadSale> {
  const [sale] = await Promise.all([read('/v1/transactions/{id}', { id, explain: 'true' }), productTypes()])
  // The cities and counties of a sale are named by its reason.
  const taxes = (sale.explanation?.lines ?? []).flatMap((line) => line.taxes)
  learnNames(taxes.map(({ place }) => [place.id, place.name]))
  return { sale, customer: await nameOfCustomer(sale.customer.id) }
}

/** Null if the key may not read it, or the customer is erased. */
async function nameOfCustomer(id: string | null): Promise<string | null> {
  if (id === null || !may('customers:read')) return null
  try {
    const { name, external_id } = await read('/v1/customers/{id}', { id })
    return name ?? external_id
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 404) return null
    throw thrown
  }
}

function Inside({ sale, customer }: ReadSale) {
  const refund = useInPlace('Refund…', (close) => <Refund sale={sale} cancel={close} />)
  useTitle(sale.external_id ?? 'Transaction', <Badge word={statusOf(sale)} />, [statusOf(sale)])
  const left = sale.total - sale.amount_refunded
  const refundable =
    may('transactions:write') && left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  return (
    <>
      <Answer sale={sale} />
      {sale.status === 'pending' && <Pending sale={sale} />}
      {sale.status === 'voided' && <p class="quiet">Voided, so it is in no return.</p>}
      {refund.form ?? (
        <div class="actions">
          {refundable && refund.button}
          <Copy text={location.href} name="Copy the link" />
        </div>
      )}
      <Lines sale={sale} />
      <Taxes of={taxesOf(sale)} currency={sale.currency} />
      <Refunds sale={sale} />
      <FactsOfSale sale={sale} customer={customer} />
      <Proof sale={sale} />
      <EinvoiceOf sale={sale} />
      <History of={sale.id} changes={sale.updated_at} />
      <Id of={sale.id} />
    </>
  )
}

/** The amount, its tax and why it is so: the question that opens a sale. */
function Answer({ sale }: { sale: ExplainedTransactionAnswer }) {
  const { total, tax_amount, subtotal, currency, amount_refunded, tax_refunded } = sale
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <div class="answer">
      <p class="sum">{money(total)}</p>
      <p class="quiet">{`${money(subtotal)} and ${money(tax_amount)} tax`}</p>
      {amount_refunded !== 0 && (
        <p class="quiet">
          {`${money(amount_refunded)} refunded, ${money(tax_refunded)} of it tax. `}
          {`${money(total - amount_refunded)} remain.`}
        </p>
      )}
      <Why sale={sale} />
    </div>
  )
}

/** A link, if the key may read where it leads. */
function linked(scope: Scope, href: string, name: string) {
  return may(scope) ? <a href={href}>{name}</a> : name
}

function doubtOf({ jurisdiction_id, transaction_date, data_version }: ExplainedTransactionAnswer) {
  const doubt = { place: jurisdiction_id, day: transaction_date.slice(0, 10) }
  return data_version === null ? doubt : { ...doubt, data_version }
}

function FactsOfSale({ sale, customer }: ReadSale) {
  const { address, id, vat_id } = sale.customer
  const given = sale.tax_source === 'given' ? 'As your invoice states it' : 'Calculated by this service'
  const counts = sale.status === 'completed' || sale.status === 'refunded'
  const place = [address.postal_code, address.region, placeName(address.country)]
  return (
    <Facts
      of={[
        ['Date', <Moment at={sale.transaction_date} />],
        ['Taxed in', placeName(sale.jurisdiction_id)],
        [
          'Customer',
          id && linked('customers:read', linkTo('customers', { id }), customer ?? 'Saved customer'),
        ],
        ['Place of the customer', place.filter(Boolean).join(', ')],
        ['VAT id', vat_id],
        [
          'Tax',
          <>
            {given} <IsThisWrong {...doubtOf(sale)} />
          </>,
        ],
        ['Reverse charge', sale.reverse_charge ? 'Yes' : null],
        ['Invoice', sale.invoice_number],
        ['In return', counts ? <InReturns of={sale.returns} /> : null],
      ]}
    />
  )
}

/** The returns that declare the tax of a sale; without any, those that list it. Each leads to the return. */
function InReturns({ of }: { of: readonly SaleReturn[] }) {
  if (of.length === 0)
    return <>Not in a return, because no registration covers it or its due dates are unknown</>
  const declaring = of.filter(({ declares_tax }) => declares_tax)
  return (
    <>
      {(declaring.length === 0 ? of : declaring).map((each) => (
        <span class="block">
          {linked('reports:read', linkToReturn(each), `${returnName(each)}, ${periodWords(each.period)}`)}
          {` · ${stateOfReturn(each)}`}
        </span>
      ))}
    </>
  )
}

function stateOfReturn(of: SaleReturn): string {
  const { state, day, number, has_sale, late, last_date, declares_tax } = of
  const shown = last_date !== null && last_date < todayInZone() ? 'overdue' : state
  return [
    has_sale ? shown : `${shown}, a refund`,
    late && 'as a correction',
    !declares_tax && 'listed without tax',
    day && formatDay(day),
    last_date && `due ${formatDay(last_date)}`,
    number,
  ]
    .filter(Boolean)
    .join(' · ')
}

function Pending({ sale }: { sale: Transaction }) {
  const path = `/v1/transactions/${sale.id}`
  const complete = () => change('POST', `${path}/complete`, { told: 'The sale is completed' })
  const ask = {
    title: 'Void this sale?',
    text: 'It stays in the list but is in no return. It cannot be completed later.',
    yes: 'Void the sale',
  }
  return (
    <div>
      <p class="quiet">A pending sale is in no return until it is completed.</p>
      {may('transactions:write') && (
        <Deeds
          of={[
            { name: 'Complete', act: complete },
            { name: 'Void', act: () => change('POST', `${path}/void`, { ask, told: 'The sale is voided' }) },
          ]}
        />
      )}
    </div>
  )
}
