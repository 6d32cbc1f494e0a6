import { setTimeout as sleep } from 'node:timers/promises'
import { makeMessageDue } from '../daily-message.ts'
import type { Drilled } from '../drilled.ts'
import { type Answer, askAs, insist, keepSale, leftOf, saleOf, type Seller } from './seller.ts'
import type { Step } from './steps.ts'

/** The service in its present life. `restart` kills it, and starts it on what is left. */
export type World = {
  service: () => Drilled
  restart: () => Promise<void>
  /** A seller makes an account, unless there are many already. */
  join: () => Promise<void>
  sellers: readonly Seller[]
  ahead_ms: number
}

const MINUTE_MS = 60_000
/** A dead mover is followed soon. A living one prolongs its lease each time a third of it is over. */
const LEASE_MS = 1_500
export const EVERY_FIVE_MINUTES = '*/5 * * * *'
const NIGHTLY = '17 3 * * *'

/** Performs a step, until it is known what became of it. Throws an Error at an answer that should not be. */
export async function perform(world: World, step: Step): Promise<void> {
  const seller = chosen(world.sellers, step.seller)
  if (seller === null) return
  switch (step.kind) {
    case 'sell':
      return sell(world, seller, step)
    case 'refund':
      return refund(world, seller, step)
    case 'undo':
      return undo(world, seller, step)
    case 'file':
    case 'reopen':
      return file(world, seller, step)
    case 'join':
      return world.join()
    case 'tell':
      return makeMessageDue(world.service(), seller, Date.now() + world.ahead_ms)
    case 'calculate':
      return calculate(world, seller, step)
    case 'move':
      return move(world, seller, step.to)
    case 'tick':
      return tick(world, step)
    case 'kill':
      return kill(world, seller, step)
  }
}

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

/** The row that a number chooses; null: there is none. */
export function chosen<Row>(rows: readonly Row[], pick: number): Row | null {
  return rows[pick % Math.max(rows.length, 1)] ?? null
}

function expectStatus({ status, body }: Answer, ...good: number[]): void {
  if (!good.includes(status)) throw new Error(`${status} ${JSON.stringify(body)}, expected ${good.join()}`)
}

async function sell(world: World, seller: Seller, { moment, amount, fault }: StepOf<'sell'>): Promise<void> {
  const wanted = { method: 'POST', path: '/v1/transactions', body: saleOf(moment, amount) }
  const answer = await insist(world.service, seller, wanted, fault)
  expectStatus(answer, 201)
  keepSale(seller, answer, moment)
}

async function refund(
  world: World,
  seller: Seller,
  { pick, percent, moment, fault }: StepOf<'refund'>,
): Promise<void> {
  const sale = chosen(
    seller.sales.filter((each) => leftOf(each) > 0),
    pick,
  )
  if (sale === null) return
  const amount = Math.max(1, Math.floor((leftOf(sale) * percent) / 100))
  const path = `/v1/transactions/${sale.id}/refund`
  const refunded_at = moment < sale.moment ? sale.moment : moment
  const wanted = { method: 'POST', path, body: { amount, reason: 'Returned', refunded_at } }
  const answer = await insist(world.service, seller, wanted, fault)
  expectStatus(answer, 200, 201)
  const made = answer.body['refund'] as (typeof sale.refunds)[number]
  sale.refunds.push({ id: made.id, amount: made.amount, tax_amount: made.tax_amount })
}

/** Deletes a refund. That of a filed period stays. If it was asked twice, the second time it is gone. */
async function undo(world: World, seller: Seller, { pick, fault }: StepOf<'undo'>): Promise<void> {
  const sale = chosen(
    seller.sales.filter(({ refunds }) => refunds.length > 0),
    pick,
  )
  const last = sale?.refunds.at(-1)
  if (sale === null || last === undefined) return
  const path = `/v1/transactions/${sale.id}/refunds/${last.id}`
  const answer = await insist(world.service, seller, { method: 'DELETE', path }, fault)
  expectStatus(answer, 200, 400, ...(answer.is_repeated ? [404] : []))
  if (answer.status !== 400) sale.refunds.pop()
}

/** Files the return of a month, or opens a filed one again. The service may refuse it. */
async function file(world: World, seller: Seller, step: StepOf<'file'> | StepOf<'reopen'>): Promise<void> {
  const { fault } = step
  if (step.kind === 'file') {
    const body = { type: 'us_state', jurisdiction_id: 'US-TX', period: step.month }
    await insist(world.service, seller, { method: 'POST', path: '/v1/returns', body }, fault)
    return
  }
  const filed = { method: 'GET', path: '/v1/returns?status=filed&limit=100' }
  const { body } = await insist(world.service, seller, filed, null)
  const one = chosen(body['returns'] as { id: string }[], step.pick)
  const wanted = { method: 'POST', path: `/v1/returns/${one?.id}/reopen`, body: { reason: 'simulated' } }
  if (one !== null) await insist(world.service, seller, wanted, fault)
}

/** What a checkout asks, with a fault of whatever store: the tax is the same. */
async function calculate(world: World, seller: Seller, { fault }: StepOf<'calculate'>): Promise<void> {
  const body = {
    currency: 'EUR',
    seller: { country: 'DE' },
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  }
  const wanted = { method: 'POST', path: '/v1/calculate', body }
  const { body: answer } = await insist(world.service, seller, wanted, fault)
  if (answer['tax_amount'] !== 1_900) throw new Error(`The tax is ${JSON.stringify(answer)}`)
}

async function move(world: World, seller: Seller, to: number): Promise<void> {
  if (to === seller.shard) return
  await world.service().deleteOldCopies()
  await world.service().move(seller.account_id, to, LEASE_MS)
  seller.shard = to
}

/** Time goes by, and the jobs run. A fault hits the tick itself, or the queues that it fills. */
async function tick(world: World, { minutes, nightly, of, fault }: StepOf<'tick'>): Promise<void> {
  world.ahead_ms += minutes * MINUTE_MS
  await world.service().set({ ahead_ms: world.ahead_ms, tick: null, queue: null, [of]: fault })
  await world.service().tick(EVERY_FIVE_MINUTES)
  if (nightly) await world.service().tick(NIGHTLY)
  // The queues deliver after a second at most.
  if (of === 'queue' && fault !== null) await sleep(1_200)
  await world.service().set({ tick: null, queue: null })
}

/** The process dies while the account moves and sells. The client insists, and the move is ended. */
async function kill(world: World, seller: Seller, { after_ms, to }: StepOf<'kill'>): Promise<void> {
  const isMoving = to !== seller.shard
  if (isMoving) await world.service().deleteOldCopies()
  const moving = isMoving
    ? world
        .service()
        .move(seller.account_id, to, LEASE_MS)
        .catch(() => undefined)
    : Promise.resolve()
  const moment = '2026-02-11T12:00:00Z'
  const wanted = { method: 'POST', path: '/v1/transactions', body: saleOf(moment, 5_000) }
  const dying = world.service()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const sent = [1, 2, 3].map(() => askAs(dying, seller, wanted, headers).catch(() => null))
  await sleep(after_ms)
  await world.restart()
  await Promise.all([moving, ...sent])
  await endMove(world, seller)
  const answer = await askAs(world.service(), seller, wanted, headers)
  expectStatus(answer, 201)
  keepSale(seller, answer, moment)
}

/** Runs the command of a killed mover again, when its lease is over. */
async function endMove(world: World, seller: Seller): Promise<void> {
  const { account_id } = seller
  const first = async (sql: string) =>
    (await world.service().batch(0, [{ sql, values: [account_id] }]))[0]?.[0]
  const open = 'SELECT to_shard FROM account_moves WHERE account_id = ? AND finished_at IS NULL'
  for (let left = await first(open); left !== undefined; left = await first(open)) {
    const busy = (thrown: unknown) => {
      if (!/Another process|taken over/.test(String(thrown))) throw thrown
    }
    await world.service().move(account_id, Number(left['to_shard']), LEASE_MS).catch(busy)
    await sleep(200)
  }
  seller.shard = Number((await first('SELECT shard FROM accounts WHERE id = ?'))?.['shard'])
}
