import { nationalGst } from './national-gst.ts'

/**
 * Value added tax of the United Arab Emirates: Federal Decree-Law 8 of 2017. No other state of the Gulf
 * implements the common agreement for it, so all are abroad. Designated zones are not seen in an address.
 */
export const ae = nationalGst({
  id: 'AE',
  name: 'United Arab Emirates',
  tax: 'VAT',
  act: 'FDL 8/2017',
  checked_from: '2018-06-21',
  home: { within: 'art. 2, 27, 29', on_site: 'art. 30', destination: 'art. 2', small_business: 'art. 13' },
  exports: {
    goods: { section: 'art. 45(1)', detail: 'Goods that leave the state are zero-rated as an export' },
    services: { section: 'art. 45(1)', detail: 'A service to a customer outside the state is zero-rated' },
    digital: {
      section: 'art. 31(1)(b)',
      detail: 'An electronic service is supplied where it is used, outside the state',
      reason: 'not_subject_to_tax',
    },
  },
  remote: {
    digital: '2018-01-01',
    service: 'never',
    section: 'art. 31',
    detail: 'Electronic services are taxed where they are used',
    others: { section: 'art. 29', detail: 'The service is supplied where the seller resides' },
  },
  business: {
    outcome: 'reverse_charge',
    section: 'art. 30(2), 48',
    detail: 'The customer is registered and accounts for the VAT itself',
  },
  imports: {
    low_value: { since: 'never', section: 'art. 48' },
    by_seller: 'art. 27(1)',
    consumer: 'art. 2(2), 27(1)(c)',
    business: 'art. 48',
  },
  marketplace: [],
})
