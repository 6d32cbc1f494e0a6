import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const ANNA = 'person_00000000000000000000000001'
const BEN = 'person_00000000000000000000000002'

const PERIOD = { type: 'uk_vat100', period: '2026-Q1' }
const LOCKED = { ...PERIOD, submission: { state: 'open' } }
const FILED = { state: 'filed', day: '2026-05-04' }

let key = ''
let account_id = ''

const done = async (answer: Promise<Answer>): Promise<Body> => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}
const put = (path: string, body: object, by = key) => call('PUT', path, { key: by, body })
const post = (path: string, body: object, by = key) => call('POST', path, { key: by, body })

beforeEach(async () => {
  ;({ key, account_id } = await newAccount())
  await done(put('/v1/account', { country: 'GB', time_zone: 'UTC', four_eyes: true }))
  await done(post('/v1/registrations', { jurisdiction_id: 'GB', valid_from: '2020-01-01' }))
  const customer = { address: { country: 'GB' } }
  const line_items = [{ amount: 10_000, product_type: 'physical_goods' }]
  await created(key, { customer, currency: 'GBP', transaction_date: '2026-02-01', line_items })
})

/** The path of the submission of a return whose figures are locked. */
async function locked(): Promise<string> {
  return `/v1/returns/${String((await done(post('/v1/returns', LOCKED)))['id'])}/submission`
}

/** A key that a person has made. */
async function keyOf(person: string): Promise<{ id: string; key: string }> {
  const made = await done(post('/v1/api-keys', { name: 'Books', scopes: ['*'] }))
  await env.DB.prepare('UPDATE api_keys SET made_by = ? WHERE id = ?').bind(person, made['id']).run()
  return { id: String(made['id']), key: String(made['key']) }
}

/** As if this person had signed in and reviewed the return. */
async function reviewedBy(person: string, path: string): Promise<void> {
  await done(put(path, { state: 'reviewed' }))
  await books
    .prepare('UPDATE return_submissions SET reviewed_by = ?2, reviewed_person = ?2 WHERE account_id = ?1')
    .bind(account_id, person)
    .run()
}

const reasonOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body['reason']

describe('an account with four eyes', () => {
  it('locks figures to be reviewed, and files nothing at once', async () => {
    const paid = { state: 'paid', day: '2026-05-04', paid_at: '2026-05-04', payment: 2_000 }
    for (const submission of [undefined, { state: 'filed', day: '2026-05-04' }, paid])
      expect(await reasonOf(post('/v1/returns', { ...PERIOD, submission }))).toBe('review_required')
    const path = await locked()
    expect(await reasonOf(put(path, FILED))).toBe('review_required')
    expect(await reasonOf(put(path, paid))).toBe('review_required')
  })

  it('refuses each return of a batch that is to be filed at once', async () => {
    await done(post('/v1/registrations', { jurisdiction_id: 'US-WA', valid_from: '2020-01-01' }))
    const batch = { type: 'us_state', period: '2026-01', jurisdiction_ids: ['US-WA'] }
    const refused = await done(post('/v1/returns/batch', batch))
    expect(refused).toMatchObject({ results: [{ outcome: 'failed', error: { reason: 'review_required' } }] })
    const submission = { state: 'open' }
    expect(await done(post('/v1/returns/batch', { ...batch, submission }))).toMatchObject({
      results: [{ outcome: 'filed', return: { submission: { state: 'open' } } }],
    })
  })

  it('lets no keys do both, whoever made them', async () => {
    const path = await locked()
    const [of_anna, of_ben] = [await keyOf(ANNA), await keyOf(BEN)]
    await done(put(path, { state: 'reviewed' }, of_anna.key))
    for (const by of [key, of_anna.key, of_ben.key])
      expect(await reasonOf(put(path, FILED, by))).toBe('second_person_required')
  })

  it('lets a key file what a person reviewed, but no key of that person', async () => {
    const path = await locked()
    await reviewedBy(ANNA, path)
    const of_anna = await keyOf(ANNA)
    expect(await reasonOf(put(path, FILED, of_anna.key))).toBe('second_person_required')
    expect(await done(put(path, FILED, (await keyOf(BEN)).key))).toMatchObject({
      submission: { ...FILED, reviewed_by: ANNA, reviewed_person: ANNA },
    })
    // What is filed may be paid, and told again, by anybody.
    await done(put(path, FILED, of_anna.key))
    const paid = { state: 'paid', paid_at: '2026-05-06', payment: 2_000 }
    await done(put(path, paid, of_anna.key))
  })

  it('knows the person behind keys that a key of theirs made or rotated', async () => {
    const path = await locked()
    await reviewedBy(ANNA, path)
    const of_anna = await keyOf(ANNA)
    const made = await done(post('/v1/api-keys', { name: 'Another', scopes: ['*'] }, of_anna.key))
    const rotated = await done(post(`/v1/api-keys/${of_anna.id}/rotate`, {}))
    const of_ben = await keyOf(BEN)
    const taken = await done(post(`/v1/api-keys/${of_ben.id}/rotate`, {}, String(made['key'])))
    expect([made, rotated, taken].map(({ made_by }) => made_by)).toEqual([ANNA, ANNA, ANNA])
    for (const each of [made, rotated, taken])
      expect(await reasonOf(put(path, FILED, String(each['key'])))).toBe('second_person_required')
  })

  it('forgets the review of a return that is open again, and needs one of a new version', async () => {
    const path = await locked()
    await reviewedBy(ANNA, path)
    await done(put(path, { state: 'open' }))
    expect(await reasonOf(put(path, FILED))).toBe('review_required')
    await reviewedBy(ANNA, path)
    await done(post(path.replace('/submission', '/reopen'), { reason: 'An invoice was missing' }))
    expect(await reasonOf(post('/v1/returns', PERIOD))).toBe('review_required')
    const next = await locked()
    expect(next).not.toBe(path)
    expect(await reasonOf(put(next, FILED))).toBe('review_required')
  })

  it('files once, whether it is asked twice or at once', async () => {
    const path = await locked()
    await reviewedBy(ANNA, path)
    const again = { 'Idempotency-Key': 'file-once' }
    const file = () => call('PUT', path, { key, body: FILED, headers: again })
    const answers = await Promise.all([file(), put(path, FILED), file(), put(path, { state: 'open' })])
    expect(answers.map(({ status }) => status).every((status) => status < 500)).toBe(true)
    const { submission } = await done(call('GET', path.replace('/submission', ''), { key }))
    // The one that opened it took the review back, so nothing was filed after it.
    expect(submission).toMatchObject(
      (submission as Body)['state'] === 'open' ? { reviewed_by: null, day: null } : { reviewed_by: ANNA },
    )
    const repeated = await file()
    expect(repeated.text).toBe((answers[0]?.status === 200 ? answers[0] : repeated).text)
  })

  it('keeps what was filed before, and asks nothing when it is off', async () => {
    await done(put('/v1/account', { four_eyes: false }))
    const filed = await done(post('/v1/returns', PERIOD))
    await done(put('/v1/account', { four_eyes: true }))
    const path = `/v1/returns/${String(filed['id'])}/submission`
    expect(await done(put(path, FILED))).toMatchObject({ submission: FILED })
  })
})

describe('the setting four_eyes', () => {
  it('is off by default, and only who may change people changes it', async () => {
    const fresh = await newAccount()
    const read = async () => (await done(call('GET', '/v1/account', { key: fresh.key })))['four_eyes']
    expect(await read()).toBe(false)
    const scopes = ['registrations:read', 'registrations:write', 'people:read']
    const accountant = await done(post('/v1/api-keys', { scopes }, fresh.key))
    const by = String(accountant['key'])
    for (const four_eyes of [true, false])
      expect((await put('/v1/account', { four_eyes }, by)).body).toMatchObject({
        reason: 'missing_scope: people:write',
      })
    await done(put('/v1/account', { city: 'London', country: 'GB' }, by))
    await done(put('/v1/account', { four_eyes: true }, fresh.key))
    expect(await read()).toBe(true)
  })
})
