import type { Kind } from './second-books.ts'

/** Addresses, and businesses whose numbers pass the check of their digits. */
const LONDON = { country: 'GB', postal_code: 'SW1A 1AA' }
const BELFAST = { country: 'GB', postal_code: 'BT1 5GS' }
const NEW_YORK = { country: 'US', region: 'NY', postal_code: '10001' }
const consumer = (country: string) => ({ customer: { address: { country } } })
const at = (address: object) => ({ customer: { address } })
const business = (country: string, vat_id: string) => ({
  customer: { address: { country }, type: 'business', vat_id },
})
const FRENCH = business('FR', 'FR40303265045')

const kind = (
  name: string,
  currency: Kind['currency'],
  product_type: string,
  rate: number,
  sale: Kind['sale'],
  more: Partial<Kind> = {},
): Kind => ({ name, currency, product_type, rate, sale, ...more })

/** What a state of the one-stop shop declares of a kind of sale. */
const oss = (state: string, of: 'goods' | 'services', rate: string): Partial<Kind> => ({
  net: [`OSS ${state}.${of}.${rate} net`],
  tax: [`OSS ${state}.${of}.${rate} tax`],
  corrected: `OSS ${state} 2026-Q2`,
})

const GOODS = 'physical_goods'
const VAT_1_6 = { net: ['VAT100 6'], tax: ['VAT100 1'] }
const FROM_LONDON = { ship_from: LONDON }
const FROM_BELFAST = { ship_from: BELFAST }

/** A seller in Ireland with a stock in Great Britain and one in Northern Ireland. */
export const IRISH: readonly Kind[] = [
  kind('at home', 'EUR', GOODS, 23_000, consumer('IE'), { tax: ['VAT3 T1'] }),
  kind('books at home', 'EUR', 'books', 0, consumer('IE')),
  kind('services at home in dollars', 'USD', 'saas', 23_000, consumer('IE'), { tax: ['VAT3 T1'] }),
  kind('to a business in France', 'EUR', GOODS, 0, FRENCH, { net: ['VAT3 E1', 'ESL FR40303265045 goods'] }),
  kind('services to it', 'EUR', 'saas', 0, FRENCH, { net: ['VAT3 ES1', 'ESL FR40303265045 services'] }),
  kind('to France', 'EUR', GOODS, 20_000, consumer('FR'), oss('FR', 'goods', '0.2')),
  kind('services to France in dollars', 'USD', 'saas', 20_000, consumer('FR'), oss('FR', 'services', '0.2')),
  kind('books to France', 'EUR', 'books', 5_500, consumer('FR'), oss('FR', 'goods', '0.055')),
  kind('to Germany', 'EUR', GOODS, 19_000, consumer('DE'), oss('DE', 'goods', '0.19')),
  kind('to Northern Ireland', 'EUR', GOODS, 20_000, at(BELFAST), oss('XI', 'goods', '0.2')),
  kind('exported from Ireland', 'EUR', GOODS, 0, at(NEW_YORK)),
  kind('within Great Britain', 'GBP', GOODS, 20_000, { ...FROM_LONDON, ...at(LONDON) }, VAT_1_6),
  kind('books there', 'GBP', 'books', 0, { ...FROM_LONDON, ...at(LONDON) }, { net: ['VAT100 6'] }),
  kind(
    'clothes of children there',
    'GBP',
    'children_clothing',
    0,
    { ...FROM_LONDON, ...at(LONDON) },
    {
      net: ['VAT100 6'],
    },
  ),
  kind(
    'energy there',
    'GBP',
    GOODS,
    5_000,
    { ...FROM_LONDON, ...at(LONDON) },
    { ...VAT_1_6, states_tax: true },
  ),
  kind('services there', 'GBP', 'saas', 20_000, at(LONDON), VAT_1_6),
  kind('services there in dollars', 'USD', 'saas', 20_000, at(LONDON), VAT_1_6),
  kind('exported from there', 'GBP', GOODS, 0, { ...FROM_LONDON, ...at(NEW_YORK) }, { net: ['VAT100 6'] }),
  kind(
    'from Northern Ireland to a business in France',
    'GBP',
    GOODS,
    0,
    { ...FROM_BELFAST, ...FRENCH },
    {
      net: ['VAT100 6', 'VAT100 8'],
    },
  ),
]

/** A seller in Germany. */
export const GERMANS: readonly Kind[] = [
  kind('at home', 'EUR', GOODS, 19_000, consumer('DE'), { net: ['USt 81'], tax: ['USt due'] }),
  kind('books at home', 'EUR', 'books', 7_000, consumer('DE'), { net: ['USt 86'], tax: ['USt due'] }),
  kind('services at home in dollars', 'USD', 'saas', 19_000, consumer('DE'), {
    net: ['USt 81'],
    tax: ['USt due'],
  }),
  kind('to a business in France', 'EUR', GOODS, 0, FRENCH, { net: ['USt 41', 'ESL FR40303265045 goods'] }),
  kind('services to it', 'EUR', 'saas', 0, FRENCH, { net: ['USt 21', 'ESL FR40303265045 services'] }),
  ...(
    [
      ['FR', GOODS, 'goods', '0.2', 20_000],
      ['FR', 'books', 'goods', '0.055', 5_500],
      ['AT', GOODS, 'goods', '0.2', 20_000],
      ['IE', GOODS, 'goods', '0.23', 23_000],
    ] as const
  ).map(([state, product_type, of, rate, points]) => {
    const figures = oss(state, of, rate)
    return kind(`${product_type} to ${state}`, 'EUR', product_type, points, consumer(state), {
      ...figures,
      net: [...(figures.net ?? []), 'USt 45'],
    })
  }),
  kind('exported', 'EUR', GOODS, 0, at(NEW_YORK), { net: ['USt 43'] }),
  kind('services to the United States', 'EUR', 'saas', 0, at(NEW_YORK), { net: ['USt 45'] }),
]

/** What a state's return takes of a taxed sale. */
const state = (id: string): Partial<Kind> => ({ net: [`${id} gross`, `${id} taxable`], tax: [`${id} tax`] })
const to = (region: string, postal_code: string) => at({ country: 'US', region, postal_code })
const american = (
  name: string,
  product_type: string,
  rate: number,
  sale: Kind['sale'],
  more: Partial<Kind>,
) => kind(name, 'USD', product_type, rate, sale, { ...more, at_home: true })

const RESALE = { exemption_type: 'resale', certificate_number: 'KY-1', jurisdictions: ['US-KY'] }

/** A seller in Indiana, registered in three more states. None of them has local taxes. */
export const AMERICAN: readonly Kind[] = [
  american('at home', GOODS, 7_000, to('IN', '46204'), state('US-IN')),
  american('to New Jersey', GOODS, 6_625, to('NJ', '07102'), state('US-NJ')),
  american('clothing to New Jersey', 'clothing', 0, to('NJ', '07102'), { net: ['US-NJ gross'] }),
  american('to Kentucky', GOODS, 6_000, to('KY', '40202'), state('US-KY')),
  american('for resale in Kentucky', GOODS, 0, to('KY', '40202'), {
    net: ['US-KY gross'],
    line: { exemption: RESALE },
  }),
  american('to Michigan', GOODS, 6_000, to('MI', '48226'), {
    ...state('US-MI'),
    untaxed_postage: ['US-MI gross'],
  }),
  american('to a state without a registration', GOODS, 0, to('WA', '98101'), {}),
]
