import type { CalculateRequest } from '../client/src/schema.ts'
import written from '../plugins/carts.json' with { type: 'json' }
import table from '../plugins/doors.json' with { type: 'json' }

type FactOfSale = keyof typeof table.facts
export type Door = keyof typeof table.doors

/** A cart, the facts that decide its tax, and what the service answers to it when it is asked directly. */
export type NativeCart = {
  name: string
  facts: FactOfSale[]
  sale: CalculateRequest
  tax_amount: number
  total: number
  /** The taxes of its lines, and of its postage if it has any. */
  taxes: number[]
}

type Ask = (method: string, path: string, body: object) => Promise<Record<string, unknown>>
type AnswerOfCart = {
  tax_amount: number
  total: number
  line_items: { tax_amount: number }[]
  shipping_cost: { tax_amount: number } | null
}

/** The carts of plugins/carts.json, each with the answer of the service. Adds the customer that one names. */
export async function nativeCarts(ask: Ask): Promise<NativeCart[]> {
  const customer_id = await addReseller(ask)
  const carts: NativeCart[] = []
  for (const { name, facts, sale: asWritten } of written) {
    const own = 'customer_id' in asWritten ? { customer_id } : {}
    const sale = { ...asWritten, ...own } as CalculateRequest
    carts.push({ name, facts: facts as FactOfSale[], sale, ...(await answerTo(ask, sale)) })
  }
  return carts
}

/** What the service answers to a sale, as a cart has it. */
async function answerTo(ask: Ask, sale: object) {
  const answer = (await ask('POST', '/v1/calculate', sale)) as AnswerOfCart
  const { tax_amount, total, line_items, shipping_cost } = answer
  const taxed = [...line_items, ...(shipping_cost === null ? [] : [shipping_cost])]
  return { tax_amount, total, taxes: taxed.map((line) => line.tax_amount) }
}

/** The carts whose facts a door carries. */
export function cartsOf(door: Door, carts: readonly NativeCart[]): NativeCart[] {
  const carried: ReadonlySet<string> = new Set(table.doors[door].carried)
  return carts.filter(({ facts }) => facts.every((fact) => carried.has(fact)))
}

/** The number of the customer in the shop. */
export const RESELLER = 'the-reseller'

/** A customer with a certificate of resale in California. */
export async function addReseller(ask: Ask): Promise<string> {
  const address = { country: 'US', region: 'CA', postal_code: '94105' }
  const customer = await ask('POST', '/v1/customers', { name: 'Reseller', external_id: RESELLER, address })
  const path = `/v1/customers/${String(customer['id'])}/exemptions`
  const certificate = { exemption_type: 'resale', certificate_number: 'CA-1001', valid_from: '2020-01-01' }
  const { id } = await ask('POST', path, { jurisdiction_id: 'US-CA', ...certificate })
  await ask('PUT', `${path}/${String(id)}`, { status: 'verified' })
  return String(customer['id'])
}
