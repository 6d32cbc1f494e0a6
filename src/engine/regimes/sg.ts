import { nationalGst } from './national-gst.ts'

/** Goods and services tax of Singapore: Goods and Services Tax Act 1993. */
export const sg = nationalGst({
  id: 'SG',
  name: 'Singapore',
  scheme: 'sg_ovr',
  act: 'GST Act 1993',
  checked_from: '2018-06-21',
  home: { within: 's. 8, 13', on_site: 's. 13', destination: 's. 8', small_business: 'sch. 1' },
  exports: {
    goods: { section: 's. 21(6), (7)', detail: 'Goods that leave Singapore are zero-rated as an export' },
    services: { section: 's. 21(3)', detail: 'A service to a customer outside Singapore is zero-rated' },
  },
  remote: {
    digital: '2020-01-01',
    service: '2023-01-01',
    section: 's. 8(1A), sch. 7',
    detail: 'Remote services to consumers are taxed',
  },
  business: {
    outcome: 'not_subject_to_tax',
    section: 's. 14, sch. 7',
    detail:
      'A seller abroad does not charge a registered business, which mostly does not account for the ' +
      'tax either',
  },
  imports: {
    low_value: { since: '2023-01-01', section: 's. 8(1A), sch. 7' },
    by_seller: 's. 8(1)',
    consumer: 's. 8(4)',
    business: 's. 8(4)',
  },
  // Operators at home and abroad; goods that already lie in Singapore stay with the seller.
  marketplace: [
    { supplies: ['digital'], sellers: 'abroad', since: '2020-01-01', section: 's. 8(1A), sch. 7' },
    { supplies: ['service'], sellers: 'abroad', since: '2023-01-01', section: 's. 8(1A), sch. 7' },
    { supplies: ['low_value_goods'], sellers: 'all', since: '2023-01-01', section: 's. 8(1A), sch. 7' },
  ],
})
