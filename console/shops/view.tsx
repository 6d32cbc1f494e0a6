import type { RefusedOrdersAnswer, SaleorInstall } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { mistake, type PageOfRows, type PageQuery, read } from '../api.ts'
import { formatDay } from '../format.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, useTitle } from '../parts/parts.tsx'
import { PagedTable, Table } from '../parts/table.tsx'
import { counted, sentence, withSpaces } from '../words.ts'
import { ShopsToConnect } from './connect.tsx'

export { New } from './connect.tsx'

type RefusedOrder = RefusedOrdersAnswer['orders'][number]

/** The shops that are connected by Saleor, and how to connect one. */
export function View() {
  return (
    <div class="stack">
      <Read read={() => read('/v1/saleor/installs')} show={({ installs }) => <Connected of={installs} />} />
      <ShopsToConnect />
    </div>
  )
}

export const Actions = () => <AddLink to="keys" name="Create a key" first />

function Connected({ of }: { of: readonly SaleorInstall[] }) {
  if (of.length === 0) return <p class="quiet">No shop on Saleor is connected.</p>
  return (
    <Table
      caption="Shops on Saleor"
      rows={of}
      href={({ id }) => linkTo('shops', { id })}
      columns={[
        { head: 'Shop', cell: hostOf },
        { head: 'State', phone: 'figure', keep: true, cell: (shop) => <StateOf of={shop} /> },
        { head: 'Orders read until', cell: (shop) => <Moment at={shop.orders_read_until} /> },
        { head: 'Orders not recorded', number: true, cell: ({ refused_orders }) => refused_orders || null },
      ]}
    />
  )
}

/** The API has no route for one shop: the list has all of them. */
async function findShop(id: string): Promise<SaleorInstall> {
  const { installs } = await read('/v1/saleor/installs')
  const found = installs.find((each) => each.id === id)
  if (found !== undefined) return found
  throw mistake('This shop is no longer connected.', 'not_found')
}

function hostOf({ saleor_api_url }: SaleorInstall): string {
  return new URL(saleor_api_url).host
}

function StateOf({ of: { registered_at, refused_orders } }: { of: SaleorInstall }) {
  if (registered_at === null) return <Badge word="not connected yet" tone="warn" />
  if (refused_orders > 0) return <Badge word="orders missing" tone="bad" />
  return <Badge word="connected" tone="good" />
}

/** A shop, with the orders that the books lack. */
export function Record({ id }: RecordProps) {
  return <Read read={() => findShop(id)} of={[id]} show={(of) => <Inside of={of} />} />
}

function Inside({ of }: { of: SaleorInstall }) {
  const { id, saleor_api_url, registered_at, orders_read_until, orders_fault, orders_fault_at } = of
  const host = hostOf(of)
  const text = 'Its key is revoked, so the shop no longer gets taxes. Recorded sales stay.'
  const ask = { title: `Disconnect ${host}?`, text, yes: 'Disconnect' }
  const gone = { told: `${host} is disconnected`, leave: linkTo('shops') }
  const remove = () => change('DELETE', `/v1/saleor/installs/${id}`, { ask, ...gone })
  useTitle(host, <StateOf of={of} />, [of.refused_orders])
  return (
    <>
      <Facts
        of={[
          ['API address', saleor_api_url],
          ['Connected', <Moment at={registered_at} />],
          ['Orders read until', <Moment at={orders_read_until} />],
          ['Last error while reading orders', orders_fault],
          ['When', orders_fault_at && <Moment at={orders_fault_at} />],
        ]}
      />
      {of.refused_orders > 0 && (
        <Part title="Orders that could not be recorded">
          <RefusedOrders of={of} />
        </Part>
      )}
      {may('keys:write') && (
        <Part title="Disconnect it">
          <Deeds of={[{ name: 'Disconnect…', act: remove, kind: 'dangerous' }]} />
        </Part>
      )}
      <History of={id} changes={String(of.refused_orders)} />
    </>
  )
}

function RefusedOrders({ of: { id, refused_orders } }: { of: SaleorInstall }) {
  return (
    <>
      <p>
        {counted(refused_orders, 'order')} could not be recorded or updated. Fix the cause in the shop or in
        the settings. Some are tried again each hour. Or record the sale yourself with the external id below,
        and the order leaves this list.
      </p>
      <PagedTable
        caption="Orders that could not be recorded"
        of={id}
        inside
        read={(page) => readRefused(id, page)}
        columns={[
          {
            head: 'Order',
            cell: ({ number }) => number,
          },
          { head: 'Why', cell: (order) => <Reason of={order} /> },
          { head: 'Since', keep: true, cell: ({ since }) => formatDay(since) },
          {
            head: 'Dismiss',
            phone: 'figure',
            cell: (order) => may('transactions:write') && <Dismiss shop={id} of={order} />,
          },
        ]}
      />
    </>
  )
}

/** Why, and the external id of a sale that somebody records instead. */
function Reason({ of: { reason, field, order_id } }: { of: RefusedOrder }) {
  const ids = field === null ? [`saleor:${order_id}`] : [field, `saleor:${order_id}`]
  return (
    <>
      {sentence(withSpaces(reason))}
      {ids.map((id) => (
        <div>
          <code class="quiet small breaks">{id}</code>
        </div>
      ))}
    </>
  )
}

function Dismiss({ shop, of: { order_id, number } }: { shop: string; of: RefusedOrder }) {
  const path = `/v1/saleor/installs/${shop}/refused-orders/${encodeURIComponent(order_id)}`
  const text = 'It stays out of the books until the shop changes it.'
  const ask = { title: `Dismiss order ${number}?`, text, yes: 'Dismiss' }
  const act = () => change('DELETE', path, { ask, told: `Order ${number} is dismissed` })
  return <Deeds of={[{ name: 'Dismiss…', label: `Dismiss order ${number}…`, act }]} />
}

async function readRefused(id: string, { limit, cursor }: PageQuery): Promise<PageOfRows<RefusedOrder>> {
  const offset = cursor ?? '0'
  const path = '/v1/saleor/installs/{id}/refused-orders'
  const { orders, total, has_more } = await read(path, { id, limit, offset })
  return { rows: orders, total, next_cursor: has_more ? String(Number(offset) + orders.length) : null }
}
