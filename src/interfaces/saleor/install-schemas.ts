import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'

export const SaleorInstallRequest = z.strictObject({
  saleor_api_url: text(2_048).describe(
    'The address of the GraphQL API of the shop, such as `https://shop.example.com/graphql/`',
  ),
})

const SALEOR_INSTALL = {
  id: z.string(),
  saleor_api_url: z.string().describe('The URL of the shop API'),
  key_id: z.string().describe('The key with which the shop is answered. Without it, the shop gets no taxes'),
  registered_at: Timestamp.nullable().describe('When the shop was registered; null: not yet'),
  token_expires_at: Timestamp.describe('Until when the link registers the shop'),
  orders_read_until: Timestamp.nullable().describe(
    'Orders that changed before this were read from the shop: the books have them, but for the refused ' +
      'ones; null: not yet',
  ),
  orders_fault: z
    .string()
    .nullable()
    .describe('Why orders were not read, the last time that this was so; null: never'),
  orders_fault_at: Timestamp.nullable().describe('When that was; null: never'),
  refused_orders: z.int().describe('How many orders could not be recorded, and are not dismissed'),
  created_at: Timestamp,
}

export const SaleorInstall = z.strictObject(SALEOR_INSTALL)

export const NewSaleorInstallAnswer = z.strictObject({
  ...SALEOR_INSTALL,
  manifest_url: z
    .string()
    .nullable()
    .describe(
      'The address of the manifest, for the dashboard of the shop. Registers the shop once. ' +
        'Shown once: null if an Idempotency-Key replays the answer',
    ),
  queried_at: Timestamp,
})

export const SaleorInstallsAnswer = z.strictObject({
  installs: z.array(SaleorInstall).describe('At most 20, the oldest first'),
  queried_at: Timestamp,
})

export const RefusedOrdersQuery = z.strictObject(pageFields(200))

/** An order that could not be recorded, or not its last change. */
const RefusedOrder = z.strictObject({
  order_id: z.string().describe("The order's id in Saleor"),
  number: z.string().describe('The number that the shop shows'),
  reason: z.string().describe('A reason of docs/errors'),
  field: z.string().nullable().describe('The field of the order that the reason is about'),
  since: Timestamp.describe('When it was refused first'),
  tried_at: Timestamp.describe('When it was tried last'),
})

export const RefusedOrdersAnswer = z.strictObject({
  orders: z.array(RefusedOrder).describe('The newest first'),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

export const DismissedOrderAnswer = z.strictObject({
  order_id: z.string().describe("The order's id in Saleor"),
  dismissed: z.literal(true).describe('The order is off the list'),
  queried_at: Timestamp,
})
