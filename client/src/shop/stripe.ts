import type { CalculateAnswer } from '../schema.ts'

/** A tax of an invoice's line, as `tax_amounts` of Stripe's `invoices.addLines` and `updateLines` take it. */
export type StripeTaxAmount = {
  /** In minor units, as all amounts of Stripe. */
  amount: number
  taxable_amount: number
  taxability_reason: string
  tax_rate_data: {
    display_name: string
    /** 19 is 19 %, with at most four digits after the point. */
    percentage: number
    inclusive: boolean
    country: string
    state?: string
    jurisdiction: string
    jurisdiction_level: 'city' | 'country' | 'county' | 'district' | 'multiple' | 'state'
    tax_type?: string
  }
}

type Line = CalculateAnswer['line_items'][number]
type Tax = Line['tax_breakdown'][number]

/** Our reasons that Stripe does not have, by the one of Stripe that says the same of the seller's tax. */
const REASONS: Readonly<Record<string, string>> = {
  intra_community_supply: 'reverse_charge',
  export: 'zero_rated',
  marketplace_collects: 'not_collecting',
  seller_accounts: 'not_collecting',
  small_business: 'not_collecting',
  not_a_supply: 'not_subject_to_tax',
  own_rate: 'standard_rated',
}

/** The taxes that Stripe has a word for. Others are left out, because a wrong word is worse than none. */
const TAX_TYPES: ReadonlySet<string> = new Set([
  'vat',
  'gst',
  'hst',
  'pst',
  'qst',
  'rst',
  'sales_tax',
  'communications_tax',
  'retail_delivery_fee',
])

/**
 * The taxes of each line of an answer, in the order of its lines, for the lines of a Stripe invoice. The
 * amounts of a line add up to its `tax_amount`. A line without tax has one entry of 0, which says why.
 * Shipping comes last, if the answer has it. Throws a RangeError if the taxes of a line do not add up, or a
 * fee is on the sale: it is a line of its own on an invoice.
 */
export function toStripeTaxAmounts(answer: CalculateAnswer): StripeTaxAmount[][] {
  if (answer.fees.length > 0)
    throw new RangeError('The sale has a fee: add a line for it to the invoice before you convert')
  const { line_items, shipping_cost } = answer
  return [...line_items, ...(shipping_cost === null ? [] : [shipping_cost])].map((line) =>
    taxesOf(answer, line),
  )
}

function taxesOf(
  answer: CalculateAnswer,
  line: Pick<Line, 'tax_amount' | 'tax_behavior' | 'tax_breakdown' | 'taxability_reason'>,
): StripeTaxAmount[] {
  const inclusive = line.tax_behavior === 'inclusive'
  const taxability_reason = reasonOf(line.taxability_reason)
  const named = (tax: Tax): StripeTaxAmount => ({
    amount: tax.tax_amount,
    taxable_amount: tax.taxable_amount,
    taxability_reason,
    tax_rate_data: rateDataOf(answer, tax, inclusive),
  })
  const taxes = line.tax_breakdown.map(named)
  if (taxes.reduce((sum, { amount }) => sum + amount, 0) !== line.tax_amount)
    throw new RangeError('The taxes of a line do not add up to its tax')
  return taxes.length > 0 ? taxes : [untaxed(answer, taxability_reason, inclusive)]
}

function reasonOf(reason: Line['taxability_reason']): string {
  return reason === null ? 'standard_rated' : (REASONS[reason] ?? reason)
}

function rateDataOf(answer: CalculateAnswer, tax: Tax, inclusive: boolean): StripeTaxAmount['tax_rate_data'] {
  const tax_type = tax.tax_type.toLowerCase()
  const place = placeOf(answer, tax.jurisdiction_id)
  const words = tax.tax_type.length > 4 ? wordsOf(tax_type) : tax.tax_type
  return {
    display_name: `${place.jurisdiction} ${words}`,
    percentage: Math.round(tax.rate * 1_000_000) / 10_000,
    inclusive,
    ...place,
    ...(TAX_TYPES.has(tax_type) && { tax_type }),
  }
}

function wordsOf(tax_type: string): string {
  const words = tax_type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Place = Pick<
  StripeTaxAmount['tax_rate_data'],
  'country' | 'state' | 'jurisdiction' | 'jurisdiction_level'
>

/** A place by its id: a country, a state, or one of the local parts of the answer. */
function placeOf({ local, jurisdiction_id, jurisdiction_name }: CalculateAnswer, id: string): Place {
  const [country = id, region] = id.split('-')
  const part = local?.parts.find((each) => each.id === id)
  const name = part?.name ?? (id === jurisdiction_id ? jurisdiction_name : id)
  const state = region === undefined ? {} : { state: region }
  if (region === undefined) return { country, jurisdiction: name, jurisdiction_level: 'country' }
  if (part !== undefined)
    return { country, ...state, jurisdiction: name, jurisdiction_level: levelOf(part.type) }
  // The tax of a state contains the local taxes of the address.
  const jurisdiction_level = (local?.rate ?? 0) > 0 ? 'multiple' : 'state'
  return { country, ...state, jurisdiction: name, jurisdiction_level }
}

function levelOf(type: string): Place['jurisdiction_level'] {
  return type === 'county' || type === 'city' ? type : 'district'
}

function untaxed(answer: CalculateAnswer, taxability_reason: string, inclusive: boolean): StripeTaxAmount {
  return {
    amount: 0,
    taxable_amount: 0,
    taxability_reason,
    tax_rate_data: {
      display_name: 'No tax',
      percentage: 0,
      inclusive,
      ...placeOf(answer, answer.jurisdiction_id),
    },
  }
}
