import { nationalGst } from './national-gst.ts'

const OPERATOR = 'CGST Act 2017, s. 9(5)'

/**
 * Integrated tax of India on online services from abroad: IGST Act 2017. The tax within the country needs the
 * states of both parties and the heading of the goods, which are not on file.
 */
export const india = nationalGst({
  id: 'IN',
  name: 'India',
  scheme: 'in_oidar',
  act: 'IGST Act 2017',
  checked_from: '2018-06-21',
  home: null,
  sells: ['digital', 'service'],
  covers: 'online services and other services from abroad, imports and exports',
  exports: {
    goods: { section: 's. 16', detail: 'Goods that leave India are zero-rated as an export' },
    services: { section: 's. 2(6), 16', detail: 'A service that is paid in foreign money is an export' },
  },
  remote: {
    digital: '2017-07-01',
    service: 'never',
    section: 's. 13(12), 14(1)',
    detail: 'Online services to customers without a registration are taxed',
    others: {
      section: 'notification 9/2017, entry 10',
      detail: 'A service from abroad for private use is exempt',
    },
  },
  business: {
    outcome: 'reverse_charge',
    section: 's. 5(3)',
    detail: 'The customer is registered and accounts for the tax itself',
  },
  imports: {
    low_value: { since: 'never', section: 's. 5(1)' },
    by_seller: 's. 5(1)',
    consumer: 's. 5(1)',
    business: 's. 5(1)',
  },
  marketplace: [
    {
      supplies: ['digital'],
      sellers: 'abroad',
      since: '2017-07-01',
      section: 's. 14(1)',
      note: 'An intermediary that only arranges, and is named so on the invoice, is not the supplier',
    },
    { supplies: ['ground_transport'], sellers: 'home', since: '2017-07-01', section: OPERATOR },
    { supplies: ['accommodation'], sellers: 'unregistered', since: '2017-07-01', section: OPERATOR },
    {
      supplies: ['prepared_food'],
      sellers: 'home',
      since: '2022-01-01',
      section: OPERATOR,
      note: 'Restaurants in hotels with rooms above ₹7,500 account for their meals themselves',
    },
    { supplies: ['installation_repair'], sellers: 'unregistered', since: '2017-08-22', section: OPERATOR },
    { supplies: ['shipping'], sellers: 'unregistered', since: '2025-09-22', section: OPERATOR },
  ],
})
