import * as z from 'zod'
import { keysOf, recordOf } from '../../platform/kit/keys-of.ts'
import { CANADIAN_NAMES, type FormNames, type NameIn, NATIONAL_NAMES, US_NAMES } from './level-names.ts'
import { EXEMPTIONS, FROM, TO } from './schemas.ts'

const amount = z.number()
const text = z.string()
const nullable = text.nullable()

const texts = <Name extends string>(...names: readonly Name[]) => recordOf(names, text)
const nullables = <Name extends string>(...names: readonly Name[]) => recordOf(names, nullable)

const SUMS = { taxable_amount: amount, tax_collectable: amount, combined_tax_rate: amount }

/** The taxes of an order, its lines and its shipping, under the names of a form. */
function breakdownIn<Names extends FormNames>({ order, line, shipping }: Names) {
  const amounts = <Levels extends FormNames['order']>(levels: Levels) =>
    recordOf<NameIn<Levels>, typeof amount>(Object.values(levels).flat(), amount)
  return z.strictObject({
    ...SUMS,
    ...amounts<Names['order']>(order),
    line_items: z.array(z.strictObject({ id: text, ...SUMS, ...amounts<Names['line']>(line) })),
    shipping: z.strictObject({ ...SUMS, ...amounts<Names['shipping']>(shipping) }).optional(),
  })
}

/** By the country: the United States, Canada, and all others. */
const Breakdown = z.union([breakdownIn(US_NAMES), breakdownIn(CANADIAN_NAMES), breakdownIn(NATIONAL_NAMES)])

const Jurisdictions = z.strictObject({
  country: z.string(),
  state: z.string().optional(),
  county: z.string().optional(),
  city: z.string().optional(),
})

/** The tax of an order. Amounts are in the major unit of the currency, rates are fractions. */
export const TaxesAnswer = z.strictObject({
  tax: z.strictObject({
    order_total_amount: amount,
    shipping: amount,
    taxable_amount: amount,
    amount_to_collect: amount,
    rate: amount,
    has_nexus: z.boolean(),
    freight_taxable: z.boolean(),
    tax_source: z.enum(['destination', 'origin']).nullable(),
    exemption_type: z.enum(EXEMPTIONS).optional(),
    jurisdictions: Jurisdictions.optional(),
    breakdown: Breakdown.optional(),
  }),
})
export type TaxOfOrder = z.output<typeof TaxesAnswer>['tax']

/** Rates are texts, as the client for Go needs them. */
export const RatesAnswer = z.strictObject({
  rate: z.union([
    z.strictObject({
      ...texts('zip', 'state', 'state_rate', 'county', 'county_rate', 'city', 'city_rate'),
      ...texts('combined_district_rate', 'combined_rate'),
      country: text.optional(),
      country_rate: text.optional(),
      freight_taxable: z.boolean(),
    }),
    z.strictObject({
      ...texts('zip', 'state', 'country', 'combined_rate'),
      city: text.optional(),
      freight_taxable: z.boolean(),
    }),
    z.strictObject({
      ...texts('zip', 'country', 'country_rate', 'combined_rate'),
      freight_taxable: z.boolean(),
    }),
    z.strictObject({
      ...texts('country', 'name', 'distance_sale_threshold'),
      ...texts('standard_rate', 'reduced_rate', 'super_reduced_rate', 'parking_rate'),
      freight_taxable: z.boolean(),
    }),
  ]),
})

export const CategoriesAnswer = z.strictObject({
  categories: z.array(z.strictObject(texts('name', 'product_tax_code', 'description'))),
})

const Region = { ...texts('country_code', 'country'), ...nullables('region_code', 'region') }

export const NexusRegionsAnswer = z.strictObject({ regions: z.array(z.strictObject(Region)) })

export const NexusAddressesAnswer = z.strictObject({
  addresses: z.array(z.strictObject({ id: z.int(), ...texts('country', 'state', 'zip', 'city', 'street') })),
})

const LabelledRate = z.strictObject({ label: text, rate: z.number() })

export const SummaryRatesAnswer = z.strictObject({
  summary_rates: z.array(
    z.strictObject({ ...Region, minimum_rate: LabelledRate, average_rate: LabelledRate }),
  ),
})

export const ValidationAnswer = z.strictObject({
  validation: z.strictObject({
    valid: z.boolean(),
    exists: z.boolean(),
    vies_available: z.boolean(),
    vies_response: z
      .strictObject({
        ...texts('country_code', 'vat_number', 'request_date', 'name', 'address'),
        valid: z.boolean(),
      })
      .optional(),
  }),
})

export const AddressesAnswer = z.strictObject({
  addresses: z.array(
    z.strictObject({ country: text, ...recordOf(['zip', 'street', 'state', 'city'], text.optional()) }),
  ),
})

export const VerifyAnswer = z.strictObject({ valid: z.boolean(), enabled: z.boolean() })

const DocumentLine = z.strictObject({
  id: z.int(),
  quantity: z.number(),
  ...nullables('product_identifier', 'description', 'product_tax_code'),
  ...texts('unit_price', 'discount', 'sales_tax'),
})

/** Amounts are texts, as the client for Go needs them. They are null in the answer to a deletion. */
export const TransactionDocument = z.strictObject({
  ...texts('transaction_id', 'provider'),
  user_id: z.int(),
  ...nullables('transaction_date', 'transaction_reference_id', 'exemption_type', 'customer_id'),
  ...nullables(...keysOf({ ...FROM, ...TO })),
  ...nullables('amount', 'shipping', 'sales_tax'),
  line_items: z.array(DocumentLine),
})

export const CustomerAnswer = z.strictObject({
  customer: z.strictObject({
    customer_id: text,
    exemption_type: z.enum(['wholesale', 'government', 'other', 'non_exempt']),
    exempt_regions: z.array(z.strictObject({ country: text, state: text.optional() })),
    name: text,
    ...nullables('country', 'state', 'zip', 'city', 'street'),
  }),
})
export const CustomersAnswer = z.strictObject({ customers: z.array(text) })
