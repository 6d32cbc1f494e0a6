import { expect, it } from 'vitest'
import { AUTHORITY_HOST } from '../../support/authority-server.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()
const { key, owner } = await newShop({
  taxjar: { accept_state_only: true },
  registrations: ['US-NY', 'US-CA', 'CA', 'CA-BC', 'DE'],
})
const get = (path: string, more: object = {}) => ask('GET', path, { key, ...more })

it('shows the rates of a place as texts, in the form of its country', async () => {
  expect((await get('/v2/rates/90404?state=CA&city=Santa%20Monica&street=x')).body).toEqual({
    rate: {
      zip: '90404',
      state: 'CA',
      state_rate: '0.0725',
      county: '',
      county_rate: '0.0',
      city: 'SANTA MONICA',
      city_rate: '0.0',
      combined_district_rate: '0.0',
      combined_rate: '0.0725',
      freight_taxable: false,
    },
  })
  expect((await get('/v2/rates/05495-2086')).body['rate']).toMatchObject({
    country: 'US',
    country_rate: '0.0',
    state: 'VT',
    state_rate: '0.06',
    freight_taxable: true,
  })
  expect((await get('/v2/rates/V5K0A1?city=Vancouver&state=BC&country=CA')).body).toEqual({
    rate: {
      zip: 'V5K0A1',
      city: 'Vancouver',
      state: 'BC',
      country: 'CA',
      combined_rate: '0.12',
      freight_taxable: true,
    },
  })
  expect((await get('/v2/rates/2060?country=AU')).body).toEqual({
    rate: { zip: '2060', country: 'AU', country_rate: '0.1', combined_rate: '0.1', freight_taxable: true },
  })
  expect((await get('/v2/rates/00150?country=FI')).body).toEqual({
    rate: {
      country: 'FI',
      name: 'Finland',
      standard_rate: '0.255',
      reduced_rate: '0.1',
      super_reduced_rate: '0.0',
      parking_rate: '0.0',
      distance_sale_threshold: '0.0',
      freight_taxable: true,
    },
  })
  expect((await get('/v2/rates/SW1A1AA?country=UK')).body['rate']).toMatchObject({ standard_rate: '0.2' })
})

it('refuses a place that the data does not cover, and a ZIP of another state', async () => {
  expect((await get('/v2/rates/1000?country=BR')).body).toEqual({
    status: 400,
    error: 'Bad Request',
    detail: 'country BR is not covered',
  })
  expect((await get('/v2/rates/90404?state=NY')).body['detail']).toBe(
    'to_zip 90404 is not used within to_state NY',
  )
  const { key: strict } = await newShop()
  expect((await ask('GET', '/v2/rates/90404', { key: strict })).body['detail']).toBe(
    'local rates of CA are not covered',
  )
})

it('lists the tax codes with our words', async () => {
  const { body } = await get('/v2/categories')
  expect(body['categories']).toContainEqual({
    name: 'Clothing',
    product_tax_code: '20010',
    description: expect.any(String),
  })
  expect(Object.keys(body)).toEqual(['categories'])
})

it('lists the regions where the account is registered', async () => {
  expect((await get('/v2/nexus/regions')).body).toEqual({
    regions: [
      { country_code: 'CA', country: 'Canada', region_code: 'BC', region: 'British Columbia' },
      { country_code: 'DE', country: 'Germany', region_code: null, region: null },
      { country_code: 'US', country: 'United States', region_code: 'CA', region: 'California' },
      { country_code: 'US', country: 'United States', region_code: 'NY', region: 'New York' },
    ],
  })
})

it('asks the authority for a VAT id, and says if it does not answer', async () => {
  const authority = (body: object) =>
    fetch(`https://${AUTHORITY_HOST}/any/rest`, {
      method: 'PUT',
      body: JSON.stringify({ body: JSON.stringify(body) }),
    })
  await authority({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })
  expect((await get('/v2/validation?vat=IE6388047V')).body).toEqual({
    validation: { valid: false, exists: false, vies_available: false },
  })
  forgetAll()
  await authority({
    countryCode: 'IE',
    vatNumber: '6388047V',
    requestDate: '2026-11-21T12:00:00.000Z',
    valid: true,
    requestIdentifier: '',
    name: 'EXAMPLE LIMITED',
    address: '1 EXAMPLE STREET',
    traderNameMatch: 'NOT_PROCESSED',
  })
  expect((await get('/v2/validation?vat=IE6388047V')).body).toEqual({
    validation: {
      valid: true,
      exists: true,
      vies_available: true,
      vies_response: {
        country_code: 'IE',
        vat_number: '6388047V',
        request_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        valid: true,
        name: 'EXAMPLE LIMITED',
        address: '1 EXAMPLE STREET',
      },
    },
  })
  expect((await get('/v2/validation?vat=IE1')).body).toEqual({
    validation: { valid: false, exists: false, vies_available: true },
  })
  expect((await get('/v2/validation')).body['detail']).toBe('vat is missing')
})

it('brings an address into its usual form, or finds none', async () => {
  const address = {
    country: 'US',
    state: 'AZ',
    zip: '85297',
    city: 'Gilbert',
    street: '3301 South Greenfield Rd',
  }
  const said = await ask('POST', '/v2/addresses/validate', { key, body: address })
  expect(said.body).toEqual({
    addresses: [
      { zip: '85297', street: '3301 S Greenfield Rd', state: 'AZ', country: 'US', city: 'Gilbert' },
    ],
  })
  const zip = await ask('POST', '/v2/addresses/validate', { key, body: { zip: '98122' } })
  expect(zip.body).toEqual({ addresses: [{ zip: '98122', state: 'WA', country: 'US' }] })
  const none = await ask('POST', '/v2/addresses/validate', { key, body: { ...address, state: 'NY' } })
  expect(none.body).toEqual({ status: 404, error: 'Not Found', detail: 'Resource can not be found' })
})

it('summarises the rates of each place as numbers', async () => {
  const { body } = await get('/v2/summary_rates')
  expect(Object.keys(body)).toEqual(['summary_rates'])
  expect(body['summary_rates']).toContainEqual({
    country_code: 'CA',
    country: 'Canada',
    region_code: 'BC',
    region: 'British Columbia',
    minimum_rate: { label: 'GST', rate: 0.05 },
    average_rate: { label: 'PST', rate: 0.12 },
  })
  expect(body['summary_rates']).toContainEqual({
    country_code: 'UK',
    country: 'United Kingdom',
    region_code: null,
    region: null,
    minimum_rate: { label: 'VAT', rate: 0.2 },
    average_rate: { label: 'VAT', rate: 0.2 },
  })
})

it('checks the key of a form, also if the header has an old one', async () => {
  const form = (token: string) => ({
    raw: new URLSearchParams({ token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'Token token="old"' },
  })
  const good = await ask('POST', '/v2/verify', form(key))
  expect([good.status, good.body]).toEqual([200, { valid: true, enabled: true }])
  const bad = await ask('POST', '/v2/verify', form('nothing'))
  expect([bad.status, bad.body['detail']]).toEqual([401, "Not authorized for route 'POST /v2/verify'"])
  expect((await ask('POST', '/v2/verify', { key, raw: '' })).body).toEqual({ valid: true, enabled: true })
})

it('takes both forms of authentication, and answers below /taxjar too', async () => {
  const token = { headers: { Authorization: `Token token="${key}"` } }
  expect((await ask('GET', '/v2/categories', token)).status).toBe(200)
  expect((await ask('GET', '/taxjar/v2/categories', token)).status).toBe(200)
  expect((await ask('GET', '/taxjar/v2/nexus/regions')).body['detail']).toBe(
    "Not authorized for route 'GET /taxjar/v2/nexus/regions'",
  )
})

it('is off for every account until it is enabled', async () => {
  const shown = await call('GET', '/v1/account', { key: owner })
  expect(shown.body['taxjar_api']).toEqual({ enabled: true, currency: null, accept_state_only: true })
  const off = await call('PUT', '/v1/account', { key: owner, body: { taxjar_api: { enabled: false } } })
  expect(off.body['taxjar_api']).toEqual({ enabled: false, currency: null, accept_state_only: true })
  expect((await get('/v2/categories')).status).toBe(403)
})
