import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

it('shows the account and changes what is given, nothing else', async () => {
  const { key, account_id } = await newAccount({ tier: 'pro', account: 'Acme' })
  expect((await call('GET', '/v1/account', { key })).body).toMatchObject({
    id: account_id,
    name: 'Acme',
    tier: 'pro',
    sandbox: false,
    country: null,
    vat_id_policy: 'format',
  })
  await call('PUT', '/v1/account', {
    key,
    body: { country: 'el', region: null, postal_code: '105 57', vat_id: 'EL123456783' },
  })
  const renamed = await call('PUT', '/v1/account', {
    key,
    body: { name: 'Acme EU', vat_id_policy: 'validated' },
  })
  expect(renamed.body).toMatchObject({
    name: 'Acme EU',
    country: 'GR',
    region: null,
    postal_code: '105 57',
    vat_id: 'EL123456783',
    vat_id_policy: 'validated',
  })
  expect((await call('GET', '/v1/account', { key })).body).toMatchObject({ name: 'Acme EU', country: 'GR' })
})

it.each([
  ['id', { id: 'acct_1' }],
  ['tier', { tier: 'enterprise' }],
  ['sandbox', { sandbox: true }],
  ['country', { country: 'ZZ' }],
  ['country', { region: 'CA' }],
  ['name', { name: '' }],
  ['vat_id_policy', { vat_id_policy: 'none' }],
  ['region', { country: 'CA', region: 'TX' }],
  ['postal_code', { country: 'US', postal_code: 'ABC' }],
  ['postal_code', { country: 'US', region: 'NY', postal_code: '94105' }],
])('refuses a wrong or a read-only %s by name', async (path, body) => {
  const { key } = await newAccount()
  const refused = await call('PUT', '/v1/account', { key, body })
  expect(refused.status).toBe(400)
  expect(refused.body['errors']).toMatchObject([{ path }])
})

it('forgets region and postal code with the country', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'CA', postal_code: '94105' } })
  expect((await call('PUT', '/v1/account', { key, body: { country: null } })).body).toMatchObject({
    country: null,
    region: null,
    postal_code: null,
  })
})

it('begins region and postal code anew in another country', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'CA', postal_code: '94105' } })
  expect(
    (await call('PUT', '/v1/account', { key, body: { region: 'TX', postal_code: null } })).body,
  ).toMatchObject({ region: 'TX' })
  expect((await call('PUT', '/v1/account', { key, body: { country: 'DE' } })).body).toMatchObject({
    region: null,
    postal_code: null,
  })
  expect((await call('GET', '/v1/nexus', { key })).status).toBe(200)
})

it('names in the audit event what did change, not what was sent', async () => {
  const { key, account_id } = await newAccount()
  for (const body of [
    { country: 'US', region: 'CA', vat_id_policy: 'format' },
    { country: 'DE', vat_id: null },
    { country: 'DE' },
  ])
    await call('PUT', '/v1/account', { key, body })
  const { body } = await call('GET', `/v1/audit-events?resource_id=${account_id}`, { key })
  expect(body['audit_events']).toMatchObject([
    { changed: [] },
    { changed: ['country', 'region'] },
    { changed: ['country', 'region', 'time_zone'] },
  ])
})

it('leaves an audit event of each change', async () => {
  const { key, key_id, account_id } = await newAccount()
  const changed = await call('PUT', '/v1/account', { key, body: { country: 'DE', postal_code: '10115' } })
  const { body } = await call('GET', `/v1/audit-events?resource_id=${account_id}`, { key })
  expect(body['audit_events']).toMatchObject([
    {
      action: 'account.updated',
      key_id,
      resource_id: account_id,
      changed: ['country', 'postal_code', 'time_zone'],
      request_id: changed.headers.get('X-Request-Id'),
    },
  ])
})
