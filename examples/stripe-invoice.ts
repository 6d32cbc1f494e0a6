import { type CalculateRequest, createClient } from 'tax-compliance'
import { type ProductTypeOrCode, toStripeTaxAmounts } from 'tax-compliance/shop'

/** Where Stripe and the service are, and the secrets for both. `stripe_url` is https://api.stripe.com. */
export type Surroundings = {
  TAX_API_URL: string
  TAX_API_KEY: string
  STRIPE_URL: string
  STRIPE_API_KEY: string
  STRIPE_WEBHOOK_SECRET: string
}

type InvoiceLine = {
  id: string
  amount: number
  quantity: number | null
  discount_amounts?: { amount: number }[] | null
  metadata: { product_type?: string }
}
type Invoice = {
  id: string
  currency: string
  customer_address: {
    country: string
    state: string | null
    postal_code: string | null
    city?: string | null
    line1?: string | null
  } | null
  customer_tax_ids?: { type: string; value: string }[] | null
  metadata?: { tax_customer_id?: string } | null
  lines: { data: InvoiceLine[] }
}

/** Older messages may be those of somebody who has listened. */
const SECONDS_MAX = 300

/**
 * A receiver of `invoice.created`: it sets the taxes of each line of a draft invoice. If the service or Stripe
 * is away, it answers 502, and Stripe sends the event again: an invoice is never finalized with a silent zero.
 */
export async function receive(request: Request, env: Surroundings): Promise<Response> {
  const body = await request.text()
  const signature = request.headers.get('Stripe-Signature') ?? ''
  if (!(await isSigned(body, signature, env.STRIPE_WEBHOOK_SECRET)))
    return new Response(null, { status: 400 })
  const { type, data }: { type: string; data: { object: Invoice } } = JSON.parse(body)
  if (type !== 'invoice.created') return new Response(null, { status: 204 })
  const invoice = data.object
  if (invoice.customer_address === null) return new Response('The customer has no address', { status: 422 })
  try {
    const tax = createClient({ baseUrl: env.TAX_API_URL, apiKey: env.TAX_API_KEY })
    const answer = await tax.calculate(saleOf(invoice, invoice.customer_address))
    const lines = toStripeTaxAmounts(answer).map((tax_amounts, index) => ({
      id: invoice.lines.data[index]?.id,
      tax_amounts,
    }))
    const updated = await fetch(`${env.STRIPE_URL}/v1/invoices/${invoice.id}/update_lines`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${env.STRIPE_API_KEY}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: formOf({ lines }),
    })
    return new Response(null, { status: updated.ok ? 204 : 502 })
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'unknown')
    return new Response(null, { status: 502 })
  }
}

const VAT_IDS = new Set(['eu_vat', 'gb_vat', 'eu_oss_vat'])

/** All that an invoice says of what decides its tax. Other taxes than VAT have ids of their own. */
function saleOf(
  { currency, customer_tax_ids, metadata, lines }: Invoice,
  { country, state, postal_code, city, line1 }: NonNullable<Invoice['customer_address']>,
): CalculateRequest {
  const vat_id = customer_tax_ids?.find(({ type }) => VAT_IDS.has(type))?.value
  return {
    currency: currency.toUpperCase(),
    ...(metadata?.tax_customer_id && { customer_id: metadata.tax_customer_id }),
    customer: {
      address: { country, region: state, postal_code, city: city ?? null, line1: line1 ?? null },
      ...(vat_id && { vat_id }),
    },
    line_items: lines.data.map((line) => ({
      amount: line.amount,
      // A quantity of 0 is that of a usage which nobody used.
      ...(line.quantity && { quantity: line.quantity }),
      product_type: (line.metadata.product_type ?? 'saas') as ProductTypeOrCode,
      ...discountOf(line),
    })),
  }
}

function discountOf({ discount_amounts }: InvoiceLine): { discount?: number } {
  const discount = (discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return discount > 0 ? { discount } : {}
}

/** Nested values as Stripe's forms name them: `lines[0][id]`. */
function formOf(value: object): URLSearchParams {
  const form = new URLSearchParams()
  const add = (name: string, each: unknown): void => {
    if (typeof each === 'object' && each !== null)
      for (const [key, inner] of Object.entries(each)) add(name === '' ? key : `${name}[${key}]`, inner)
    else if (each !== undefined) form.set(name, typeof each === 'string' ? each : JSON.stringify(each))
  }
  add('', value)
  return form
}

/** Whether Stripe has signed the body within the last minutes: HMAC-SHA256 of `time.body`. */
async function isSigned(body: string, signature: string, secret: string): Promise<boolean> {
  const parts = signature.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (Math.abs(Date.now() / 1_000 - Number(time)) > SECONDS_MAX) return false
  const text = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), hash, false, ['verify'])
  const verified = await Promise.all(
    parts
      .filter(([name]) => name === 'v1')
      .map(([, hex = '']) => {
        const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
        return crypto.subtle.verify('HMAC', key, bytes, text.encode(`${time}.${body}`))
      }),
  )
  return verified.includes(true)
}
