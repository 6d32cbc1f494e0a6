import { beforeAll, describe, expect, it } from 'vitest'
import Taxjar from 'taxjar'
import { runningService } from '../support/running-service.ts'
import { RECORDED, shapeOf } from './recorded.ts'

const service = runningService()
let client: Taxjar

async function setUp(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

beforeAll(async () => {
  client = new Taxjar({ apiKey: service.key, apiUrl: service.origin })
  const profile = { country: 'US', region: 'NY', postal_code: '11430', time_zone: 'UTC' }
  await setUp('PUT', '/v1/account', { ...profile, taxjar_api: { enabled: true } })
  for (const jurisdiction_id of ['US-NY', 'US-CA', 'CA-BC'])
    await setUp('POST', '/v1/registrations', { jurisdiction_id, valid_from: '2015-01-01' })
})

const ITEM = { id: '1', quantity: 1, unit_price: 15, discount: 0 }
const nothing = { taxable: 0, rate: 0, tax: 0 }
type Level = typeof nothing

/** A part of the tax of the United States, as its line or shipping shows it. */
function us(state: Level, county: Level, city: Level, special: Level, district: string) {
  return {
    state_taxable_amount: state.taxable,
    state_sales_tax_rate: state.rate,
    state_amount: state.tax,
    county_taxable_amount: county.taxable,
    county_tax_rate: county.rate,
    county_amount: county.tax,
    city_taxable_amount: city.taxable,
    city_tax_rate: city.rate,
    city_amount: city.tax,
    [district]: special.taxable,
    special_tax_rate: special.rate,
    special_district_amount: special.tax,
  }
}

function usOrder(state: Level, county: Level, city: Level, special: Level) {
  return {
    state_taxable_amount: state.taxable,
    state_tax_rate: state.rate,
    state_tax_collectable: state.tax,
    county_taxable_amount: county.taxable,
    county_tax_rate: county.rate,
    county_tax_collectable: county.tax,
    city_taxable_amount: city.taxable,
    city_tax_rate: city.rate,
    city_tax_collectable: city.tax,
    special_district_taxable_amount: special.taxable,
    special_tax_rate: special.rate,
    special_district_tax_collectable: special.tax,
  }
}

const sums = (taxable_amount: number, tax_collectable: number, combined_tax_rate: number) => ({
  taxable_amount,
  tax_collectable,
  combined_tax_rate,
})

/** The whole tax of a country, which has one rate. */
function national(
  country: string,
  rate: number,
  amounts: [order: number, line: number, shipping: number],
  city?: string,
) {
  const level = (taxable: number, tax: number) => ({
    ...sums(taxable, tax, rate),
    country_taxable_amount: taxable,
    country_tax_rate: rate,
    country_tax_collectable: tax,
  })
  const [order, line, shipping] = amounts
  return {
    tax: {
      order_total_amount: 16.5,
      shipping: 1.5,
      taxable_amount: 16.5,
      amount_to_collect: order,
      rate,
      has_nexus: true,
      freight_taxable: true,
      tax_source: 'destination',
      jurisdictions: { country, ...(city !== undefined && { city }) },
      breakdown: {
        ...level(16.5, order),
        line_items: [{ id: '1', ...level(15, line) }],
        shipping: level(1.5, shipping),
      },
    },
  }
}

describe('taxForOrder', () => {
  it('New York 11430: 8.875 % on goods and shipping, and the parts add up to 9.76', async () => {
    const level = (taxable: number, rate: number, tax: number) => ({ taxable, rate, tax })
    expect(
      await client.taxForOrder({
        to_country: 'US',
        to_state: 'NY',
        to_zip: '11430',
        to_city: 'Jamaica',
        shipping: 100,
        line_items: [{ ...ITEM, unit_price: 10 }],
      }),
    ).toEqual({
      tax: {
        order_total_amount: 110,
        shipping: 100,
        taxable_amount: 110,
        amount_to_collect: 9.76,
        rate: 0.08875,
        has_nexus: true,
        freight_taxable: true,
        tax_source: 'destination',
        jurisdictions: { country: 'US', state: 'NY', county: 'QUEENS COUNTY', city: 'JAMAICA' },
        breakdown: {
          ...sums(110, 9.76, 0.08875),
          ...usOrder(level(110, 0.04, 4.4), level(110, 0.04875, 5.36), nothing, nothing),
          line_items: [
            {
              id: '1',
              ...sums(10, 0.89, 0.08875),
              ...us(
                level(10, 0.04, 0.4),
                level(10, 0.04875, 0.49),
                nothing,
                nothing,
                'special_district_taxable_amount',
              ),
            },
          ],
          shipping: {
            ...sums(100, 8.87, 0.08875),
            ...us(level(100, 0.04, 4), level(100, 0.04875, 4.87), nothing, nothing, 'special_taxable_amount'),
          },
        },
      },
    })
  })

  it('Massachusetts: 0.94, and no tax on shipping', async () => {
    const state = { taxable: 15, rate: 0.0625, tax: 0.94 }
    expect(
      await client.taxForOrder({
        from_country: 'US',
        from_state: 'MA',
        from_zip: '02110',
        to_country: 'US',
        to_state: 'MA',
        to_zip: '01608',
        to_city: 'Worcester',
        shipping: 1.5,
        nexus_addresses: [{ country: 'US', state: 'MA', zip: '02110' }],
        line_items: [ITEM],
      }),
    ).toEqual({
      tax: {
        order_total_amount: 16.5,
        shipping: 1.5,
        taxable_amount: 15,
        amount_to_collect: 0.94,
        rate: 0.0625,
        has_nexus: true,
        freight_taxable: false,
        tax_source: 'destination',
        jurisdictions: { country: 'US', state: 'MA', city: 'WORCESTER' },
        breakdown: {
          ...sums(15, 0.94, 0.0625),
          ...usOrder(state, nothing, nothing, nothing),
          line_items: [
            {
              id: '1',
              ...sums(15, 0.94, 0.0625),
              ...us(state, nothing, nothing, nothing, 'special_district_taxable_amount'),
            },
          ],
        },
      },
    })
  })

  it('Texas: 1.36 at the place of the seller', async () => {
    const { tax } = await client.taxForOrder({
      from_country: 'US',
      from_state: 'TX',
      from_zip: '78701',
      from_city: 'Austin',
      to_country: 'US',
      to_state: 'TX',
      to_zip: '77058',
      to_city: 'Houston',
      shipping: 1.5,
      line_items: [ITEM],
    })
    expect(tax).toMatchObject({
      amount_to_collect: 1.36,
      rate: 0.0825,
      tax_source: 'origin',
      freight_taxable: true,
      jurisdictions: { country: 'US', state: 'TX', city: 'AUSTIN' },
    })
  })

  it('Ontario: 2.15 of HST', async () => {
    const level = (taxable: number, gst: number, pst: number, tax: number) => ({
      ...sums(taxable, tax, 0.13),
      gst_taxable_amount: taxable,
      gst_tax_rate: 0.05,
      gst,
      pst_taxable_amount: taxable,
      pst_tax_rate: 0.08,
      pst,
      qst_taxable_amount: 0,
      qst_tax_rate: 0,
      qst: 0,
    })
    expect(
      await client.taxForOrder({
        from_country: 'CA',
        from_state: 'BC',
        from_zip: 'V6G 3E2',
        to_country: 'CA',
        to_state: 'ON',
        to_zip: 'M5V 2T6',
        to_city: 'Toronto',
        shipping: 1.5,
        nexus_addresses: [{ country: 'CA', state: 'BC', zip: 'V6G 3E2' }],
        line_items: [ITEM],
      }),
    ).toEqual({
      tax: {
        order_total_amount: 16.5,
        shipping: 1.5,
        taxable_amount: 16.5,
        amount_to_collect: 2.15,
        rate: 0.13,
        has_nexus: true,
        freight_taxable: true,
        tax_source: 'destination',
        jurisdictions: { country: 'CA', state: 'ON', city: 'TORONTO' },
        breakdown: {
          ...level(16.5, 0.83, 1.32, 2.15),
          line_items: [{ id: '1', ...level(15, 0.75, 1.2, 1.95) }],
          shipping: level(1.5, 0.08, 0.12, 0.2),
        },
      },
    })
  })

  it.each([
    ['France', 'FR', '75008', '13281', 'Marseille', national('FR', 0.2, [3.3, 3, 0.3], 'MARSEILLE')],
    ['Britain', 'GB', 'EC1A 1BB', 'SW1A 1AA', 'London', national('GB', 0.2, [3.3, 3, 0.3], 'LONDON')],
    ['Australia', 'AU', 'NSW 2000', 'VIC 3002', 'Richmond', national('AU', 0.1, [1.65, 1.5, 0.15])],
  ])('%s', async (_, country, from_zip, to_zip, to_city, expected) => {
    const order = { from_country: country, from_zip, to_country: country, to_zip, to_city, shipping: 1.5 }
    expect(await client.taxForOrder({ ...order, line_items: [ITEM] })).toEqual(expected)
  })

  it('no nexus in Oregon: no tax', async () => {
    expect(
      await client.taxForOrder({
        from_country: 'US',
        from_state: 'FL',
        from_zip: '33018',
        to_country: 'US',
        to_state: 'OR',
        to_zip: '97035',
        amount: 15,
        shipping: 1.5,
      }),
    ).toEqual({
      tax: {
        order_total_amount: 16.5,
        shipping: 1.5,
        taxable_amount: 0,
        amount_to_collect: 0,
        rate: 0,
        has_nexus: false,
        freight_taxable: false,
        tax_source: null,
      },
    })
  })

  it('California 91761: the rate of the city of today, of the local book', async () => {
    const { tax } = await client.taxForOrder({
      to_country: 'US',
      to_state: 'CA',
      to_zip: '91761',
      to_city: 'Ontario',
      shipping: 10,
      line_items: [{ ...ITEM, unit_price: 19.99 }],
    })
    expect(tax).toMatchObject({
      taxable_amount: 19.99,
      freight_taxable: false,
      rate: 0.0875,
      amount_to_collect: 1.75,
    })
  })
})

describe('the other questions', () => {
  it('ratesForLocation', async () => {
    expect(await client.ratesForLocation('11430', { state: 'NY', country: 'US' })).toEqual({
      rate: {
        zip: '11430',
        state: 'NY',
        state_rate: '0.04',
        county: 'QUEENS COUNTY',
        county_rate: '0.04875',
        city: '',
        city_rate: '0.0',
        combined_district_rate: '0.0',
        combined_rate: '0.08875',
        freight_taxable: true,
      },
    })
    expect(await client.ratesForLocation('M5V2T6', { city: 'Toronto', state: 'ON', country: 'CA' })).toEqual({
      rate: {
        zip: 'M5V2T6',
        city: 'Toronto',
        state: 'ON',
        country: 'CA',
        combined_rate: '0.13',
        freight_taxable: true,
      },
    })
    const europe = {
      reduced_rate: '0.05',
      super_reduced_rate: '0.0',
      parking_rate: '0.0',
      distance_sale_threshold: '0.0',
    }
    expect(await client.ratesForLocation('SW1A1AA', { country: 'GB' })).toEqual({
      rate: { country: 'GB', name: 'United Kingdom', standard_rate: '0.2', ...europe, freight_taxable: true },
    })
  })

  it('categories, nexusRegions, validate, validateAddress, summaryRates', async () => {
    const { categories } = await client.categories()
    // All codes of TaxJar that have a product type here.
    expect(categories).toHaveLength(732)
    expect(categories).toContainEqual({
      name: 'Clothing',
      product_tax_code: '20010',
      description: expect.stringContaining('lothing'),
    })
    expect(await client.nexusRegions()).toEqual({
      regions: [
        { country_code: 'CA', country: 'Canada', region_code: 'BC', region: 'British Columbia' },
        { country_code: 'US', country: 'United States', region_code: 'CA', region: 'California' },
        { country_code: 'US', country: 'United States', region_code: 'NY', region: 'New York' },
      ],
    })
    expect(await client.validate({ vat: 'FR40303265045' })).toEqual({
      validation: {
        valid: true,
        exists: true,
        vies_available: true,
        vies_response: {
          country_code: 'FR',
          vat_number: '40303265045',
          request_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
          valid: true,
          name: 'ACME IRELAND LIMITED',
          address: 'DUBLIN 2',
        },
      },
    })
    expect(
      await client.validateAddress({
        country: 'US',
        state: 'AZ',
        zip: '85297',
        city: 'Gilbert',
        street: '3301 South Greenfield Rd',
      }),
    ).toEqual({
      addresses: [
        { zip: '85297', street: '3301 S Greenfield Rd', state: 'AZ', country: 'US', city: 'Gilbert' },
      ],
    })
    const { summary_rates } = await client.summaryRates()
    expect(summary_rates).toContainEqual({
      country_code: 'US',
      country: 'United States',
      region_code: 'NY',
      region: 'New York',
      minimum_rate: { label: 'State Tax', rate: 0.04 },
      average_rate: { label: 'Tax', rate: expect.closeTo(0.081, 2) },
    })
  })
})

const PLACES = {
  from_country: 'US',
  from_zip: null,
  from_state: null,
  from_city: null,
  from_street: null,
  to_country: 'US',
  to_zip: '90002',
  to_state: 'CA',
  to_city: 'LOS ANGELES',
  to_street: '123 Palm Grove Ln',
}
const DELETED = {
  ...Object.fromEntries(Object.keys(PLACES).map((name) => [name, null])),
  user_id: expect.any(Number),
  provider: 'api',
  transaction_date: null,
  transaction_reference_id: null,
  exemption_type: null,
  customer_id: null,
  amount: null,
  shipping: null,
  sales_tax: null,
  line_items: [],
}
const SENT = {
  transaction_date: '2015/05/14',
  to_country: 'US',
  to_zip: '90002',
  to_state: 'CA',
  to_city: 'Los Angeles',
  to_street: '123 Palm Grove Ln',
}
const LINE = { quantity: 1, product_identifier: '12-34243-9', description: 'Fuzzy Widget' }

describe('transactions of 2015, of which no rate is on file', () => {
  const shown = (amount: string, shipping: string, sign = '') => ({
    user_id: expect.any(Number),
    transaction_date: '2015-05-14T00:00:00.000Z',
    provider: 'api',
    exemption_type: null,
    customer_id: null,
    ...PLACES,
    amount,
    shipping,
    sales_tax: `${sign}0.95`,
    line_items: [
      {
        id: 0,
        ...LINE,
        product_tax_code: null,
        unit_price: `${sign}15.0`,
        discount: '0.0',
        sales_tax: `${sign}0.95`,
      },
    ],
  })
  const order = (amount: string, shipping: string) => ({
    order: { transaction_id: '123', transaction_reference_id: null, ...shown(amount, shipping) },
  })
  const refund = (amount: string, shipping: string) => ({
    refund: { transaction_id: '321', transaction_reference_id: '123', ...shown(amount, shipping, '-') },
  })
  const line_items = [{ ...LINE, unit_price: 15, sales_tax: 0.95 }]
  const returned = [{ ...LINE, unit_price: -15, sales_tax: -0.95 }]
  const days = { from_transaction_date: '2015/05/01', to_transaction_date: '2015/05/31' }

  it('createOrder, listOrders, showOrder, updateOrder, deleteOrder', async () => {
    const given = { ...SENT, transaction_id: '123', amount: 16.5, shipping: 1.5, sales_tax: 0.95, line_items }
    expect(await client.createOrder(given)).toEqual(order('16.5', '1.5'))
    await expect(client.createOrder(given)).rejects.toMatchObject({
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'Provider tranx already imported for your user account',
    })
    expect(await client.listOrders(days)).toEqual({ orders: ['123'] })
    expect(await client.showOrder('123')).toEqual(order('16.5', '1.5'))
    const changed = { transaction_id: '123', amount: 17, shipping: 2, sales_tax: 0.95, line_items }
    expect(await client.updateOrder(changed)).toEqual(order('17.0', '2.0'))
    expect(await client.deleteOrder('123')).toEqual({ order: { transaction_id: '123', ...DELETED } })
    await expect(client.showOrder('123')).rejects.toMatchObject({ status: 404, error: 'Not Found' })
  })

  it('createRefund of the deleted order, listRefunds, showRefund, updateRefund, deleteRefund', async () => {
    const given = {
      ...SENT,
      transaction_id: '321',
      transaction_reference_id: '123',
      amount: -16.5,
      shipping: -1.5,
      sales_tax: -0.95,
    }
    expect(await client.createRefund({ ...given, line_items: returned })).toEqual(refund('-16.5', '-1.5'))
    expect(await client.listRefunds(days)).toEqual({ refunds: ['321'] })
    expect(await client.showRefund('321')).toEqual(refund('-16.5', '-1.5'))
    const changed = {
      transaction_id: '321',
      amount: -17,
      shipping: -2,
      sales_tax: -0.95,
      line_items: returned,
    }
    expect(await client.updateRefund({ ...changed, transaction_reference_id: '123' })).toEqual(
      refund('-17.0', '-2.0'),
    )
    expect(await client.deleteRefund('321')).toEqual({ refund: { transaction_id: '321', ...DELETED } })
    expect(await client.listRefunds()).toEqual({ refunds: [] })
  })

  it('createCustomer, listCustomers, showCustomer, updateCustomer, deleteCustomer', async () => {
    const customer = {
      customer_id: '123',
      exemption_type: 'wholesale',
      name: 'Initech',
      exempt_regions: [
        { country: 'US', state: 'FL' },
        { country: 'US', state: 'PA' },
      ],
      country: 'US',
      state: 'PA',
      zip: '18504',
      city: 'Scranton',
      street: '1725 Slough Avenue',
    }
    expect(await client.createCustomer(customer)).toEqual({ customer })
    expect(await client.listCustomers()).toEqual({ customers: ['123'] })
    expect(await client.showCustomer('123')).toEqual({ customer })
    const moved = { ...customer, exempt_regions: [{ country: 'US', state: 'NY' }], state: 'NY', zip: '10010' }
    expect(await client.updateCustomer(moved)).toEqual({ customer: moved })
    expect(await client.deleteCustomer('123')).toEqual({ customer: moved })
    expect(await client.listCustomers()).toEqual({ customers: [] })
  })
})

describe('what Solidus sent to TaxJar', () => {
  it.each(RECORDED)('$method $path: $about', async ({ method, path, body, status, answer, key }) => {
    const response = await fetch(service.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${key ?? service.key}`,
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Api-Version': '2020-08-07',
        Plugin: 'supergoodsolidustaxjar',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const said: unknown = await response.json()
    expect(response.status).toBe(status)
    expect(shapeOf(said)).toEqual(shapeOf(answer))
    if (status >= 400) expect(said).toEqual(answer)
  })
})
