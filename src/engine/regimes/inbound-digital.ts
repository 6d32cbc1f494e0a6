import type { Region } from '../book/regions.ts'
import { type NationalGst, nationalGst } from './national-gst.ts'
import type { RegimeLaw } from './regime.ts'

/** What tells one country from another of which only digital services from abroad are covered. */
type InboundDigital = Pick<
  NationalGst,
  'name' | 'act' | 'business' | 'everybody' | 'rounding' | 'tax_unit' | 'registration'
> & {
  /** The first day on which a seller abroad charges, and the section. */
  since: `${number}-${number}-${number}`
  section: string
  /** The law on marketplaces; null: it is not on file. */
  marketplace: NationalGst['marketplace'] | null
  tax?: 'GST'
  /** The goods that are covered too. Left out: none. */
  goods?: { imports: NonNullable<NationalGst['imports']>; words: string }
}

/**
 * The law of a country of which the service knows what sellers abroad charge for digital services. Sales
 * within it, its exports, and other services are not covered: an answer says so.
 */
function inboundDigital(id: Region, country: InboundDigital): RegimeLaw {
  const { name, act, since, section, business, everybody, marketplace, goods, tax = 'VAT' } = country
  const { rounding, tax_unit, registration } = country
  return nationalGst({
    id,
    name,
    act,
    ...(tax === 'VAT' && { tax }),
    checked_from: since,
    home: null,
    exports: null,
    covers: `digital services of sellers abroad${goods === undefined ? '' : ` and ${goods.words}`}`,
    sells: goods === undefined ? ['digital'] : ['digital', 'goods'],
    remote: {
      digital: since,
      service: 'not_covered',
      section,
      detail: 'Digital services of sellers abroad are taxed where the customer is',
    },
    business,
    ...(everybody !== undefined && { everybody }),
    ...(rounding !== undefined && { rounding }),
    ...(tax_unit !== undefined && { tax_unit }),
    ...(registration !== undefined && { registration }),
    imports: goods?.imports ?? null,
    marketplace: marketplace ?? [],
    ...(marketplace === null && { marketplace_on_file: false }),
  })
}

const accountsItself = (section: string) =>
  ({
    outcome: 'reverse_charge',
    section,
    detail: 'The customer is a business and accounts for the tax itself',
  }) as const

/** Countries of which only digital services from abroad are covered. In Chile, parcels are too. */
export const INBOUND_DIGITAL = {
  TW: inboundDigital('TW', {
    name: 'Taiwan',
    act: 'Business Tax Act',
    since: '2017-05-01',
    section: 'art. 4, 6(4), 28-1',
    business: accountsItself('art. 36'),
    marketplace: null,
    // Invoices are in whole dollars, although the currency has cents.
    rounding: 'document',
    tax_unit: { currency: 'TWD', minor_units: 100 },
  }),
  CL: inboundDigital('CL', {
    name: 'Chile',
    act: 'Decreto Ley 825',
    since: '2020-06-01',
    section: 'art. 5, 8(n), 35 A',
    business: accountsItself('art. 11(e)'),
    goods: {
      words: 'goods up to $500 that they sell to consumers',
      imports: {
        low_value: { since: '2025-10-25', section: 'art. 4, 35 A' },
        by_seller: 'art. 8(a)',
        consumer: 'art. 8(a)',
        business: 'art. 8(a)',
      },
    },
    marketplace: [
      {
        supplies: ['digital', 'low_value_goods'],
        sellers: 'abroad',
        since: '2025-10-25',
        section: 'art. 3 bis',
      },
    ],
  }),
  IS: inboundDigital('IS', {
    name: 'Iceland',
    act: 'Act 50/1988',
    since: '2011-11-01',
    section: 'art. 1(3), 35',
    business: accountsItself('art. 35'),
    marketplace: [{ supplies: ['digital'], sellers: 'abroad', since: '2011-11-01', section: 'art. 35' }],
  }),
  BH: inboundDigital('BH', {
    name: 'Bahrain',
    act: 'Decree-Law 48/2018',
    since: '2019-01-01',
    section: 'art. 18',
    business: accountsItself('art. 3'),
    marketplace: null,
  }),
  OM: inboundDigital('OM', {
    name: 'Oman',
    act: 'Royal Decree 121/2020',
    since: '2021-04-16',
    section: 'art. 25',
    business: accountsItself('art. 7'),
    marketplace: null,
  }),
  TR: inboundDigital('TR', {
    name: 'Türkiye',
    act: 'VAT Law 3065',
    since: '2018-01-01',
    section: 'art. 9(1)',
    business: accountsItself('art. 9(1)'),
    marketplace: [
      {
        supplies: ['digital'],
        sellers: 'abroad',
        since: '2018-01-01',
        section: 'art. 9(1), General Communiqué',
        note: 'The marketplace accounts for the tax if it takes the price or sets the terms of the sale',
      },
    ],
  }),
  ZA: inboundDigital('ZA', {
    name: 'South Africa',
    act: 'VAT Act 1991',
    since: '2014-06-01',
    section: 's. 1 “enterprise” (b)(vi), 7',
    business: null,
    everybody: {
      since: '2025-04-01',
      note: 'A seller charges nothing if all its customers there are registered vendors (regulation 5993)',
    },
    marketplace: [
      { supplies: ['digital'], sellers: 'abroad', since: '2019-04-01', section: 's. 1 “intermediary”' },
    ],
  }),
  MY: inboundDigital('MY', {
    name: 'Malaysia',
    act: 'Service Tax Act 2018',
    tax: 'GST',
    since: '2020-01-01',
    section: 's. 56B',
    business: null,
    marketplace: [
      {
        supplies: ['digital'],
        sellers: 'abroad',
        since: '2020-01-01',
        section: 's. 2 “foreign service provider”',
      },
    ],
  }),
  MX: inboundDigital('MX', {
    name: 'Mexico',
    act: 'Ley del IVA',
    since: '2020-06-01',
    section: 'art. 1(II), 18-B',
    business: null,
    marketplace: null,
  }),
} as const satisfies Partial<Record<Region, RegimeLaw>>
