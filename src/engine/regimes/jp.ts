import { nationalGst } from './national-gst.ts'

/** Consumption tax of Japan: Consumption Tax Act. */
export const jp = nationalGst({
  id: 'JP',
  name: 'Japan',
  tax: 'VAT',
  act: 'CTA',
  checked_from: '2018-06-21',
  home: { within: 'art. 4(1)', on_site: 'art. 4(3)', destination: 'art. 4(1)', small_business: 'art. 9(1)' },
  exports: {
    goods: { section: 'art. 7(1)(1)', detail: 'Goods that leave Japan are exempt as an export' },
    services: {
      section: 'art. 7(1)',
      detail: 'A service to a customer outside Japan is exempt as an export',
    },
    digital: {
      section: 'art. 4(3)(3)',
      detail: 'An electronic service is supplied where the customer is, outside Japan',
      reason: 'not_subject_to_tax',
    },
  },
  remote: {
    digital: '2015-10-01',
    service: 'never',
    section: 'art. 2(1)(8-3), 4(3)(3)',
    detail: 'Electronic services that are open to everybody are taxed, whoever buys them',
    others: { section: 'art. 4(3)(2)', detail: 'The service is performed outside Japan' },
  },
  business: {
    outcome: 'reverse_charge',
    by_nature: true,
    section: 'art. 2(1)(8-4), 5(1)',
    detail: 'The service is only for businesses, so the customer accounts for the tax itself',
  },
  imports: {
    low_value: { since: 'never', section: 'art. 4(2)' },
    by_seller: 'art. 4(1)',
    consumer: 'art. 4(2), 13',
    business: 'art. 4(2), 13',
  },
  marketplace: [
    {
      supplies: ['digital'],
      sellers: 'abroad',
      since: '2025-04-01',
      section: 'art. 15-2',
      note: 'This applies to marketplaces that the National Tax Agency has designated. See its list',
    },
  ],
  // Since 2023-10-01 a qualified invoice has the tax of a rate rounded once: Order, art. 70-10.
  rounding: 'document',
})
