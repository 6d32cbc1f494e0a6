import { expect, it } from 'vitest'
import { ask, newIssuer, person } from '../../support/access.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>
type Answered = { status: number; text: string; body: Body }

/** Somebody who works on returns. `of`: the person behind; null: nobody who signed in. */
type Doer = {
  name: string
  of: string | null
  signs_in: boolean
  send: (method: string, path: string, body: object) => Promise<Answered>
}

async function done(answer: Promise<Answered>): Promise<Body> {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}

function keyDoer(name: string, of: string | null, key: string): Doer {
  return { name, of, signs_in: false, send: (method, path, body) => call(method, path, { key, body }) }
}

/** Two people, a key that each of them made, and two of the operator, in an account with four eyes. */
async function doers() {
  const { account_id, key } = await newAccount()
  const owner = { ...keyDoer('the key of the operator', null, key), key }
  await done(owner.send('PUT', '/v1/account', { country: 'GB', time_zone: 'UTC', four_eyes: true }))
  await done(owner.send('POST', '/v1/registrations', { jurisdiction_id: 'GB', valid_from: '2020-01-01' }))
  const customer = { address: { country: 'GB' } }
  const line_items = [{ amount: 10_000, product_type: 'physical_goods' }]
  await created(key, { customer, currency: 'GBP', transaction_date: '2026-02-01', line_items })
  const issuer = await newIssuer()
  const all: Doer[] = [owner]
  for (const name of ['Anna', 'Ben']) {
    const { id, email } = await person(account_id, 'owner')
    const token = await issuer.token(email)
    const send = (method: string, path: string, body: object) =>
      ask(issuer.bindings, token, path, { method, body })
    const made = await done(send('POST', '/v1/api-keys', { name: `Key of ${name}`, scopes: ['*'] }))
    expect(made['made_by']).toBe(id)
    all.push({ name, of: id, signs_in: true, send }, keyDoer(`a key of ${name}`, id, String(made['key'])))
  }
  const another = await done(owner.send('POST', '/v1/api-keys', { scopes: ['*'] }))
  expect(another['made_by']).toBeNull()
  const operators = keyDoer('another key of the operator', null, String(another['key']))
  return { owner, account_id, issuer, all: [...all, operators] }
}

it('two file a return together if one of them has signed in, and never one person alone', async () => {
  const { owner, all } = await doers()
  for (const reviewer of all)
    for (const filer of all) {
      const open = { type: 'uk_vat100', period: '2026-Q1', submission: { state: 'open' } }
      const path = `/v1/returns/${String((await done(filer.send('POST', '/v1/returns', open)))['id'])}`
      await done(reviewer.send('PUT', `${path}/submission`, { state: 'reviewed' }))
      const filed = await filer.send('PUT', `${path}/submission`, { state: 'filed', day: '2026-05-04' })
      const one = reviewer === filer || (reviewer.of !== null && reviewer.of === filer.of)
      const allowed = !one && (reviewer.signs_in || filer.signs_in)
      expect(filed.status, `${filer.name} after ${reviewer.name}: ${filed.text}`).toBe(allowed ? 200 : 403)
      if (!allowed) expect(filed.body['reason']).toBe('second_person_required')
      await done(owner.send('POST', `${path}/reopen`, { reason: 'For the next pair' }))
    }
})

it('a return says by name who locked and who reviewed it', async () => {
  const { all } = await doers()
  const [anna, of_ben] = [
    all.find(({ name }) => name === 'Anna'),
    all.find(({ name }) => name === 'a key of Ben'),
  ]
  if (anna === undefined || of_ben === undefined) throw new Error('both are there')
  const open = { type: 'uk_vat100', period: '2026-Q1', submission: { state: 'open' } }
  const locked = await done(of_ben.send('POST', '/v1/returns', open))
  expect(locked).toMatchObject({ filed_by_name: 'Key of Ben', submission: { reviewed_by_name: null } })
  const path = `/v1/returns/${String(locked['id'])}`
  expect(await done(anna.send('PUT', `${path}/submission`, { state: 'reviewed' }))).toMatchObject({
    filed_by_name: 'Key of Ben',
    submission: { reviewed_by: anna.of, reviewed_by_name: 'Kim Example', reviewed_person: anna.of },
  })
})

it.each([
  ['removed', '', 'the same', 403],
  ['erased', '?erase=true', 'the same', 403],
  // Nobody knows any more whether it is the same person.
  ['erased', '?erase=true', 'another', 403],
  ['removed', '', 'another', 200],
] as const)(
  'whoever reviews, is %s%s and added with %s e-mail files as one person or two',
  async (...row) => {
    const [, query, again, status] = row
    const { owner, account_id, issuer } = await doers()
    const anna = await person(account_id, 'owner')
    const as = async (email: string, method: string, path: string, body: object) =>
      ask(issuer.bindings, await issuer.token(email), path, { method, body })
    const open = { type: 'uk_vat100', period: '2026-Q1', submission: { state: 'open' } }
    const path = `/v1/returns/${String((await done(owner.send('POST', '/v1/returns', open)))['id'])}`
    await done(as(anna.email, 'PUT', `${path}/submission`, { state: 'reviewed' }))
    expect((await call('DELETE', `/v1/people/${anna.id}${query}`, { key: owner.key })).status).toBe(200)
    const added = await person(account_id, 'owner', again === 'the same' ? anna.email : undefined)
    const filing = { state: 'filed', day: '2026-05-04' }
    const filed = await as(added.email, 'PUT', `${path}/submission`, filing)
    expect(filed.status, filed.text).toBe(status)
    if (status === 403) expect(filed.body['reason']).toBe('second_person_required')
  },
)
