import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import {
  ApiError,
  type CalculateAnswer,
  type CalculateRequest,
  createClient,
  type ProductTypeOrCode,
} from 'tax-compliance'

/** Secrets of the Worker: `wrangler secret put TAX_API_KEY`. */
type Shop = { Bindings: { TAX_API_URL: string; TAX_API_KEY: string } }
type Product = { title: string; price: number; product_type: ProductTypeOrCode }
/** The request of an agent: products, and where the buyer is. */
type Cart = { line_items: { item: { id: string }; quantity: number }[]; context?: Place }
type Place = { address_country?: string; address_region?: string; postal_code?: string }
type Message = { type: 'error' | 'info'; code: string; content: string; path?: string; severity?: string }
type Session = { cart: Cart; answer: CalculateAnswer | null; messages: Message[]; completed: boolean }

/** The shop's own catalogue and sessions: keep them in your database. */
const CATALOGUE: Readonly<Record<string, Product>> = {
  jacket: { title: 'Denim jacket', price: 12_900, product_type: 'clothing' },
  course: { title: 'Sewing course, recorded', price: 4_900, product_type: 'recorded_training' },
}
const sessions = new Map<string, Session>()

/**
 * A checkout for agents by the Universal Commerce Protocol (https://ucp.dev), REST. Each session has its tax,
 * and says why. A session whose tax nobody knows is incomplete: no rate is guessed. Amounts are in minor units,
 * in the protocol too.
 */
export const agentic = new Hono<Shop>()

agentic.post('/checkout-sessions', async (c) => {
  const id = crypto.randomUUID()
  sessions.set(id, await quoted(c, await c.req.json<Cart>()))
  return c.json(shown(id), 201)
})

agentic.get('/checkout-sessions/:id', (c) => c.json(shown(c.req.param('id'))))

agentic.put('/checkout-sessions/:id', async (c) => {
  const id = c.req.param('id')
  if (!sessions.get(id)?.completed) sessions.set(id, await quoted(c, await c.req.json<Cart>()))
  return c.json(shown(id))
})

/** After the payment, which is no subject here. The token records what the buyer saw, and once for each id. */
agentic.post('/checkout-sessions/:id/complete', async (c) => {
  const id = c.req.param('id')
  const session = sessions.get(id)
  const calculation_token = session?.answer?.calculation_token
  if (!session || !calculation_token) return c.json(shown(id), 409)
  await taxOf(c).transactions.create({ calculation_token, external_id: id }, { idempotencyKey: id })
  session.completed = true
  return c.json(shown(id))
})

function taxOf({ env }: Context<Shop>) {
  return createClient({ baseUrl: env.TAX_API_URL, apiKey: env.TAX_API_KEY })
}

async function quoted(c: Context<Shop>, cart: Cart): Promise<Session> {
  const { address_country: country, address_region: region, postal_code } = cart.context ?? {}
  const open = (message: Message): Session => ({ cart, answer: null, messages: [message], completed: false })
  if (!country)
    return open(fault('address_required', 'The tax needs the country of the buyer', 'requires_buyer_input'))
  const request: CalculateRequest = {
    currency: 'EUR',
    customer: { address: { country, ...(region && { region }), ...(postal_code && { postal_code }) } },
    line_items: cart.line_items.map(({ item, quantity }) => {
      const { title, price, product_type } = productOf(item.id)
      return { unit_amount: price, quantity, product_type, description: title }
    }),
    calculation_token: true,
  }
  try {
    const answer = await taxOf(c).calculate(request)
    return { cart, answer, messages: reasonsOf(answer), completed: false }
  } catch (error) {
    // A wrong address is for the buyer to mend. Anything else may pass, and no guess takes its place.
    const wrong = error instanceof ApiError && error.error_code === 'VALIDATION_ERROR'
    const content = wrong ? error.message : 'The tax is not known at the moment. Try again'
    return open(fault(wrong ? 'address_invalid' : 'tax_unavailable', content, 'recoverable'))
  }
}

function fault(code: string, content: string, severity: string): Message {
  return { type: 'error', code, content, severity, path: '$.context' }
}

/** Why a line has this tax, or none. */
function reasonsOf({ line_items }: CalculateAnswer): Message[] {
  return line_items.flatMap(({ reason_detail }, index) =>
    reason_detail === null
      ? []
      : [
          {
            type: 'info' as const,
            code: 'tax_reason',
            content: reason_detail,
            path: `$.line_items[${index}]`,
          },
        ],
  )
}

/** The session in the form of the protocol. Without an answer it has no tax and no total. */
function shown(id: string) {
  const session = sessions.get(id)
  if (session === undefined) throw new HTTPException(404, { message: `Session ${id} is unknown` })
  const { cart, answer, messages, completed } = session
  const status = completed ? 'completed' : answer === null ? 'incomplete' : 'ready_for_complete'
  const lines = cart.line_items.map(({ item, quantity }, index) => {
    const { title, price } = productOf(item.id)
    const totals = totalsOf(answer?.line_items[index], price * quantity)
    return { id: `line_${index + 1}`, item: { id: item.id, title, price }, quantity, totals }
  })
  const items = cart.line_items.reduce(
    (sum, { item, quantity }) => sum + productOf(item.id).price * quantity,
    0,
  )
  return {
    ucp: {
      version: '2026-01-11',
      capabilities: [{ name: 'dev.ucp.shopping.checkout', version: '2026-01-11' }],
    },
    id,
    status,
    currency: 'EUR',
    line_items: lines,
    totals: totalsOf(answer && { net_amount: answer.subtotal, tax_amount: answer.tax_amount }, items),
    messages,
    links: [{ type: 'terms_of_service', url: 'https://shop.example/terms' }],
    ...(completed && { order: { id, permalink_url: `https://shop.example/orders/${id}` } }),
  }
}

function totalsOf(taxed: { net_amount: number; tax_amount: number } | null | undefined, price: number) {
  if (!taxed) return [{ type: 'subtotal', amount: price }]
  const { net_amount, tax_amount } = taxed
  return [
    { type: 'subtotal', amount: net_amount },
    { type: 'tax', amount: tax_amount },
    { type: 'total', amount: net_amount + tax_amount },
  ]
}

function productOf(id: string): Product {
  const product = CATALOGUE[id]
  if (product === undefined)
    throw new HTTPException(404, { message: `Product ${id} is not in the catalogue` })
  return product
}
