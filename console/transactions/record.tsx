import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { CustomerAnswer } from '../../src/customers/schemas.ts'
import type { ExplainedTransactionAnswer } from '../../src/recorded-sale-answer.ts'
import { linkTo } from '../address.ts'
import { callApi, Failure } from '../api.ts'
import { formatDay, formatMoney, todayInZone } from '../format.ts'
import { type Names, placeNames, productNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { change, Deeds, Read } from '../parts/changes.tsx'
import { Copy } from '../parts/copy.tsx'
import { History } from '../parts/history.tsx'
import { Facts } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { Moment } from '../parts/time.tsx'
import { periodWords } from '../returns/period-words.ts'
import { linkToReturn } from '../returns/return-address.ts'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { returnName } from '../words.ts'
import { statusOf } from './columns.tsx'
import { Einvoice } from './einvoice.tsx'
import { Lines, Proof, Refunds, taxesOf } from './parts-of-sale.tsx'
import { Taxes } from './reasons.tsx'
import { Refund } from './refund.tsx'
import { type Reason, type Transaction, Why } from './why.tsx'

type SaleReturns = z.output<typeof ExplainedTransactionAnswer>['returns']

type ReadSale = {
  sale: Transaction
  returns: SaleReturns
  reason: Reason
  names: Names
  products: Names
  customer: string | null
}

/** The drawer of a sale. */
export function Record({ id }: RecordProps) {
  const show = (read: ReadSale) => <Inside key={read.sale.updated_at} {...read} />
  return (
    <div class="drawer-body">
      <Read read={() => readSale(id)} of={[id]} lines={12} show={show} />
    </div>
  )
}

async function readSale(id: string): Promise<ReadSale> {
  const path = `/v1/transactions/${encodeURIComponent(id)}`
  const [answer, names, products] = await Promise.all([
    callApi<z.output<typeof ExplainedTransactionAnswer>>('GET', path, { query: { explain: 'true' } }),
    placeNames(),
    productNames(),
  ])
  const { explanation = null, explanation_note = null, returns, ...sale } = answer
  const customer = await customerName(sale.customer.id)
  return { sale, returns, reason: { explanation, explanation_note }, names, products, customer }
}

/** Null if the key may not read it, or the customer is erased. */
async function customerName(id: string | null): Promise<string | null> {
  if (id === null) return null
  try {
    const path = `/v1/customers/${encodeURIComponent(id)}`
    const { name, external_id } = await callApi<z.output<typeof CustomerAnswer>>('GET', path)
    return name ?? external_id
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.status === 403 || thrown.status === 404)) return null
    throw thrown
  }
}

function Inside({ sale, returns, reason, names, products, customer }: ReadSale) {
  const [refunding, setRefunding] = useState(false)
  useTitle(sale.external_id ?? 'Transaction', <Badge word={statusOf(sale)} />, [statusOf(sale)])
  const left = sale.total - sale.amount_refunded
  const refundable =
    may('transactions:write') && left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  return (
    <>
      <Totals sale={sale} />
      {sale.status === 'pending' && <Pending sale={sale} />}
      {refunding ? (
        <Refund sale={sale} cancel={() => setRefunding(false)} />
      ) : (
        <div class="actions">
          {refundable && (
            <button type="button" onClick={() => setRefunding(true)}>
              Refund…
            </button>
          )}
          <Copy text={location.href} name="Copy the link" />
        </div>
      )}
      <FactsOfSale sale={sale} returns={returns} names={names} customer={customer} />
      <Lines sale={sale} products={products} />
      <Taxes of={taxesOf(sale)} currency={sale.currency} names={new Map([...names, ...localNames(reason)])} />
      <Einvoice sale={sale} />
      <Why sale={sale} reason={reason} />
      <Proof sale={sale} names={names} />
      <Refunds sale={sale} products={products} />
      <History of={sale.id} changes={sale.updated_at} />
    </>
  )
}

/** The names of the cities and counties of a sale, as its reason has them. */
function localNames({ explanation }: Reason): [id: string, name: string][] {
  const taxes = (explanation?.lines ?? []).flatMap((line) => line.taxes)
  return taxes.map(({ place }) => [place.id, place.name])
}

function Totals({ sale }: { sale: Transaction }) {
  const { total, tax_amount, subtotal, currency, amount_refunded, tax_refunded } = sale
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <div>
      <p class="sum">{money(total)}</p>
      <p class="quiet">{`${money(subtotal)} and ${money(tax_amount)} tax`}</p>
      {amount_refunded !== 0 && (
        <p class="quiet">
          {`${money(amount_refunded)} refunded, ${money(tax_refunded)} of it tax. `}
          {`${money(total - amount_refunded)} remain.`}
        </p>
      )}
    </div>
  )
}

function FactsOfSale({ sale, names, customer, returns }: Omit<ReadSale, 'reason' | 'products'>) {
  const { address, id, vat_id } = sale.customer
  const country = names.get(address.country) ?? address.country
  const given = sale.tax_source === 'given' ? 'As your invoice states it' : 'Calculated by this service'
  return (
    <Facts
      of={[
        ['Date', <Moment at={sale.transaction_date} />],
        ['Taxed in', names.get(sale.jurisdiction_id) ?? sale.jurisdiction_id],
        id === null ? null : ['Customer', <a href={linkTo('customers', { id })}>{customer ?? 'On file'}</a>],
        ['Place of the customer', [address.postal_code, address.region, country].filter(Boolean).join(', ')],
        ['VAT id', vat_id],
        ['Tax', given],
        ['Reverse charge', sale.reverse_charge ? 'Yes' : 'No'],
        sale.invoice_number === null ? null : ['Invoice', sale.invoice_number],
        sale.status === 'completed' || sale.status === 'refunded'
          ? ['In return', <InReturns of={returns} names={names} />]
          : null,
        [
          'Id',
          <span class="id">
            <code>{sale.id}</code> <Copy text={sale.id} label="Copy the id" />
          </span>,
        ],
      ]}
    />
  )
}

/** The returns that declare the tax of a sale; without any, those that list it. Each leads to the return. */
function InReturns({ of, names }: { of: SaleReturns; names: Names }) {
  if (of.length === 0) return <>None: no registration files it, or its dates are not on file</>
  const declaring = of.filter(({ declares_tax }) => declares_tax)
  return (
    <>
      {(declaring.length === 0 ? of : declaring).map((each) => (
        <span class="block">
          <a href={linkToReturn(each)}>
            {`${returnName({ ...each, scheme: null }, names)}, ${periodWords(each.period)}`}
          </a>
          {` · ${stateOfReturn(each)}`}
        </span>
      ))}
    </>
  )
}

function stateOfReturn({ state, day, number, has_sale, late, last_date }: SaleReturns[number]): string {
  const shown = last_date !== null && last_date < todayInZone() ? 'overdue' : state
  return [
    has_sale ? shown : `${shown}, a refund`,
    late ? 'as a correction' : null,
    day === null ? null : formatDay(day),
    last_date === null ? null : `due ${formatDay(last_date)}`,
    number,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

function Pending({ sale }: { sale: Transaction }) {
  const path = `/v1/transactions/${sale.id}`
  const ask = {
    title: 'Void this sale?',
    text: 'It stays in the list, and counts in no return. It cannot be completed later.',
    yes: 'Void the sale',
  }
  return (
    <div>
      <p class="quiet">A pending sale is in no return until it is completed.</p>
      {may('transactions:write') && (
        <Deeds
          of={[
            {
              name: 'Complete',
              act: () => change('POST', `${path}/complete`, { told: 'The sale is completed' }),
            },
            { name: 'Void', act: () => change('POST', `${path}/void`, { ask, told: 'The sale is voided' }) },
          ]}
        />
      )}
    </div>
  )
}
