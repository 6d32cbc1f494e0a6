import { nationalGst } from './national-gst.ts'

/** Value added tax of South Korea: Value-Added Tax Act. */
export const kr = nationalGst({
  id: 'KR',
  name: 'South Korea',
  tax: 'VAT',
  scheme: 'kr_simplified',
  act: 'VAT Act',
  checked_from: '2018-06-21',
  home: { within: 'art. 19, 20', on_site: 'art. 20', destination: 'art. 4' },
  exports: {
    goods: { section: 'art. 21', detail: 'Goods that leave South Korea are zero-rated as an export' },
    services: {
      section: 'art. 22, 24',
      detail:
        'A service to a customer abroad is zero-rated. If it is performed in South Korea, check that ' +
        'it is a listed service and is paid in foreign money',
    },
  },
  remote: {
    digital: '2015-07-01',
    service: 'never',
    section: 'art. 53-2(1)',
    detail: 'Electronic services to consumers are taxed from the first sale',
    others: { section: 'art. 20(1), 52', detail: 'The service is performed outside South Korea' },
  },
  business: {
    outcome: 'not_subject_to_tax',
    section: 'art. 52, 53-2(1)',
    detail: 'A registered business is not charged. It pays by proxy only if it cannot deduct the tax',
  },
  imports: {
    low_value: { since: 'never', section: 'art. 13' },
    by_seller: 'art. 13',
    consumer: 'art. 13, 29',
    business: 'art. 13, 29',
  },
  // Open markets at home and abroad.
  marketplace: [{ supplies: ['digital'], sellers: 'abroad', since: '2015-07-01', section: 'art. 53-2(2)' }],
})
