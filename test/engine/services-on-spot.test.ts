import { describe, expect, it } from 'vitest'
import type { VatId } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const AU = { country: 'AU' }
const DE = { country: 'DE' }
const ES = { country: 'ES' }
const FR = { country: 'FR' }
const GB = { country: 'GB' }
const NZ = { country: 'NZ' }
const CH = { country: 'CH' }
const CALIFORNIA = { country: 'US', region: 'CA' }
const ONTARIO = { country: 'CA', region: 'ON' }

const good = (country: string): VatId => ({ country, good: true, invalid: false })
const sold = (product_type: string) => [{ amount: 10_000, product_type }]
const firstLine = (words: SaleInWords) => assessed(words).lines[0]

type Row = readonly [law: string, type: string, words: Omit<SaleInWords, 'lines'>, id: string, tax: number]

const OSS = ['oss_union', 'oss_non_union']

describe('a service that consumers buy where it takes place', () => {
  const rows: readonly Row[] = [
    [
      'art. 47',
      'real_estate_services',
      { from: DE, to: FR, registrations: [...OSS, 'ES'], supply_address: ES },
      'ES',
      2_100,
    ],
    [
      'art. 54(1)',
      'live_training',
      { from: DE, to: FR, registrations: OSS, supply_address: FR },
      'FR',
      2_000,
    ],
    [
      'art. 54(1)',
      'live_training',
      { from: CALIFORNIA, to: DE, registrations: OSS, supply_address: DE },
      'DE',
      1_900,
    ],
    ['art. 54(1)', 'live_training', { from: DE, to: CH, supply_address: DE }, 'DE', 1_900],
    ['art. 54(2)(b)', 'installation_repair', { from: DE, to: CH, supply_address: DE }, 'DE', 1_900],
    ['art. 45', 'security_services', { from: DE, to: CALIFORNIA }, 'DE', 1_900],
    ['art. 47', 'real_estate_services', { from: DE, to: CALIFORNIA, supply_address: DE }, 'DE', 1_900],
    [
      'sch. 4A para. 1',
      'real_estate_services',
      { from: GB, to: CALIFORNIA, supply_address: GB },
      'GB',
      2_000,
    ],
    ['sch. 4A para. 14A', 'live_training', { from: GB, to: CALIFORNIA, supply_address: GB }, 'GB', 2_000],
    ['s. 38-190', 'live_training', { from: AU, to: CALIFORNIA, supply_address: AU }, 'AU', 1_000],
    ['s. 11A(1)(k)', 'live_training', { from: NZ, to: CALIFORNIA, supply_address: NZ }, 'NZ', 1_500],
    [
      'sch. VI pt V s. 7',
      'live_training',
      { from: ONTARIO, to: CALIFORNIA, supply_address: ONTARIO },
      'CA-ON',
      1_300,
    ],
  ]

  it.each(rows)('%s: %s is taxed there', (_, product_type, words, jurisdiction_id, tax_amount) => {
    expect(firstLine({ ...words, lines: sold(product_type) })).toMatchObject({ jurisdiction_id, tax_amount })
  })

  it('obliges a seller from abroad to register there', () => {
    const { decision } = assessed({
      from: DE,
      to: GB,
      registrations: ['DE'],
      supply_address: GB,
      lines: sold('live_training'),
    })
    expect(decision).toMatchObject({ collect: false, must_register: true })
  })

  it('is assumed at the seller, with a note, if nobody says where', () => {
    const { lines, notes } = assessed({ from: DE, to: FR, lines: sold('installation_repair') })
    expect(lines[0]).toMatchObject({ jurisdiction_id: 'DE', tax_amount: 1_900 })
    expect(notes.join()).toContain(
      'The place of installation and repair is unknown, so the place of the seller',
    )
  })

  it('is not told to be unknown if seller and customer are in one place', () => {
    expect(assessed({ from: DE, to: DE, lines: sold('live_training') }).notes.join()).not.toContain(
      'is unknown',
    )
  })
})

describe('the same service to a business', () => {
  const french = { address: FR, type: 'business' as const, vat_id: good('FR') }

  it('is taxed where the business is if it is performed: art. 44', () => {
    const words = { from: DE, to: FR, customer: french, supply_address: ES }
    expect(firstLine({ ...words, lines: sold('live_training') })).toMatchObject({
      jurisdiction_id: 'FR',
      taxability_reason: 'reverse_charge',
    })
  })

  it('is taxed where the property lies if it is connected with land: art. 47', () => {
    const words = { from: DE, to: FR, registrations: ['ES'], customer: french, supply_address: ES }
    expect(firstLine({ ...words, lines: sold('real_estate_services') })).toMatchObject({
      jurisdiction_id: 'ES',
      tax_amount: 2_100,
    })
  })

  it('leaves the tax on British land to a customer that is registered there: VATA 1994, s. 8', () => {
    const customer = { address: GB, type: 'business' as const, vat_id: good('GB') }
    const words = { from: DE, to: GB, customer, supply_address: GB, currency: 'GBP' }
    expect(firstLine({ ...words, lines: sold('real_estate_services') })?.taxability_reason).toBe(
      'reverse_charge',
    )
  })

  it('is free for a business outside the Union, which has no id of it: Reg. (EU) 282/2011, art. 18(3)', () => {
    const customer = { address: CALIFORNIA, type: 'business' as const, vat_id: null }
    const words = { from: DE, to: CALIFORNIA, customer, supply_address: DE }
    expect(firstLine({ ...words, lines: sold('live_training') })?.tax_amount).toBe(0)
  })
})

describe('a service of art. 59', () => {
  it.each(['professional_services', 'legal_services', 'accounting_services', 'engineering_services'])(
    'leaves the Union with a consumer abroad: %s',
    (product_type) => {
      for (const from of [DE, GB])
        expect(firstLine({ from, to: CH, lines: sold(product_type) })?.tax_amount).toBe(0)
    },
  )

  it('is told apart from other services of the same sale', () => {
    const lines = [...sold('legal_services'), ...sold('security_services')]
    expect(assessed({ from: DE, to: CH, lines }).lines.map((line) => line.tax_amount)).toEqual([0, 1_900])
  })
})
