import { nationalGst } from './national-gst.ts'

const ELECTRONIC = 'Impl. Reg. art. 47(2)'

/** Value added tax of Saudi Arabia: VAT Law M/113, its Implementing Regulations and the GCC agreement. */
export const sa = nationalGst({
  id: 'SA',
  name: 'Saudi Arabia',
  tax: 'VAT',
  act: 'VAT Law M/113',
  checked_from: '2018-06-21',
  home: {
    within: 'art. 2',
    on_site: 'GCC Agreement art. 18, 19, 21',
    destination: 'art. 2',
    small_business: 'GCC Agreement art. 50',
  },
  exports: {
    goods: { section: 'Impl. Reg. art. 32', detail: 'Goods that leave the kingdom are zero-rated' },
    services: {
      section: 'Impl. Reg. art. 33',
      detail: 'A service to a customer outside the kingdom is zero-rated',
    },
  },
  remote: {
    digital: '2018-01-01',
    service: 'never',
    section: 'GCC Agreement art. 20; Impl. Reg. art. 24',
    detail: 'Electronic services are taxed where they are used',
    others: {
      section: 'GCC Agreement art. 15',
      detail: 'The service is supplied where the seller resides',
    },
  },
  business: {
    outcome: 'reverse_charge',
    section: 'art. 41; GCC Agreement art. 16',
    detail: 'The customer is registered and accounts for the VAT itself',
  },
  imports: {
    low_value: { since: 'never', section: 'GCC Agreement art. 39' },
    by_seller: 'GCC Agreement art. 39',
    consumer: 'GCC Agreement art. 39',
    business: 'GCC Agreement art. 39',
  },
  marketplace: [
    {
      supplies: ['digital'],
      sellers: 'abroad',
      since: '2018-01-01',
      until: '2025-04-17',
      section: ELECTRONIC,
      note: 'The marketplace may show that the seller supplies in its own name and sets the terms',
    },
    {
      supplies: ['digital', 'service'],
      sellers: 'abroad',
      since: '2025-04-18',
      section: ELECTRONIC,
      note: 'The seller accounts itself if all documents name it and the marketplace controls no terms',
    },
    {
      supplies: ['goods', 'digital', 'service', 'on_site'],
      sellers: 'unregistered',
      since: '2026-01-01',
      section: 'Impl. Reg. art. 47(3)',
      note: 'The marketplace accounts for residents without a registration; others account themselves',
    },
  ],
})
