import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newApiKey } from '../../../src/parties/accounts/api-key.ts'
import { GRANTABLE_SCOPES } from '../../../src/platform/database/values/scopes.ts'
import { TAXJAR_ROUTES } from '../../../src/interfaces/taxjar/routes.ts'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
const { key } = await newShop()
const each = TAXJAR_ROUTES.map((route) => ({
  ...route,
  verb: route.method.toUpperCase(),
  url: route.path.replaceAll(/:\w+/g, '99999'),
  name: `${route.method.toUpperCase()} ${route.path}`,
}))

describe.each(each)('$name', ({ verb, url, scope, body }) => {
  const sent = body === null ? {} : { body: {} }

  it('answers 401 in the words of TaxJar without a key and with an unknown one, at both paths', async () => {
    for (const prefix of ['', '/taxjar'])
      for (const wrong of [{}, { key: newApiKey(false) }]) {
        const said = await ask(verb, prefix + url, { ...sent, ...wrong })
        expect(said.body).toEqual({
          status: 401,
          error: 'Unauthorized',
          detail: `Not authorized for route '${verb} ${prefix + url}'`,
        })
      }
  })

  it('answers 403 to a key without its scope, and to an account that did not enable it', async () => {
    const scopes = GRANTABLE_SCOPES.filter((other) => other !== '*' && other !== scope)
    const { key: narrow } = await newShop({ scopes })
    const refused = await ask(verb, url, { ...sent, key: narrow })
    expect(refused.body).toMatchObject({ status: 403, error: 'Forbidden' })
    expect(refused.body['detail']).toContain(scope)
    const { key: off } = await newAccount()
    expect((await ask(verb, url, { ...sent, key: off })).body['detail']).toContain('taxjar_api')
  })

  it('ignores parameters that it does not know', async () => {
    const said = await ask(verb, `${url}?no_such_field=1`, { ...sent, key })
    expect(said.body['detail'] ?? '').not.toContain('no_such_field')
    expect(said.status).not.toBe(500)
  })
})

describe.each(each.filter(({ body }) => body !== null))(
  'the body of $name',
  ({ verb, url, body_optional }) => {
    const bodies: [string, string][] = [
      ['malformed', '{"a":'],
      ['empty', ''],
      ['deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
      ['too large', JSON.stringify({ a: 'x'.repeat(1_048_576) })],
      ['null', 'null'],
      ['a list', '[]'],
      ['of wrong types', '{"line_items":{},"to_country":[],"customer_id":{},"vat":1,"provider":[]}'],
    ]
    const refused = bodies.filter(([, raw]) => raw !== '' || !body_optional)
    it.each(refused)('is refused when it is %s', async (_, raw) => {
      const said = await ask(verb, url, { key, raw })
      expect([400, 406]).toContain(said.status)
    })
  },
)

it('limits requests of an account, and says when to come back', async () => {
  const { key: free } = await newAccount({ tier: 'free' })
  const answers = []
  for (let index = 0; index < 21; index += 1) answers.push(await ask('GET', '/v2/categories', { key: free }))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ status: 429, error: 'Too Many Requests' })
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  }
})

const FIELDS = [
  'transaction_id',
  'transaction_reference_id',
  'transaction_date',
  'provider',
  'to_country',
  'to_state',
  'to_zip',
  'to_city',
  'from_country',
  'from_state',
  'amount',
  'shipping',
  'sales_tax',
  'customer_id',
  'exemption_type',
  'nexus_addresses',
  'exempt_regions',
  'name',
  'country',
  'state',
  'zip',
  'city',
  'street',
]
const odd = fc.oneof(
  fc.constantFrom(
    'US',
    'CA',
    'FR',
    'AU',
    'XX',
    'NY',
    'ON',
    '10010',
    '2026/01/05',
    '2026-02-30',
    '99999-99-99T99:99',
    '-0.0',
    '1e400',
    '0.005',
    '-5',
    '.',
    '..',
    'other',
    'non_exempt',
    '\u0000',
    '\ud800',
    '__proto__',
    '',
    null,
    -1,
    0,
    1e21,
    1e-9,
    0.1,
    true,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const lines = fc.array(
  fc.dictionary(
    fc.constantFrom('id', 'quantity', 'unit_price', 'discount', 'sales_tax', 'product_tax_code'),
    odd,
  ),
  { maxLength: 3 },
)
const hostile = fc
  .tuple(fc.dictionary(fc.constantFrom(...FIELDS), odd), fc.option(lines, { nil: undefined }))
  .map(([fields, line_items]) => ({ ...fields, ...(line_items !== undefined && { line_items }) }))

it.each(each.filter(({ body }) => body !== null))(
  '$name never fails by what is sent',
  async ({ verb, url }) => {
    const BASE = {
      transaction_id: 'x',
      transaction_reference_id: 'y',
      transaction_date: '2026-01-05',
      customer_id: 'x',
    }
    const SUMS = {
      amount: 10,
      shipping: 1,
      sales_tax: 1,
      to_country: 'FR',
      name: 'x',
      exemption_type: 'other',
    }
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (fields, complete) => {
        const body = complete ? { ...BASE, ...SUMS, ...fields } : fields
        const said = await ask(verb, url.replace('99999', 'x'), { key, body })
        expect(said.status, `${JSON.stringify(body)} ${said.text}`).not.toBe(500)
      }),
      { numRuns: 150 },
    )
  },
)
