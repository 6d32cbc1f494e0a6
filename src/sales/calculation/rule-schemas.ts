import * as z from 'zod'
import { SellerRequest } from '../../parties/accounts/seller-field.ts'
import {
  AddressRequest,
  Country,
  Currency,
  MomentOrDay,
  Money,
  NotNegativeMoney,
  text,
} from '../../platform/http/fields.ts'
import { Importer, LawRegion, ProductTypeOrCode } from '../../platform/http/tax-enums.ts'
import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import { CustomerId, MarketplaceRequest, SaleCustomerRequest } from './schemas.ts'

const Jurisdiction = text(40).describe('The id of a jurisdiction, such as `FR` or `US-CA`')
const Day = MomentOrDay.describe(
  'The day whose law applies, in the time zone of the account. Left out: today there',
)

export const RatesQuery = z.strictObject({
  jurisdiction: Jurisdiction.optional(),
  region: z
    .enum([...FACTS_REGIONS, 'US-TAX'])
    .transform((region) => (region === 'US-TAX' ? 'US' : region))
    .optional()
    .describe('All rates of a region; `US-TAX` is the same as `US`'),
  date: Day.optional(),
  product_type: ProductTypeOrCode.optional().describe('Only the rates for this product'),
  country: Country.optional().describe('With `postal_code`: the country of the address'),
  postal_code: text(20)
    .optional()
    .describe('In place of `jurisdiction`; `94105-1234` gives the local taxes of the address too'),
  city: text(200).optional().describe('With `postal_code`: the city of the address'),
  data_version: text(60).optional().describe('An earlier version of the tax data'),
})

export const ThresholdsQuery = z.strictObject({
  jurisdiction: Jurisdiction.optional(),
  region: LawRegion.optional().describe('The thresholds of a region'),
  type: text(40).optional().describe('Such as `DISTANCE_SALES` or `REMOTE_SELLER_NEXUS`'),
  date: Day.optional(),
})

const SALES_COUNT = { amount: NotNegativeMoney, transaction_count: z.int().min(0).max(1_000_000_000_000) }

export const RecordedSalesRequest = z.strictObject({
  ...SALES_COUNT,
  currency: Currency,
  last_3_months: z
    .strictObject(SALES_COUNT)
    .optional()
    .describe('Those of the last 3 months, for a place that has a limit for them beside that of a year'),
})

export const DecisionRequest = z.strictObject({
  jurisdiction_id: text(40)
    .optional()
    .describe('Where the sale is taxed. Left out: the jurisdiction of the address'),
  seller: SellerRequest.optional(),
  seller_registered: z.boolean().nullish(),
  customer_id: CustomerId.nullish(),
  customer: SaleCustomerRequest.optional(),
  ship_from: AddressRequest.nullish().describe(
    'Where the goods leave from. Left out: the place of the seller',
  ),
  importer: Importer.nullish(),
  supply_address: AddressRequest.nullish().describe(
    'The place of an event, of a property or of a service that is taxed where it takes place. Left out: ' +
      'the jurisdiction in question',
  ),
  marketplace: MarketplaceRequest.nullish(),
  product_type: ProductTypeOrCode.optional(),
  amount: Money.optional().describe('The price, in minor units of `currency`'),
  currency: Currency.optional(),
  date: MomentOrDay.optional().describe('Left out: today'),
  sales: RecordedSalesRequest.optional().describe(
    'Sales into the jurisdiction in the period of its threshold. Left out: the recorded transactions',
  ),
})
export type DecisionBody = z.output<typeof DecisionRequest>
