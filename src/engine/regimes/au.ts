import { nationalGst } from './national-gst.ts'

const EXPORT = 'A supply to a customer outside Australia is GST-free as an export'

/** Goods and services tax of Australia: A New Tax System (Goods and Services Tax) Act 1999. */
export const au = nationalGst({
  id: 'AU',
  name: 'Australia',
  act: 'GST Act 1999',
  checked_from: '2018-06-21',
  home: { within: 's. 9-5, 9-25', on_site: 's. 9-25', destination: 's. 9-5', small_business: 's. 23-15' },
  consideration: { of_others: 's. 9-15(2)', in_kind: 's. 9-75(1)(b)' },
  bundles: 's. 9-80',
  vouchers: 's. 100-5',
  exports: {
    goods: { section: 's. 38-185', detail: EXPORT },
    services: { section: 's. 38-190', detail: EXPORT },
  },
  remote: {
    digital: 'always',
    service: 'always',
    section: 's. 9-25(5)(d), 84-65',
    detail: 'Services and digital products to consumers in Australia are taxed',
  },
  business: {
    outcome: 'reverse_charge',
    section: 's. 9-25(7), div. 84',
    detail: 'The customer is a business with an ABN and accounts for the GST itself',
  },
  imports: {
    low_value: { since: 'always', section: 'subdiv. 84-C' },
    by_seller: 's. 9-25(3)',
    consumer: 'div. 13',
    business: 'div. 13',
  },
  // The operator of an electronic distribution platform.
  marketplace: [
    { supplies: ['digital'], sellers: 'abroad', since: 'lawful', section: 's. 84-55' },
    { supplies: ['low_value_goods'], sellers: 'abroad', since: 'lawful', section: 's. 84-81' },
  ],
  // A-NZ PINT, guidance GN11.
  invoices: 'pint_anz',
})
