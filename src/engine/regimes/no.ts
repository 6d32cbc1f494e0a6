import { nationalGst } from './national-gst.ts'

/** Value added tax of Norway: merverdiavgiftsloven of 2009. Svalbard and Jan Mayen are abroad (§ 1-2). */
export const no = nationalGst({
  id: 'NO',
  name: 'Norway',
  tax: 'VAT',
  scheme: 'no_voec',
  act: 'mval.',
  checked_from: '2018-06-21',
  home: { within: '§ 3-1', on_site: '§ 3-1', destination: '§ 3-1', small_business: '§ 2-1(1)' },
  exports: {
    goods: { section: '§ 6-21', detail: 'Goods that leave Norway are zero-rated as an export' },
    services: { section: '§ 6-22', detail: 'A service for use outside Norway is zero-rated' },
  },
  remote: {
    digital: '2011-07-01',
    service: '2023-01-01',
    section: '§ 2-1(3), 3-30',
    detail: 'Services that can be delivered from a distance are taxed where the consumer is',
  },
  business: {
    outcome: 'reverse_charge',
    section: '§ 3-30, 11-3',
    detail: 'The customer is a business and accounts for the VAT itself',
  },
  imports: {
    low_value: { since: '2020-04-01', section: '§ 3-1(2), 2-1(3)' },
    by_seller: '§ 3-1',
    consumer: '§ 3-29',
    business: '§ 3-29',
  },
  marketplace: [
    { supplies: ['digital'], sellers: 'abroad', since: '2011-07-01', section: '§ 2-1(3)' },
    { supplies: ['low_value_goods'], sellers: 'abroad', since: '2020-04-01', section: '§ 3-1(2), 2-1(3)' },
    {
      supplies: ['service'],
      sellers: 'abroad',
      since: '2023-01-01',
      section: '§ 3-30, 2-1(3)',
      note: 'Marketplaces in Norway are certainly liable for electronic services only',
    },
  ],
})
