import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect } from 'vitest'
import { undoMove } from '../../scripts/move-account/begin-move.ts'
import { moveAccount } from '../../scripts/move-account/move-account.ts'
import { installationOf } from '../../src/service/shards/installation.ts'
import { verifyReturns } from '../../scripts/verify/returns.ts'
import { verifyTotals } from '../../scripts/verify/totals.ts'
import { forgetPrincipals } from '../../src/parties/accounts/authenticate.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { wholeDb } from '../../src/platform/database/databases.ts'
import { readHome } from '../../src/platform/database/home-store.ts'
import { shardOf, shardsOf } from '../../src/platform/database/shards.ts'
import { dropAbandonedReturns } from '../../src/returns/archive/drop-abandoned-returns.ts'
import { deleteOldCopies } from '../../src/service/shards/delete-old-copies.ts'
import { endDeadMoves } from '../../src/service/shards/end-dead-moves.ts'
import { moveDays } from '../../src/sales/transactions/sums/move-days.ts'
import { callWith } from '../faults/faulty.ts'
import { dieAt } from '../service/shards/interrupted.ts'
import { tools } from '../service/shards/moving.ts'
import { newAccount } from './account.ts'
import { interceptedDatabase } from './intercepted-database.ts'
import type { GoodRequest } from './requests.ts'
import { call } from './service.ts'
import { keepAccountsIn } from './shards.ts'

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04']
/** A zone may move the first sales into December. Late entries of the last month have a return, too. */
const REPORTED = ['2025-12', ...MONTHS, '2026-05', '2026-06']
const ZONES = ['UTC', 'America/Chicago', 'Asia/Tokyo', 'Europe/Berlin']
const HOUR_MS = 3_600_000
const HOURS_AHEAD = HOUR_MS * 3
/** A few more than a move makes: then it ends before its process would die. */
const TRIPS_OF_A_MOVE = 70

/** Moments near the ends of months, where a time zone decides the month. */
const moments = fc
  .record({ month: fc.constantFrom(...MONTHS), day: fc.constantFrom('01', '15', '28'), hour: fc.nat(23) })
  .map(({ month, day, hour }) => `${month}-${day}T${String(hour).padStart(2, '0')}:30:00Z`)

const at = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
const pick = fc.nat(1_000)
const steps: fc.Arbitrary<Step> = fc.oneof(
  at(
    8,
    fc.record({ kind: fc.constant('sell'), moment: moments, amount: fc.integer({ min: 1, max: 90_000 }) }),
  ),
  at(2, fc.record({ kind: fc.constant('pending'), moment: moments, amount: fc.nat(5_000) })),
  at(2, fc.record({ kind: fc.constantFrom('complete', 'void'), pick })),
  at(
    5,
    fc.record({
      kind: fc.constant('refund'),
      pick,
      share: fc.integer({ min: 1, max: 100 }),
      moment: moments,
    }),
  ),
  at(
    2,
    fc.record({ kind: fc.constant('credit'), pick, share: fc.integer({ min: 1, max: 60 }), moment: moments }),
  ),
  at(7, fc.record({ kind: fc.constant('file'), month: fc.constantFrom(...MONTHS) })),
  at(4, fc.record({ kind: fc.constant('reopen'), pick })),
  at(3, fc.record({ kind: fc.constant('zone'), zone: fc.constantFrom(...ZONES) })),
  at(4, fc.record({ kind: fc.constant('tick') })),
  at(1, fc.record({ kind: fc.constant('move'), shard: fc.integer({ min: 1, max: 2 }) })),
  at(
    2,
    fc.record({
      kind: fc.constant('dead move'),
      shard: fc.integer({ min: 1, max: 2 }),
      trip: fc.integer({ min: 1, max: TRIPS_OF_A_MOVE }),
      lost: fc.boolean(),
      end: fc.constantFrom('abort', 'again', 'tick'),
      meanwhile: fc.record({ moment: moments, amount: fc.integer({ min: 1, max: 90_000 }) }),
    }),
  ),
)

type Sold = { moment: string; amount: number }
type Given = { pick: number; share: number; moment: string }
type Step =
  | ({ kind: 'sell' } & Sold)
  | ({ kind: 'pending' } & Sold)
  | { kind: 'complete'; pick: number }
  | { kind: 'void'; pick: number }
  | { kind: 'reopen'; pick: number }
  | ({ kind: 'refund' } & Given)
  | ({ kind: 'credit' } & Given)
  | { kind: 'file'; month: string }
  | { kind: 'zone'; zone: string }
  | { kind: 'tick' }
  | { kind: 'move'; shard: number }
  | DeadMove

/** A move whose process dies at a trip, a sale meanwhile, and how the move is ended. */
type DeadMove = {
  kind: 'dead move'
  shard: number
  trip: number
  lost: boolean
  end: 'abort' | 'again' | 'tick'
  meanwhile: Sold
}

/** A step, and after how many trips to the database it is killed; null: it is not. */
type Dealt = { step: Step; killed: { after: number; done: boolean } | null }

const dealt: fc.Arbitrary<Dealt> = fc.record({
  step: steps,
  killed: fc.option(fc.record({ after: fc.nat(14), done: fc.boolean() }), { freq: 5 }),
})

type Owner = { key: string; account_id: string; shard: number }

/**
 * Random writes of one account, some of them killed in the middle. After every few of them each sale must be
 * in exactly one return: the figures of all months add up to the recorded sales, and the service's own
 * reconciliation agrees.
 */
export async function runInterleaving(seed: number, length: number): Promise<void> {
  const [plan = []] = fc.sample(fc.array(dealt, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  })
  const owner = await texan(seed)
  for (const [index, each] of plan.entries()) {
    await perform(owner, each)
    if (index % 8 === 7 || index === plan.length - 1)
      await expectEachSaleOnce(owner, `seed ${seed}, ${index}`)
  }
  const { books } = shardOf(env, owner.shard)
  await settle(owner)
  expect(await verifyTotals(books, owner.account_id)).toEqual([])
  expect(await verifyReturns(books, owner.account_id)).toEqual([])
  await expectEachSaleOnce(owner, `seed ${seed}, end`)
}

async function texan(seed: number): Promise<Owner> {
  const shard = seed % 3
  keepAccountsIn(shard)
  const { key, account_id } = await newAccount()
  const profile = { country: 'US', region: 'TX', time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  const body = { jurisdiction_id: 'US-TX', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  return { key, account_id, shard }
}

const TEXAS = {
  customer: { address: { country: 'US', region: 'TX', postal_code: '78701' } },
  currency: 'USD',
}

function sale(moment: string, amount: number) {
  const line = { amount, product_type: 'physical_goods', tax_rate: 0.0825 }
  return {
    ...TEXAS,
    external_id: crypto.randomUUID(),
    transaction_date: moment,
    line_items: [{ ...line, tax_amount: Math.round(amount * 0.0825) }],
  }
}

type Listed = {
  id: string
  external_id: string
  status: string
  total: number
  subtotal: number
  tax_amount: number
  transaction_date: string
  refunds: { amount: number; tax_amount: number }[]
}

async function listed({ key }: Owner): Promise<Listed[]> {
  const found: Listed[] = []
  for (let more = true; more;) {
    const { body } = await call('GET', `/v1/transactions?limit=100&offset=${found.length}`, { key })
    found.push(...(body['transactions'] as Listed[]))
    more = body['has_more'] === true
  }
  return found
}

async function perform(owner: Owner, { step, killed }: Dealt): Promise<void> {
  if (step.kind === 'tick') return settle(owner)
  if (step.kind === 'move') return move(owner, step.shard)
  if (step.kind === 'dead move') return moveAndDie(owner, step)
  const request = await requestOf(owner, step)
  if (request === null) return
  if (killed === null) {
    const { status } = await call(request.method, request.path, { key: owner.key, body: request.body })
    expect(status, JSON.stringify(request)).toBeLessThan(500)
    return
  }
  forgetPrincipals(owner.account_id)
  await callWith(dyingBindings(owner.shard, killed), owner.key, request)
  forgetPrincipals(owner.account_id)
}

async function requestOf(
  owner: Owner,
  step: Exclude<Step, { kind: 'tick' | 'move' | 'dead move' }>,
): Promise<GoodRequest | null> {
  const post = (path: string, body: object = {}): GoodRequest => ({ method: 'POST', path, body })
  if (step.kind === 'zone') return { method: 'PUT', path: '/v1/account', body: { time_zone: step.zone } }
  if (step.kind === 'sell') return post('/v1/transactions', sale(step.moment, step.amount))
  if (step.kind === 'pending')
    return post('/v1/transactions', { ...sale(step.moment, step.amount + 1), status: 'pending' })
  if (step.kind === 'file')
    return post('/v1/returns', { type: 'us_state', jurisdiction_id: 'US-TX', period: step.month })
  if (step.kind === 'reopen') {
    const { body } = await call('GET', '/v1/returns?status=filed&limit=100', { key: owner.key })
    const one = chosen(body['returns'] as { id: string }[], step.pick)
    return one === null ? null : post(`/v1/returns/${one.id}/reopen`, { reason: 'test' })
  }
  const all = await listed(owner)
  const wanted = step.kind === 'complete' || step.kind === 'void' ? ['pending'] : ['completed', 'refunded']
  const one = chosen(
    all.filter(({ status, total }) => wanted.includes(status) && total > 0),
    step.pick,
  )
  if (one === null) return null
  if (step.kind === 'complete' || step.kind === 'void')
    return { method: 'POST', path: `/v1/transactions/${one.id}/${step.kind}`, body: undefined }
  const moment = step.moment < one.transaction_date ? one.transaction_date : step.moment
  const amount = Math.max(1, Math.floor((one.total * step.share) / 100))
  if (step.kind === 'refund')
    return post(`/v1/transactions/${one.id}/refund`, { amount, reason: 'test', refunded_at: moment })
  return post('/v1/transactions', {
    ...sale(moment, -Math.max(1, Math.floor((one.subtotal * step.share) / 100))),
    credit_note_for: { transaction_id: one.id },
  })
}

function chosen<Row>(rows: readonly Row[], pick: number): Row | null {
  return rows[pick % Math.max(rows.length, 1)] ?? null
}

const KILLED = new Error('D1_ERROR: the request was killed')

/** Bindings whose databases answer a few times; then the Worker is gone, before a trip or after it. */
function dyingBindings(shard: number, { after, done }: { after: number; done: boolean }): Bindings {
  let trips = 0
  const around = async <T>(trip: () => Promise<T>): Promise<T> => {
    trips += 1
    if (trips <= after) return trip()
    if (trips === after + 1 && done) await trip()
    throw KILLED
  }
  const { books } = shardOf(env, shard)
  const dying = interceptedDatabase(wholeDb(books), around)
  if (shard === 0) return { ...env, DB: dying }
  return { ...env, [`BOOKS_${shard}`]: dying } as Bindings
}

/** The jobs of some hours: half frozen returns go, and sales move to the days of a new time zone. */
async function settle({ shard, key }: Owner): Promise<void> {
  const { books } = shardOf(env, shard)
  const later = new Date(Date.now() + HOURS_AHEAD)
  for (const each of shardsOf(env)) await deleteOldCopies(installationOf(env), each, later)
  await dropAbandonedReturns(books, later)
  await moveDays(env.DB, books, later)
  expect((await call('GET', '/v1/account', { key })).body['days_moving']).toBe(false)
}

async function move(owner: Owner, to: number): Promise<void> {
  if (to === owner.shard) return
  await settle(owner)
  await moveAccount(tools(), owner.account_id, to)
  await findShard(owner)
}

/** A sale meanwhile is recorded, or refused whole while the books are closed. */
async function moveAndDie(owner: Owner, { shard, trip, lost, end, meanwhile }: DeadMove): Promise<void> {
  if (shard === owner.shard) return
  await settle(owner)
  const died = await dieAt(owner, trip, lost, shard)
  forgetPrincipals(owner.account_id)
  const body = sale(meanwhile.moment, meanwhile.amount)
  const { status, text } = await call('POST', '/v1/transactions', { key: owner.key, body })
  expect(died ? [201, 429] : [201], text).toContain(status)
  if (died) await endMove(owner, shard, end)
  await findShard(owner)
}

/** Ends the move of a dead process, when its lease is over: by an abort, by a second mover, or by a tick. */
async function endMove({ account_id }: Owner, to: number, end: DeadMove['end']): Promise<void> {
  const later = () => new Date(Date.now() + HOUR_MS)
  const again = () =>
    moveAccount(tools({ clock: later }), account_id, to).catch((thrown: unknown) =>
      expect(String(thrown)).toContain('already'),
    )
  if (end === 'tick') return endDeadMoves(installationOf(env), later())
  if (end === 'again') return void (await again())
  await undoMove(tools({ clock: later }), account_id).catch((thrown: unknown) => {
    expect(String(thrown)).toMatch(/There is no move|cannot be undone/)
    return String(thrown).includes('undone') ? again() : undefined
  })
}

/** Where the books are now: in one place. */
async function findShard(owner: Owner): Promise<void> {
  forgetPrincipals(owner.account_id)
  const homes = await Promise.all(
    shardsOf(env).map(async ({ number, books }) => ({
      number,
      home: await readHome(books, owner.account_id),
    })),
  )
  const open = homes.filter(({ home }) => home === 'open')
  expect(open, JSON.stringify(homes)).toHaveLength(1)
  owner.shard = open[0]?.number ?? owner.shard
}

type Figures = {
  supplies: { gross_sales: number; tax_amount: number }[]
  corrections: { taxable_amount: number; tax_amount: number }[]
  amendments: { taxable_amount: number; tax_amount: number }[]
  filed: object | null
}

/** No cent is lost or invented: what all months declare is what was sold, less what was given back. */
async function expectEachSaleOnce(owner: Owner, when: string): Promise<void> {
  const { key } = owner
  const declared = { net: 0, tax: 0 }
  for (const month of REPORTED) {
    const path = `/v1/reports/filing?type=us_state&jurisdiction_id=US-TX&period=${month}`
    const { supplies, corrections, amendments, filed } = (await call('GET', path, { key }))
      .body as unknown as Figures
    for (const each of supplies) add(declared, each.gross_sales, each.tax_amount)
    // A filed return tells what was to amend on its day. The open one after it tells what is so now.
    for (const each of [...corrections, ...(filed === null ? amendments : [])])
      add(declared, each.taxable_amount, each.tax_amount)
  }
  const sold = { net: 0, tax: 0 }
  for (const each of await listed(owner)) {
    if (each.status !== 'completed' && each.status !== 'refunded') continue
    add(sold, each.subtotal, each.tax_amount)
    for (const { amount, tax_amount } of each.refunds) add(sold, tax_amount - amount, -tax_amount)
  }
  expect({ when, ...declared }).toEqual({ when, ...sold })
  const { body } = await call('GET', '/v1/returns/reconciliation?limit=24', { key })
  const faults = (body['returns'] as { faults: string[] }[]).flatMap((each) =>
    each.faults.filter((fault) => !fault.includes('the tax office does not know them')),
  )
  expect({ when, faults, missing: body['missing'] }).toEqual({ when, faults: [], missing: [] })
}

function add(sum: { net: number; tax: number }, net: number, tax: number): void {
  sum.net += net
  sum.tax += tax
}
