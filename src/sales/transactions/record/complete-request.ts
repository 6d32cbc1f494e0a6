import { fieldError } from '../../../platform/errors.ts'
import type { FeeToRecord } from '../sale/fees.ts'
import type { LineBody, TransactionBody, TransactionInput } from '../sale/schemas.ts'

type Calculation = NonNullable<TransactionInput['calculation']>
type CalculatedLine = Calculation['line_items'][number]
type StatedInQuote = NonNullable<Calculation['stated']>

/**
 * A request with its lines and currency. `shipping` is beside the lines; `all_lines` has it as the last line.
 * `given`: the lines state their tax. `fees`: those that the invoice states beside its lines.
 */
type CompleteRequest = Readonly<{
  body: TransactionBody
  shipping: LineBody | null
  all_lines: readonly LineBody[]
  given: boolean
  fees: readonly FeeToRecord[]
}>

/**
 * Completes a request: a calculation that was given back becomes lines with their tax. Throws invalid_request
 * if lines or currency are missing or given twice, or if only some lines state their tax.
 */
export function completeRequest(input: TransactionInput): CompleteRequest {
  const { calculation, shipping_cost: own_shipping, fees: own_fees, ...rest } = input
  if (calculation !== undefined) refuseBoth(input)
  const line_items = rest.line_items ?? calculation?.line_items.map(lineOfCalculation)
  const currency = rest.currency ?? calculation?.currency
  if (line_items === undefined) throw fieldError('invalid_request', 'line_items', 'is required')
  if (currency === undefined) throw fieldError('invalid_request', 'currency', 'is required')
  const shipping = shippingLine(own_shipping ?? calculation?.shipping_cost ?? null)
  const all_lines = shipping === null ? line_items : [...line_items, shipping]
  const body = {
    ...rest,
    line_items,
    currency,
    jurisdiction_id: rest.jurisdiction_id ?? calculation?.jurisdiction_id,
    transaction_date: rest.transaction_date ?? calculation?.transaction_date,
    ...(calculation && sharedDiscount(calculation.line_items)),
    ...(calculation?.stated && withStated(rest, calculation.stated)),
  }
  const given = isTaxGiven(all_lines)
  const fees = own_fees ?? calculation?.fees ?? []
  if (own_fees !== undefined && !given)
    throw fieldError('invalid_request', 'fees', 'goes with lines that state their tax: else it is calculated')
  return { body, shipping, all_lines, given, fees }
}

/** The discount on the whole sale, where the lines tell it apart from their own. */
function sharedDiscount(lines: readonly CalculatedLine[]): Pick<TransactionBody, 'discount_amount'> {
  const discount_amount = lines.reduce(
    (sum, { discount = 0, stated }) => sum + Math.max(discount - (stated?.discount ?? discount), 0),
    0,
  )
  return discount_amount === 0 ? {} : { discount_amount }
}

/** What decides beside the lines: of the request, else of the calculation. */
function withStated(rest: TransactionInput, stated: StatedInQuote) {
  return {
    seller: sellerOf(rest.seller, stated.seller),
    ship_from: rest.ship_from ?? stated.ship_from,
    importer: rest.importer ?? stated.importer,
    delivery: rest.delivery ?? stated.delivery,
    marketplace: rest.marketplace ?? stated.marketplace,
    supply_address: rest.supply_address ?? stated.supply_address,
    seller_registered: rest.seller_registered ?? stated.seller_registered,
    rounding: rest.rounding ?? stated.rounding,
    local_fallback: stated.local_fallback,
    place_policy: stated.place_policy,
  }
}

/** The request may add to the seller of the calculation who that is. */
function sellerOf(
  given: TransactionInput['seller'],
  stated: StatedInQuote['seller'],
): TransactionInput['seller'] {
  if (given === undefined || stated === undefined) return given ?? stated
  return given.country === stated.country ? { ...stated, ...given } : given
}

function refuseBoth(input: TransactionInput): void {
  for (const name of ['line_items', 'currency', 'shipping_cost', 'discount_amount', 'fees'] as const)
    if (input[name] !== undefined)
      throw fieldError('invalid_request', name, 'does not go with calculation, which has its own')
}

function shippingLine(shipping: NonNullable<TransactionInput['shipping_cost']> | null): LineBody | null {
  if (shipping === null) return null
  const { amount, tax_behavior, tax_rate, tax_amount } = shipping
  return { amount, product_type: 'shipping', tax_behavior, tax_rate, tax_amount }
}

/** Of a calculated line, the fields that a recorded line has. */
function lineOfCalculation(line: CalculatedLine): LineBody {
  return {
    amount: line.amount,
    quantity: line.unit_quantity ?? line.quantity,
    unit_amount: line.unit_amount,
    product_type: line.product_type,
    ...(line.code && { code: line.code }),
    description: line.description,
    reference: line.reference,
    discount: line.stated?.discount ?? line.discount,
    tax_behavior: line.tax_behavior,
    tax_rate: line.tax_rate,
    tax_amount: line.tax_amount,
    exemption: line.exemption,
    discount_funded_by: line.discount_funded_by,
    trade_in: line.trade_in,
    bundle: line.bundle,
    ...(line.exemption_reason && { taxable: false, exemption_reason: line.exemption_reason }),
    ...(line.supply_reason && { supply: false, supply_reason: line.supply_reason }),
    ...statedOfLine(line.stated),
    found_taxable: line.taxable,
  }
}

function statedOfLine({ taxable, live, business_only }: CalculatedLine['stated'] = {}) {
  return {
    ...(taxable !== undefined && { taxable }),
    ...(live && { live }),
    ...(business_only && { business_only }),
  }
}

/** Whether the lines state their tax: all of them or no line. */
function isTaxGiven(lines: readonly LineBody[]): boolean {
  if (!lines.some((line) => isGiven(line.tax_amount) || isGiven(line.tax_rate))) return false
  const silent = lines.findIndex((line) => !isGiven(line.tax_amount))
  if (silent >= 0)
    throw fieldError(
      'invalid_request',
      `line_items[${silent}].tax_amount`,
      'is required: give the tax of every line, or of no line to have it calculated',
    )
  return true
}

export function isGiven(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}
