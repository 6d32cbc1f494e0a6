import { describe, expect, it } from 'vitest'
import { findRegion, regionsOf } from '../../../src/platform/http/subdivisions.ts'
import { findPlace } from '../../../src/engine/supply/place.ts'
import { openRateBook } from '../../../src/engine/book/rate-book.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData, testFacts } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ scopes: ['tax:read'] })
const validate = async (address: object) =>
  (await call('POST', '/v1/addresses/validate', { key, body: { address } })).body

describe('POST /v1/addresses/validate', () => {
  it('brings an address into its usual form, and says what it changed', async () => {
    expect(
      await validate({
        country: 'us',
        region: 'california',
        postal_code: '941051234',
        city: '  San   Francisco ',
        line1: '1 Market St',
      }),
    ).toMatchObject({
      valid: true,
      address: {
        country: 'US',
        region: 'CA',
        postal_code: '94105-1234',
        city: 'San Francisco',
        line1: '1 Market St',
        line2: null,
      },
      jurisdiction_id: 'US-CA',
      special_territory: null,
      changes: [
        { field: 'country', from: 'us', to: 'US' },
        { field: 'region', from: 'california', to: 'CA' },
        { field: 'city', from: '  San   Francisco ', to: 'San Francisco' },
        { field: 'postal_code', from: '941051234', to: '94105-1234' },
      ],
      issues: [],
      checked: expect.stringContaining('The street is not checked'),
    })
  })

  it.each<[object, object]>([
    [
      { country: 'DE', postal_code: '10115' },
      { address: { country: 'DE', postal_code: '10115' }, jurisdiction_id: 'DE', changes: [] },
    ],
    [
      { country: 'UK', postal_code: 'sw1a1aa' },
      { address: { country: 'GB', postal_code: 'SW1A 1AA' }, jurisdiction_id: 'GB' },
    ],
    [
      { country: 'EL', postal_code: '104 31' },
      { address: { country: 'GR', postal_code: '104 31' }, jurisdiction_id: 'GR' },
    ],
    [
      { country: 'US', region: 'gu', postal_code: '96910' },
      {
        address: { region: 'GU' },
        jurisdiction_id: null,
        special_territory: { id: 'GU', treatment: 'not_covered' },
      },
    ],
    [
      { country: 'US', postal_code: '96910' },
      { address: { region: 'GU' }, jurisdiction_id: null, special_territory: { id: 'GU' } },
    ],
    [
      { country: 'PT', region: 'Madeira' },
      { jurisdiction_id: 'PT-30', special_territory: { id: 'PT-30' } },
    ],
    [{ country: 'Germany' }, { address: { country: 'DE' }, jurisdiction_id: 'DE' }],
    [
      { country: 'CA', postal_code: 'h2x1y4' },
      { address: { region: 'QC', postal_code: 'H2X 1Y4' }, jurisdiction_id: 'CA-QC' },
    ],
    [
      { country: 'CA', region: 'Québec' },
      { address: { region: 'QC' }, jurisdiction_id: 'CA-QC' },
    ],
    [
      { country: 'US', postal_code: '10001' },
      { address: { region: 'NY' }, jurisdiction_id: 'US-NY' },
    ],
    [
      { country: 'DE', region: 'Bayern' },
      { address: { region: 'BY' }, jurisdiction_id: 'DE' },
    ],
    [
      { country: 'DE', region: 'Bavaria' },
      { address: { region: 'Bavaria' }, jurisdiction_id: 'DE' },
    ],
    [{ country: 'NL', postal_code: '1012 ab' }, { address: { postal_code: '1012 AB' } }],
    [{ country: 'PT', postal_code: '1000-001' }, { address: { postal_code: '1000-001' } }],
    [{ country: 'IE', postal_code: 'd02 af30' }, { address: { postal_code: 'D02 AF30' } }],
    [
      { country: 'JP', postal_code: '100-0001' },
      { jurisdiction_id: 'JP', special_territory: null },
    ],
    [
      { country: 'BR', postal_code: '01310-100' },
      { jurisdiction_id: null, special_territory: null },
    ],
    [{ country: 'ES', postal_code: '35001' }, { special_territory: { treatment: 'outside_eu_vat' } }],
    [
      { country: 'FI', postal_code: 'FI-22100' },
      {
        address: { postal_code: '22100' },
        special_territory: { id: 'AX' },
        changes: [{ field: 'postal_code', to: '22100' }],
      },
    ],
    [
      { country: 'DE', postal_code: 'd-78266' },
      { address: { postal_code: '78266' }, special_territory: { id: 'DE-X-BUESINGEN' } },
    ],
    [
      { country: 'PT', postal_code: 'P-9000-001' },
      { address: { postal_code: '9000-001' }, special_territory: { id: 'PT-30' } },
    ],
    [
      { country: 'SE', postal_code: 'S-114 55' },
      { address: { postal_code: '114 55' }, special_territory: null },
    ],
    [{ country: 'LV', postal_code: 'lv-1010' }, { address: { postal_code: 'LV-1010' } }],
    [{ country: 'JE', postal_code: 'JE 2 3AB' }, { address: { postal_code: 'JE 2 3AB' } }],
    [
      { country: 'FR', postal_code: '98800' },
      { jurisdiction_id: null, special_territory: { id: 'NC', treatment: 'not_covered' } },
    ],
  ])('takes %j', async (address, expected) => {
    expect(await validate(address)).toMatchObject({ valid: true, issues: [], ...expected })
  })

  it.each<[object, string, string]>([
    [{ country: 'XX' }, 'country', 'unknown_country'],
    [{ country: 'Atlantis' }, 'country', 'unknown_country'],
    [{ country: 'US', region: 'Bavaria' }, 'region', 'invalid_region'],
    [{ country: 'US' }, 'region', 'region_required'],
    [{ country: 'US', region: 'GU', postal_code: '94105' }, 'postal_code', 'region_postal_code_mismatch'],
    [{ country: 'US', region: 'CA', postal_code: '96910' }, 'postal_code', 'region_postal_code_mismatch'],
    [{ country: 'US', region: 'NY', postal_code: '94105' }, 'postal_code', 'region_postal_code_mismatch'],
    [{ country: 'CA', region: 'ON', postal_code: 'H2X 1Y4' }, 'postal_code', 'region_postal_code_mismatch'],
    [{ country: 'US', region: 'NY', postal_code: '1000' }, 'postal_code', 'invalid_postal_code'],
    [{ country: 'DE', postal_code: '1011' }, 'postal_code', 'invalid_postal_code'],
    [{ country: 'DE', postal_code: 'D-1011' }, 'postal_code', 'invalid_postal_code'],
    [{ country: 'DE', postal_code: 'F-10115' }, 'postal_code', 'invalid_postal_code'],
    [{ country: 'GB', postal_code: '12345' }, 'postal_code', 'invalid_postal_code'],
    [{ country: 'CA', region: 'ON', postal_code: 'Z1Z 1Z1' }, 'postal_code', 'invalid_postal_code'],
  ])('finds what is wrong with %j: %s, %s', async (address, field, code) => {
    expect(await validate(address)).toMatchObject({
      valid: false,
      jurisdiction_id: null,
      issues: [{ field, code }],
    })
  })

  it.each([
    [{}, 'address'],
    [{ address: {} }, 'address.country'],
    [{ address: { country: 'DE', zip: '10115' } }, 'address.zip'],
    [{ address: { country: 'DE', postal_code: 10_115 } }, 'address.postal_code'],
    [{ address: { country: 'DE', city: 'x'.repeat(201) } }, 'address.city'],
  ])('refuses %j, naming %s', async (body, path) => {
    const refused = await call('POST', '/v1/addresses/validate', { key, body })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })
})

describe('GET /v1/addresses/countries', () => {
  it('lists all countries, and which have tax data', async () => {
    const { body } = await call('GET', '/v1/addresses/countries', { key })
    const countries = body['countries'] as { code: string }[]
    expect(body['total']).toBe(countries.length)
    expect(countries.length).toBeGreaterThan(240)
    expect(countries.find(({ code }) => code === 'DE')).toEqual({
      code: 'DE',
      name: 'Germany',
      tax_supported: true,
      has_regions: true,
      has_postal_codes: true,
    })
    expect(countries.find(({ code }) => code === 'BR')).toMatchObject({ tax_supported: false })
  })
})

describe('GET /v1/addresses/regions/:country', () => {
  it('lists the regions of a country', async () => {
    const { body } = await call('GET', '/v1/addresses/regions/us', { key })
    expect(body).toMatchObject({ country: 'US' })
    expect(body['regions']).toContainEqual({ id: 'US-CA', code: 'CA', name: 'California', type: 'state' })
    expect((await call('GET', '/v1/addresses/regions/CA', { key })).body).toMatchObject({
      country: 'CA',
      total: 13,
    })
  })

  it('knows no others', async () => {
    expect((await call('GET', '/v1/addresses/regions/XX', { key })).status).toBe(404)
    expect((await call('GET', '/v1/addresses/regions/SG', { key })).body).toMatchObject({ country: 'SG' })
  })
})

describe('a region', () => {
  const book = openRateBook(testFacts())
  const place = (country: string, region: string) =>
    findPlace(book, { country, region }, 'address').jurisdiction_id

  it.each(['US', 'CA', 'AT', 'CY', 'DE', 'ES', 'FI', 'FR', 'GB', 'GR', 'IT', 'PT'])(
    'that is offered for %s is taken by the engine, and is one place by id, code and name',
    (country) => {
      for (const { id, code, name } of regionsOf(country)) {
        // La Rioja and its like: a region and its only province share their name.
        if (findRegion(country, name)?.id !== id) continue
        const expected = place(country, id)
        for (const written of [code, code.toLowerCase(), name, name.toUpperCase()])
          expect(place(country, written), written).toBe(expected)
      }
    },
  )

  it.each([
    ['CA', 'Québec', 'CA-QC'],
    ['CA', 'QUE\u0301BEC', 'CA-QC'],
    ['US', 'US-CA', 'US-CA'],
    ['US', 'us-ca', 'US-CA'],
    ['US', ' ca ', 'US-CA'],
    ['US', 'US-GU', 'GU'],
    ['US', 'Guam', 'GU'],
    ['US', 'PR', 'US-PR'],
    ['ES', 'Canarias', 'ES-CN'],
    ['ES', 'Canary Islands', 'ES-CN'],
    ['FR', 'Réunion', 'RE'],
    ['FR', 'NC', 'NC'],
    ['DE', 'Bayern', 'DE'],
  ])('of %s written %j lies in %s', (country, region, jurisdiction_id) => {
    expect(place(country, region)).toBe(jurisdiction_id)
  })

  it('without data is not supported in a calculation, and no error', async () => {
    const { body } = await call('POST', '/v1/calculate', {
      key,
      body: {
        currency: 'USD',
        seller: { country: 'US', region: 'CA' },
        customer: { address: { country: 'US', region: 'GU', postal_code: '96910' } },
        line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
      },
    })
    expect(body).toMatchObject({
      tax_amount: 0,
      line_items: [{ taxability_reason: 'not_supported' }],
      notes: expect.arrayContaining([expect.stringContaining('the tax of Guam')]),
    })
  })
})
