import { nationalGst } from './national-gst.ts'

/**
 * Value added tax of Switzerland (MWSTG, SR 641.20) and of Liechtenstein, which has the same law by the
 * treaty of 1994. They are one area, with Büsingen (art. 3(a)), and foreign sellers register once for it.
 */
export const ch = nationalGst({
  id: 'CH',
  name: 'Switzerland and Liechtenstein',
  tax: 'VAT',
  countries: ['CH', 'LI'],
  // MWSTG, art. 4.
  outside_for_goods: ['CH-X-SAMNAUN'],
  act: 'MWSTG',
  checked_from: '2018-06-21',
  home: {
    within: 'art. 7, 8, 18',
    on_site: 'art. 8(2)',
    destination: 'art. 18',
    small_business: 'art. 10(2)(a)',
  },
  exports: {
    goods: { section: 'art. 23(2)(1)', detail: 'Goods that leave the area are exempt as an export' },
    services: {
      section: 'art. 8(1)',
      detail: 'A service is supplied where the customer is, outside the area',
      reason: 'not_subject_to_tax',
    },
  },
  remote: {
    digital: 'always',
    service: 'registered',
    section: 'art. 8(1), 10(2)(b)',
    detail: 'A service is supplied where the customer is',
    others: {
      section: 'art. 10(2)(b), 45(2)(b)',
      detail: 'An unregistered seller charges no tax. Above CHF 10,000 a year consumers declare it',
    },
  },
  business: {
    outcome: 'reverse_charge',
    unless_registered: true,
    section: 'art. 45(1)(a), (2)(a)',
    detail: 'The seller is not registered, so its registered customer accounts for the acquisition tax',
  },
  imports: {
    low_value: { since: 'always', section: 'art. 7(3)(b); MWSTV art. 4a', of: 'registered' },
    by_seller: 'art. 7(3)(a)',
    consumer: 'art. 7(1)(b), 50',
    business: 'art. 7(1)(b), 50',
  },
  marketplace: [
    {
      supplies: ['goods'],
      sellers: 'all',
      since: '2025-01-01',
      section: 'art. 20a',
      note: 'For goods from abroad the marketplace accounts once it is liable itself, which no request says',
    },
  ],
})
