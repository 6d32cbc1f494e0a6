import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { calculationRoutes } from '../../../src/sales/calculation/routes.ts'
import { unchecked } from '../../../src/platform/database/databases.ts'
import { fromNearest, probeSession, sessionsAreBroken } from '../../../src/platform/database/sessions.ts'
import { callWith } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { requestTo } from '../../support/requests.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
await loadTestData()
const account = crypto.randomUUID()
const { key } = await newAccount({ account })

/** A database of which each query through a session waits for ever, as it was seen in production. */
function hanging(): { bindings: Bindings; sessions: () => number } {
  let sessions = 0
  const never = () => new Promise<never>(() => undefined)
  const statement = { bind: () => statement, all: never, first: never, run: never, raw: never }
  const DB = new Proxy(env.DB, {
    get(db, name) {
      if (name === 'withSession')
        return () => {
          sessions += 1
          return { prepare: () => statement, batch: never, getBookmark: () => null }
        }
      const member: unknown = Reflect.get(db, name)
      return typeof member === 'function' ? member.bind(db) : member
    },
  })
  return { bindings: { ...env, DB }, sessions: () => sessions }
}

/** How long those waited who waited to the end: a request may wait once, however busy the machine is. */
function endedWaits(): () => unknown[] {
  const ended: unknown[] = []
  const { setTimeout } = globalThis
  vi.stubGlobal('setTimeout', (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const atEnd = () => {
      ended.push(ms)
      act(...given)
    }
    return setTimeout(atEnd, ms)
  })
  return () => [...ended]
}

beforeEach(forgetAll)
afterEach(() => {
  vi.unstubAllGlobals()
  forgetAll()
})

const named = calculationRoutes.routes.map((route) => ({ route, name: `${route.method} ${route.path}` }))

describe('sessions that hang', () => {
  it.each(named)('$name is answered after one second, and later at once', async ({ route }) => {
    const request = await requestTo(route, key)
    const { bindings, sessions } = hanging()
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const ended = endedWaits()
    // A key that this isolate does not have in memory.
    const answer = async () => {
      const unread = await newAccount({ account })
      const { status, text } = await callWith(bindings, unread.key, request)
      expect(status, text).toBe(route.status)
    }
    await answer()
    expect([sessions(), ended()]).toEqual([1, [1_000]])
    for (let again = 0; again < 3; again += 1) await answer()
    expect([sessions(), ended()]).toEqual([1, [1_000]])
    const lines = log.mock.calls.flat().filter((line) => String(line).includes('session'))
    log.mockRestore()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('No answer within 1000 ms')
  })

  it('do not delay a calculation for a saved customer either', async () => {
    const customer = await call('POST', '/v1/customers', { key, body: { name: 'Ann' } })
    const body = {
      customer_id: customer.body['id'],
      customer: { address: { country: 'DE' } },
      currency: 'EUR',
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    }
    forgetAll()
    const ended = endedWaits()
    const request = { method: 'POST', path: '/v1/calculate', body }
    expect((await callWith(hanging().bindings, key, request)).status).toBe(200)
    expect(ended()).toEqual([1_000])
  })

  it('are found by a probe', async () => {
    expect(await probeSession(env.DB)).toBe(true)
    expect(sessionsAreBroken()).toBe(false)
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await probeSession(hanging().bindings.DB)).toBe(false)
    log.mockRestore()
    expect(sessionsAreBroken()).toBe(true)
  })
})

describe('sessions that answer', () => {
  it('answer, and their failures are failures', async () => {
    const read = (db: Parameters<typeof unchecked>[0]) => unchecked(db).prepare('SELECT 1 AS n').first('n')
    expect(await fromNearest(env.DB, read)).toBe(1)
    const failing = () => Promise.reject(new Error('down'))
    await expect(fromNearest(env.DB, failing)).rejects.toThrow('down')
    expect(sessionsAreBroken()).toBe(false)
  })
})
