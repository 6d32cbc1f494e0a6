import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetAll } from '../../src/platform/kit/memory.ts'
import { freshnessKey } from '../../src/tax-data/status/sync-state.ts'
import { tellOperator } from '../../src/service/tell-operator.ts'
import { type Behaviour, RECEIVER_DOMAIN, RESOLVER_HOST } from '../support/receiver-server.ts'
import { loadTestData } from '../support/service-data.ts'
import { behave, letters } from '../notices/subscribing.ts'

await loadTestData()

const NOW = new Date()
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

/** What a tick measured. */
async function measure(measured: object): Promise<void> {
  forgetAll()
  await env.KV.put('operations:now', JSON.stringify({ at: NOW.toISOString(), measured }))
}

async function newOperator(...behaviour: Behaviour[]) {
  const host = `o-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, behaviour)
  const bindings = { ...env, ALARM_URL: `https://${host}/hook` }
  const told = async () => (await letters(host)).map(({ body }) => JSON.parse(body).status as string)
  return { host, told, tick: (at: Date) => tellOperator(bindings, at) }
}

beforeEach(() => env.KV.delete('operations:told'))

describe('the operator', () => {
  it('is told each change once, and that all is well again', async () => {
    const { host, told, tick } = await newOperator()
    await measure({})
    await tick(later(0))
    expect(await told()).toEqual([])
    await measure({ fullest_database_percent: 81 })
    await tick(later(5))
    await measure({ fullest_database_percent: 82 })
    await tick(later(10))
    await measure({ fullest_database_percent: 82, dead_moves: 1 })
    await tick(later(15))
    await measure({})
    for (const minutes of [20, 25]) await tick(later(minutes))
    expect(await told()).toEqual(['degraded', 'degraded', 'healthy'])
    const [first, second] = (await letters(host)).map(({ body }) => JSON.parse(body))
    expect(first.text).toContain('A database is 81 % full')
    expect(first.content).toBe(first.text)
    expect(second.troubles).toEqual(['dead_moves', 'fullest_database_percent'])
  })

  it('is told by the next tick what was not received', async () => {
    const { told, tick } = await newOperator({ status: 500 }, {})
    await measure({ dead_moves: 1 })
    await expect(tick(later(0))).rejects.toThrow('ALARM_URL answers 500')
    await tick(later(5))
    await tick(later(10))
    expect(await told()).toEqual(['degraded', 'degraded'])
  })

  it('is told of a region whose data is stale', async () => {
    const { host, tick } = await newOperator()
    await measure({})
    const old = new Date(NOW.getTime() - 400 * 86_400_000).toISOString()
    const state = {
      region: 'AU',
      last_sync_at: old,
      last_successful_fetch: old,
      consecutive_failures: 0,
      parse_failures: 0,
      last_error: null,
      next_run_at: null,
      fallbacks: [],
      records_held: 0,
    }
    await env.KV.put(freshnessKey('AU'), JSON.stringify(state))
    await tick(later(0))
    expect((await letters(host)).map(({ body }) => JSON.parse(body).troubles)).toEqual([['stale AU']])
  })

  it.each([
    ['https://127.0.0.1/hook', 'must name a public host'],
    ['http://alarms.example/hook', 'must begin with https'],
    [`https://inside.${RECEIVER_DOMAIN}/hook`, 'public addresses'],
  ])('is not told at %s', async (ALARM_URL, why) => {
    await fetch(`https://${RESOLVER_HOST}/dns-query?name=inside.${RECEIVER_DOMAIN}`, {
      method: 'PUT',
      body: JSON.stringify(['10.0.0.1']),
    })
    await measure({ dead_moves: 1 })
    await expect(tellOperator({ ...env, ALARM_URL }, later(0))).rejects.toThrow(why)
  })
})
