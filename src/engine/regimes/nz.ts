import { nationalGst } from './national-gst.ts'

/** Goods and services tax of New Zealand: Goods and Services Tax Act 1985. */
export const nz = nationalGst({
  id: 'NZ',
  name: 'New Zealand',
  act: 'GST Act 1985',
  checked_from: '2018-06-21',
  home: { within: 's. 8(1)', on_site: 's. 8', destination: 's. 8', small_business: 's. 51(1)' },
  consideration: { of_others: 's. 2(1), 10(2)', in_kind: 's. 10(2)(b)' },
  bundles: 's. 10(18)',
  vouchers: 's. 5(11G)',
  exports: {
    goods: { section: 's. 11(1)(a)', detail: 'Goods that leave New Zealand are zero-rated as an export' },
    services: {
      section: 's. 11A(1)(k)',
      detail: 'A service to a customer outside New Zealand is zero-rated',
    },
  },
  remote: {
    digital: 'always',
    service: 'always',
    section: 's. 8(3)(c), 8B',
    detail: 'Remote services to consumers are taxed',
  },
  business: {
    outcome: 'reverse_charge',
    section: 's. 8(4B), 8(4D)',
    detail: 'The customer is registered for GST and accounts for any tax itself',
  },
  imports: {
    low_value: { since: 'always', section: 's. 8(3)(ab), 10B' },
    by_seller: 's. 8(3)(a)',
    consumer: 's. 12',
    business: 's. 8(4E), 12',
  },
  marketplace: [
    {
      // Listed services: lodging, rides, delivered food and drink.
      supplies: [
        'accommodation',
        'passenger_transport',
        'ground_transport',
        'prepared_food',
        'service_charge',
      ],
      sellers: 'all',
      since: '2024-04-01',
      section: 's. 8C, 60C',
    },
    {
      supplies: ['digital', 'service', 'low_value_goods'],
      sellers: 'abroad',
      since: 'lawful',
      section: 's. 60C',
    },
  ],
  // A-NZ PINT, guidance GN11.
  invoices: 'pint_anz',
})
