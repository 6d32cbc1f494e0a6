import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ALARM_NAMES, alarmsOf } from '../../../src/tax-data/status/alarms.ts'
import type { Alarm } from '../../../src/tax-data/status/schemas.ts'
import { readAlarms, watchOperations } from '../../../src/tax-data/status/watch.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { dieAt } from '../../service/shards/interrupted.ts'
import { fill, ownerIn, sell } from '../../service/shards/moving.ts'
import { loadTestData } from '../../support/service-data.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()

const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const raised = (alarms: readonly Alarm[]) =>
  alarms.filter(({ status }) => status === 'warn').map(({ name, value }) => [name, value])

beforeEach(async () => {
  forgetAll()
  await env.KV.delete('operations:now')
})

describe('an alarm', () => {
  it('is raised above its threshold, and if nothing could be measured', () => {
    const alarms = alarmsOf({ dead_moves: 1, oldest_event_minutes: 15, oldest_delivery_minutes: null })
    expect(alarms).toMatchObject([
      { name: 'dead_moves', status: 'warn', value: 1, threshold: 0, message: expect.any(String) },
      { name: 'oldest_event_minutes', status: 'pass', value: 15, threshold: 15, message: null },
      { name: 'oldest_delivery_minutes', status: 'warn', value: null, message: expect.any(String) },
    ])
  })

  it('says that no tick has run', async () => {
    const alarms = await readAlarms(env, new Date())
    expect(raised(alarms)).toEqual([['minutes_since_tick', null]])
    expect(alarms[0]?.message).toMatch(/^The collectors have not run yet/)
    await watchOperations(env, new Date())
    expect((await readAlarms(env, new Date())).map(({ name }) => name)).toEqual(ALARM_NAMES)
    expect(raised(await readAlarms(env, minutes(5)))).toEqual([])
    expect(raised(await readAlarms(env, minutes(16)))).toEqual([['minutes_since_tick', 16]])
  })

  it('tells for five minutes that sessions hung in a tick, also in an isolate where they answer', async () => {
    await env.KV.put(
      'operations:now',
      JSON.stringify({ at: new Date().toISOString(), measured: { broken_sessions: 1 } }),
    )
    expect(raised(await readAlarms(env, new Date()))).toEqual([['broken_sessions', 1]])
    await watchOperations(env, new Date())
    expect(raised(await readAlarms(env, new Date()))).toEqual([])
  })

  it('is raised by the tick in which sessions hang', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hanging = new Proxy(env.DB, {
      get: (db, name) =>
        name === 'withSession'
          ? () => ({ prepare: () => ({ all: () => new Promise(() => {}) }) })
          : Reflect.get(db, name).bind(db),
    })
    const watched = watchOperations({ ...env, DB: hanging }, new Date())
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(vi.getTimerCount()).toBe(0)
      await Promise.race([watched, Promise.reject(new Error('not yet'))])
    })
    vi.useRealTimers()
    forgetAll()
    expect(raised(await readAlarms(env, new Date()))).toEqual([['broken_sessions', 1]])
  })

  it('names a dead move, an event and a delivery that wait, and a database that is down', async () => {
    const owner = await ownerIn(1)
    await fill(owner)
    const at = minutes(-30).toISOString()
    await env.DB.prepare(
      "INSERT INTO events (id, type, data, created_at) VALUES ('evt_waiting', 'sync.completed', '{}', ?)",
    )
      .bind(at)
      .run()
    const other = await ownerIn(1)
    await sell(other, 'one')
    expect(await dieAt(other, 30, false)).toBe(true)
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await watchOperations(env, minutes(10))
    expect(raised(await readAlarms(env, minutes(10)))).toEqual([
      ['dead_moves', 1],
      ['oldest_event_minutes', 40],
    ])
    expect(log.mock.calls.flat().join('\n')).toContain('"alarm":"dead_moves"')
    const dead = interceptedDatabase(shardOf(env, 1).books, () => Promise.reject(new Error('down')))
    await watchOperations({ ...env, BOOKS_1: dead }, minutes(10))
    log.mockRestore()
    expect(raised(await readAlarms(env, minutes(10)))).toContainEqual(['unreachable_databases', 1])
  })
})
