import { NoEncryptionKey, seal } from '../../notices/delivery/secrets.ts'
import { openSealed } from '../../notices/delivery/kept-keys.ts'
import type { KnownCustomer } from '../../parties/customers/known-customers.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { TOKEN_MAX } from './token-limit.ts'
import type { AskedCalculation } from './asked-calculation.ts'
import type { Calculated } from './calculate-with.ts'

/** A buyer pays within this time, or the shop calculates again. */
const LIFETIME_MS = 60 * 60_000

/** What a token is bound to, so that it opens nothing else that the service seals. */
const NAME = 'calculation_token'

type TokenLine = Calculated['line_items'][number]

/** Of a line of an answer, what its record needs. */
const OF_LINE = [
  'reference',
  'amount',
  'quantity',
  'unit_amount',
  'unit_quantity',
  'product_type',
  'description',
  'tax_behavior',
  'discount',
  'exemption',
  'discount_funded_by',
  'trade_in',
  'bundle',
  'exemption_reason',
  'supply',
  'supply_reason',
  'stated',
  'taxable',
  'tax_rate',
  'tax_amount',
] as const satisfies readonly (keyof TokenLine)[]

/** What a record without the field has anyway. */
const USUAL: Partial<TokenLine> = { quantity: 1, discount: 0, taxable: true }

/**
 * The answer with a token by which it is recorded as it is: what its record needs and who buys, compressed
 * and sealed for the account. So nobody reads or alters it, and nothing of it is stored. Null: the cart is
 * too large for one.
 */
export async function withToken(
  context: Context,
  asked: AskedCalculation,
  known: KnownCustomer | null,
  answer: Calculated,
): Promise<Calculated> {
  const until = context.now.getTime() + LIFETIME_MS
  const facts = { until, ...customerOf(asked, known), calculation: neededOf(answer) }
  const bytes = await through(
    new Uint8Array(new TextEncoder().encode(JSON.stringify(facts))),
    new CompressionStream('deflate-raw'),
  )
  const sealed = await seal(context.env, NAME, bytes, keyUse(context))
  const token = sealed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return { ...answer, calculation_token: token.length > TOKEN_MAX ? null : token }
}

/**
 * The request to record that a token holds: the calculation, and who buys. It still has to be checked,
 * because an earlier release may have made it. Throws invalid_request for a token that is old, altered, or
 * of another account.
 */
export async function requestOfToken(context: Context, token: string): Promise<Record<string, unknown>> {
  const { until, ...request } = await opened(context, token)
  if (!(Number(until) > context.now.getTime())) throw refusal('is older than 60 minutes')
  return request
}

async function opened(context: Context, token: string): Promise<Record<string, unknown>> {
  if (!/^[\w-]{16}\.[\w-]+\.[0-9a-f]{8}$/.test(token)) throw refusal('does not come from a calculation')
  try {
    const bytes = await openSealed(context.env, NAME, token, keyUse(context))
    const text = await through(new Uint8Array(bytes), new DecompressionStream('deflate-raw'))
    return JSON.parse(new TextDecoder().decode(text))
  } catch (thrown) {
    if (thrown instanceof NoEncryptionKey) throw thrown
    throw refusal('is of another account, or was altered')
  }
}

function refusal(why: string): Error {
  return fieldError('invalid_request', 'calculation_token', `${why}: calculate again, or send calculation`)
}

/** Each account has a key of its own. */
function keyUse({ principal }: Context): string {
  return `${NAME} of ${principal.account_id} `
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

/** A saved customer has the address of the quote, also if it moves before it pays. */
function customerOf({ customer, customer_id }: AskedCalculation, known: KnownCustomer | null) {
  const address = customer?.address ?? known?.address ?? null
  const { vat_id, vat_id_validated, type, vat_scheme } = customer ?? {}
  return {
    ...(customer_id !== null && { customer_id }),
    ...((customer !== null || address !== null) && {
      customer: {
        ...given({ address: address === null ? null : given(address), vat_id, vat_id_validated, type }),
        ...(vat_scheme !== undefined && { vat_scheme }),
      },
    }),
  }
}

function neededOf(answer: Calculated) {
  const { currency, jurisdiction_id, transaction_date, shipping_cost, fees, stated } = answer
  return given({
    currency,
    jurisdiction_id,
    transaction_date,
    line_items: answer.line_items.map(neededOfLine),
    shipping_cost: shipping_cost && {
      amount: shipping_cost.amount,
      tax_behavior: shipping_cost.tax_behavior,
      tax_rate: shipping_cost.tax_rate,
      tax_amount: shipping_cost.tax_amount,
    },
    fees:
      fees.length === 0
        ? null
        : fees.map(({ jurisdiction_id: levies, tax_amount }) => ({ jurisdiction_id: levies, tax_amount })),
    stated,
  })
}

function neededOfLine(line: TokenLine) {
  return given(
    Object.fromEntries(OF_LINE.map((name) => [name, line[name] === USUAL[name] ? null : line[name]])),
  )
}

/** The fields that have a value. */
function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )
}
