import { keepAccountsIn } from '../../support/shards.ts'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { type Answer, call } from '../../support/service.ts'

const { books } = keepAccountsIn(2)

const ADDRESS = {
  country: 'DE',
  region: null,
  city: 'Berlin',
  postal_code: '10115',
  line1: 'Chausseestraße 1',
  line2: null,
}

const add = async (key: string, body: object) => call('POST', '/v1/customers', { key, body })
const idOf = async (key: string, body: object) => String((await add(key, body)).body['id'])
const get = async (key: string, id: string) => (await call('GET', `/v1/customers/${id}`, { key })).body

it('adds a customer with all fields and shows it', async () => {
  const { key } = await newAccount()
  const body = {
    external_id: 'crm-1',
    email: 'ada@example.com',
    name: 'Ada',
    address: ADDRESS,
    vat_id: ' DE136695976 ',
    metadata: { plan: 'gold' },
  }
  const added = await add(key, body)
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    ...body,
    vat_id: 'DE136695976',
    vat_id_validated: false,
    vat_id_validated_at: null,
    vat_id_company_name: null,
    exemptions: [],
  })
  expect(added.body['id']).toMatch(/^cust_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect({ ...(await get(key, String(added.body['id']))), queried_at: '' }).toEqual({
    ...added.body,
    queried_at: '',
  })
})

it('shows every field of a customer that has but a name, null where nothing is known', async () => {
  const { key } = await newAccount()
  expect((await add(key, { name: 'Ada' })).body).toMatchObject({
    external_id: null,
    email: null,
    address: null,
    vat_id: null,
    metadata: {},
    exemptions: [],
  })
})

it('reads the country as everywhere, and shows the whole address', async () => {
  const { key } = await newAccount()
  expect((await add(key, { name: 'A', address: { country: 'el' } })).body['address']).toEqual({
    country: 'GR',
    region: null,
    city: null,
    postal_code: null,
    line1: null,
    line2: null,
  })
})

const pathsOf = ({ body }: Answer) =>
  Array.isArray(body['errors']) ? [...new Set(body['errors'].map(({ path }) => path))] : []

it.each([
  ['nothing', {}],
  ['nulls alone', { external_id: null, email: null, name: null }],
  ['an address alone', { address: ADDRESS }],
])('refuses a customer of %s', async (_, body) => {
  const { key } = await newAccount()
  const refused = await add(key, body)
  expect(refused.status).toBe(400)
  expect(pathsOf(refused)).toEqual(['external_id'])
})

it.each([
  ['an empty external id', { external_id: '' }, 'external_id'],
  ['an external id that a path cannot hold', { external_id: '..' }, 'external_id'],
  ['a long external id', { external_id: 'x'.repeat(256) }, 'external_id'],
  ['an external id that is a number', { external_id: 7 }, 'external_id'],
  ['an external id with NUL', { external_id: 'a\0b' }, 'external_id'],
  ['a name with a lone surrogate', { name: '\ud800' }, 'name'],
  ['a long name', { name: 'x'.repeat(1_000_000) }, 'name'],
  ['an e-mail without @', { email: 'ada' }, 'email'],
  ['an e-mail with two @', { email: 'a@b@c' }, 'email'],
  ['an e-mail with a space', { email: 'a b@c.d' }, 'email'],
  ['an e-mail with a line break', { email: 'a@b.c\n' }, 'email'],
  ['an e-mail with a zero-width space', { email: 'a\u200b@b.c' }, 'email'],
  ['a long e-mail', { email: `${'a'.repeat(250)}@b.cd` }, 'email'],
  ['a very long e-mail', { email: `${'a'.repeat(500_000)}@` }, 'email'],
  ['an address without a country', { name: 'A', address: { city: 'Berlin' } }, 'address.country'],
  ['an address in no country', { name: 'A', address: { country: 'XX' } }, 'address.country'],
  [
    'an address with an unknown field',
    { name: 'A', address: { country: 'DE', street: 'X' } },
    'address.street',
  ],
  ['an address that is text', { name: 'A', address: 'Berlin' }, 'address'],
  ['a VAT id of blanks', { name: 'A', vat_id: '  ' }, 'vat_id'],
  ['a VAT id of 5,000 digits', { name: 'A', vat_id: `DE${'1'.repeat(5000)}` }, 'vat_id'],
  ['metadata that is a list', { name: 'A', metadata: [] }, 'metadata'],
  ['metadata that is no text', { name: 'A', metadata: { plan: 1 } }, 'metadata.plan'],
  ['nested metadata', { name: 'A', metadata: { plan: { x: 'y' } } }, 'metadata.plan'],
  ['a long metadata value', { name: 'A', metadata: { plan: 'x'.repeat(501) } }, 'metadata.plan'],
  ['a long metadata key', { name: 'A', metadata: { ['k'.repeat(41)]: 'x' } }, `metadata.${'k'.repeat(41)}`],
  [
    '51 metadata keys before any of them',
    { name: 'A', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
    'metadata',
  ],
  [
    '51 metadata keys',
    { name: 'A', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x'])) },
    'metadata',
  ],
  ['a chosen id', { name: 'A', id: 'cust_x' }, 'id'],
  ['another account', { name: 'A', account_id: 'acct_x' }, 'account_id'],
  ['its own word on the VAT id', { name: 'A', vat_id_validated: true }, 'vat_id_validated'],
  [
    'its own time of validation',
    { name: 'A', vat_id_validated_at: '2026-01-01T00:00:00.000Z' },
    'vat_id_validated_at',
  ],
  ['its own company name', { name: 'A', vat_id_company_name: 'X' }, 'vat_id_company_name'],
  ['its own exemptions', { name: 'A', exemptions: [] }, 'exemptions'],
  ['its own time of creation', { name: 'A', created_at: '2026-01-01T00:00:00.000Z' }, 'created_at'],
])('refuses %s, in a new customer and in a change', async (_, body, path) => {
  const { key, account_id } = await newAccount()
  const id = await idOf(key, { name: 'Ada' })
  const before = await get(key, id)
  for (const refused of [await add(key, body), await call('PUT', `/v1/customers/${id}`, { key, body })]) {
    expect(refused.status).toBe(400)
    expect(pathsOf(refused)).toEqual([path])
  }
  expect({ ...(await get(key, id)), queried_at: '' }).toEqual({ ...before, queried_at: '' })
  expect(
    await books
      .prepare('SELECT count(*) AS n FROM customers WHERE account_id = ?')
      .bind(account_id)
      .first('n'),
  ).toBe(1)
})

it('refuses the metadata key __proto__ by name and keeps every other, whatever it means to JavaScript', async () => {
  const { key } = await newAccount()
  const refused = await call('POST', '/v1/customers', {
    key,
    raw: '{"name":"A","metadata":{"__proto__":"x","plan":"gold"}}',
  })
  expect(refused.status).toBe(400)
  expect(refused.body['errors']).toEqual([{ path: 'metadata', message: 'must not have a key __proto__' }])
  const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', __defineGetter__: 'd', '': 'e' }
  const { '': _, ...kept } = metadata
  expect((await add(key, { name: 'A', metadata: kept })).body['metadata']).toEqual(kept)
  expect((await add(key, { name: 'A', metadata })).status).toBe(400)
})

it.each([
  ['a slash', 'a/b'],
  ['a space', 'a b '],
  ['a plus', 'a+b'],
  ['a percent sign', '100%'],
  ['what looks encoded', 'a%2Fb'],
  ['a question mark and a hash', 'a?b#c'],
  ['letters of many scripts', 'Müller-é-顧客-😀'],
  ['both composed and encoded', 'é%41'],
  ['a line break', 'a\nb'],
  ['quotes', `'; DROP TABLE customers; --"`],
  ['the name of another path', 'exemptions'],
  ['dots', '../..'],
  ['all of its 255 characters', 'ü'.repeat(255)],
])('finds an external id with %s again', async (_, external_id) => {
  const { key } = await newAccount()
  const id = await idOf(key, { external_id })
  const found = await call('GET', `/v1/customers/external/${encodeURIComponent(external_id)}`, { key })
  expect(found.body).toMatchObject({ id, external_id })
})

it('takes an external id by its exact characters: composed and decomposed letters, blanks and case are different', async () => {
  const { key } = await newAccount()
  for (const external_id of ['é', 'é'.normalize('NFD'), 'a', 'A', 'a '])
    expect((await add(key, { external_id })).status).toBe(201)
  expect((await call('GET', '/v1/customers/external/a%20', { key })).body['external_id']).toBe('a ')
})

it('refuses an external id that another customer of the account has, and leaves other accounts alone', async () => {
  const { key } = await newAccount()
  const { key: other } = await newAccount()
  await add(key, { external_id: 'crm-1' })
  const second = await idOf(key, { external_id: 'crm-2' })
  for (const refused of [
    await add(key, { external_id: 'crm-1' }),
    await call('PUT', `/v1/customers/${second}`, { key, body: { external_id: 'crm-1' } }),
  ]) {
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      reason: 'external_id_taken',
      errors: [{ path: 'external_id' }],
    })
  }
  expect((await call('PUT', `/v1/customers/${second}`, { key, body: { external_id: 'crm-2' } })).status).toBe(
    200,
  )
  expect((await add(other, { external_id: 'crm-1' })).status).toBe(201)
})

it('makes one customer of 50 requests at once with one external id', async () => {
  const { key, account_id } = await newAccount()
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => add(key, { external_id: 'crm-1', name: `n${n}` })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ body }) => body['reason'] === 'external_id_taken')).toHaveLength(49)
  for (const table of ['customers', 'audit_events'])
    expect(
      await books
        .prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
        .bind(account_id)
        .first('n'),
    ).toBe(1)
})

it('makes one customer of 20 requests at once with one Idempotency-Key, and answers all the same', async () => {
  const { key, account_id } = await newAccount()
  const body = { external_id: 'crm-1', name: 'Ada' }
  const send = async () =>
    call('POST', '/v1/customers', { key, body, headers: { 'Idempotency-Key': 'once' } })
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(
    await books
      .prepare('SELECT count(*) AS n FROM customers WHERE account_id = ?')
      .bind(account_id)
      .first('n'),
  ).toBe(1)
})

it('changes what is given, clears what is null, and leaves the rest', async () => {
  const { key } = await newAccount()
  const id = await idOf(key, {
    external_id: 'crm-1',
    email: 'a@b.c',
    name: 'Ada',
    address: ADDRESS,
    vat_id: 'X1',
    metadata: { a: 'b' },
  })
  const change = async (body: object) => (await call('PUT', `/v1/customers/${id}`, { key, body })).body
  expect(await change({ name: 'Grace' })).toMatchObject({
    name: 'Grace',
    email: 'a@b.c',
    address: ADDRESS,
    metadata: { a: 'b' },
  })
  expect(await change({ email: null, external_id: null })).toMatchObject({
    external_id: null,
    email: null,
    name: 'Grace',
  })
  expect(await change({ address: { country: 'FR', city: 'Paris' } })).toMatchObject({
    address: { country: 'FR', region: null, city: 'Paris', postal_code: null, line1: null, line2: null },
  })
  expect(await change({ address: null, vat_id: null, metadata: null })).toMatchObject({
    address: null,
    vat_id: null,
    metadata: {},
  })
  const refused = await call('PUT', `/v1/customers/${id}`, { key, body: { name: null } })
  expect(refused.body['errors']).toMatchObject([{ path: 'external_id' }])
  const unchanged = await change({})
  expect(unchanged).toMatchObject({ name: 'Grace' })
  expect(String(unchanged['updated_at']) > String(unchanged['created_at'])).toBe(true)
})

it.each([
  ['loses', 'another VAT id', { vat_id: 'DE129273398' }],
  ['loses', 'no VAT id', { vat_id: null }],
  ['loses', 'another country', { address: { ...ADDRESS, country: 'FR' } }],
  ['loses', 'no address', { address: null }],
  ['keeps', 'the same VAT id', { vat_id: 'DE136695976' }],
  ['keeps', 'another street', { address: { ...ADDRESS, line1: 'Elsewhere' } }],
  ['keeps', 'another name', { name: 'Grace' }],
])('%s what the authority said of the VAT id in a change to %s', async (outcome, _, body) => {
  const { key } = await newAccount()
  const id = await idOf(key, { name: 'Ada', address: ADDRESS, vat_id: 'DE136695976' })
  const validated = {
    vat_id_validated: true,
    vat_id_validated_at: '2026-11-01T00:00:00.000Z',
    vat_id_company_name: 'Ada GmbH',
  }
  await books
    .prepare(
      'UPDATE customers SET vat_id_validated = 1, vat_id_validated_at = ?, vat_id_company_name = ? WHERE id = ?',
    )
    .bind(validated.vat_id_validated_at, validated.vat_id_company_name, id)
    .run()
  expect(await get(key, id)).toMatchObject(validated)
  const after =
    outcome === 'keeps'
      ? validated
      : { vat_id_validated: false, vat_id_validated_at: null, vat_id_company_name: null }
  expect((await call('PUT', `/v1/customers/${id}`, { key, body })).body).toMatchObject(after)
  expect(await get(key, id)).toMatchObject(after)
})

it('keeps what each of 12 changes at once has changed', async () => {
  const { key } = await newAccount()
  const id = await idOf(key, { name: 'Ada' })
  const changes = Array.from({ length: 4 }, (_, n) => [
    { external_id: `crm-${n}` },
    { email: `${n}@b.c` },
    { metadata: { n: String(n) } },
  ]).flat()
  const answers = await Promise.all(
    changes.map(async (body) => call('PUT', `/v1/customers/${id}`, { key, body })),
  )
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
  expect(await get(key, id)).toMatchObject({
    name: 'Ada',
    external_id: expect.stringMatching(/^crm-/),
    email: expect.stringContaining('@'),
    metadata: { n: expect.any(String) },
  })
})

it('never leaves a customer without a name when two changes at once each take one', async () => {
  const { key } = await newAccount()
  const id = await idOf(key, { name: 'Ada', email: 'a@b.c' })
  const answers = await Promise.all(
    [{ name: null }, { email: null }].map(async (body) => call('PUT', `/v1/customers/${id}`, { key, body })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

it('erases the person and its exemptions, and keeps but ids in the audit log', async () => {
  const { key, account_id } = await newAccount()
  const id = await idOf(key, {
    external_id: 'crm-1',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    vat_id: 'DE136695976',
  })
  await books
    .prepare(
      `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type, certificate_number, valid_from, status, created_at, updated_at)
     VALUES ('exm_1', ?1, ?2, 'DE', 'other', 'SECRET-1', '2026-01-01', 'pending', ?3, ?3)`,
    )
    .bind(account_id, id, new Date().toISOString())
    .run()
  await call('PUT', `/v1/customers/${id}`, { key, body: { name: 'Ada King' } })
  expect((await call('DELETE', `/v1/customers/${id}`, { key })).body).toMatchObject({ id, deleted: true })
  for (const path of [`/v1/customers/${id}`, '/v1/customers/external/crm-1'])
    expect((await call('GET', path, { key })).body['reason']).toBe('not_found')
  expect((await call('DELETE', `/v1/customers/${id}`, { key })).status).toBe(404)
  expect(
    await books
      .prepare('SELECT count(*) AS n FROM exemptions WHERE account_id = ?')
      .bind(account_id)
      .first('n'),
  ).toBe(0)
  const log = await call('GET', `/v1/audit-events?resource_id=${id}`, { key })
  expect(log.body['audit_events']).toMatchObject([
    { action: 'customer.deleted', changed: [] },
    { action: 'customer.updated', changed: ['name'] },
    { action: 'customer.created', changed: ['external_id', 'email', 'name', 'vat_id'] },
  ])
  expect(log.text).not.toMatch(/Ada|example\.com|DE136695976|SECRET/)
  expect((await add(key, { external_id: 'crm-1' })).status).toBe(201)
})

it('leaves no answer behind that a repeated request would be given', async () => {
  const { key, account_id } = await newAccount()
  const headers = () => ({ 'Idempotency-Key': crypto.randomUUID() })
  const body = { name: 'Ada Lovelace', vat_id: 'IE6388047V' }
  const { body: customer } = await call('POST', '/v1/customers', { key, body, headers: headers() })
  const id = String(customer['id'])
  const exemption = {
    jurisdiction_id: 'DE',
    exemption_type: 'resale',
    certificate_number: 'SECRET-1',
    valid_from: '2026-01-01',
  }
  await loadTestData()
  expect(
    (await call('POST', `/v1/customers/${id}/exemptions`, { key, headers: headers(), body: exemption }))
      .status,
  ).toBe(201)
  const other = await call('POST', '/v1/customers', { key, body: { name: 'Grace' }, headers: headers() })
  await call('DELETE', `/v1/customers/${id}`, { key })
  const { results } = await books
    .prepare('SELECT answer FROM idempotency_keys WHERE account_id = ?')
    .bind(account_id)
    .all()
  // The keys of the erased customer stay, without their answers.
  expect(results.filter(({ answer }) => answer === '')).toHaveLength(2)
  const kept = results.filter(({ answer }) => answer !== '')
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).toContain(String(other.body['id']))
})

it('is deleted once, and not brought back by a change at the same moment', async () => {
  const { key } = await newAccount()
  const id = await idOf(key, { name: 'Ada' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      n % 2 === 0
        ? call('DELETE', `/v1/customers/${id}`, { key })
        : call('PUT', `/v1/customers/${id}`, { key, body: { name: `n${n}` } }),
    ),
  )
  expect(answers.filter(({ body }) => body['deleted'] === true)).toHaveLength(1)
  expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
  expect((await call('GET', `/v1/customers/${id}`, { key })).status).toBe(404)
})

it('shows nothing of another account: its ids are answered like those that never existed', async () => {
  const { key: owner } = await newAccount()
  const { key } = await newAccount()
  const id = await idOf(owner, { external_id: 'crm-1', email: 'a@b.c' })
  for (const [method, path, unknown, body] of [
    ['GET', id, 'cust_00000000000000000000000000', undefined],
    ['GET', 'external/crm-1', 'external/crm-0', undefined],
    ['PUT', id, 'cust_00000000000000000000000000', { name: 'Mine' }],
    ['DELETE', id, 'cust_00000000000000000000000000', undefined],
  ] as const) {
    const foreign = await call(method, `/v1/customers/${path}`, { key, body })
    const none = await call(method, `/v1/customers/${unknown}`, { key, body })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...none.body, request_id: '' })
  }
  for (const query of ['', '?email=a@b.c', `?cursor=${id}`, `?cursor=cust_7zzzzzzzzzzzzzzzzzzzzzzzzz`])
    expect((await call('GET', `/v1/customers${query}`, { key })).body).toMatchObject({
      customers: [],
      total: 0,
    })
  expect(await get(owner, id)).toMatchObject({ name: null, external_id: 'crm-1' })
})
