import { createExecutionContext, createMessageBatch, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { onMessages, onTick } from '../../src/service/background.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { callWith } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { requestTo } from '../support/requests.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
const RESTING = { ...env, MAINTENANCE: 'on' }

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = (await newAccount()).key
})

it('answers 503 to all that is not a calculation, and goes on to calculate', async () => {
  for (const route of ROUTES) {
    const method = route.method.toUpperCase()
    if (route.scope === 'tax:read') continue
    const path = route.path.replaceAll(/:\w+/g, 'any')
    const answer = await callWith(RESTING, key, { method, path, body: method === 'GET' ? undefined : {} })
    expect(answer.status, `${method} ${path}`).toBe(503)
    expect(answer.body).toMatchObject({ error_code: 'INTERNAL_ERROR', reason: 'maintenance' })
  }
  const calculate = ROUTES.find(({ path }) => path === '/v1/calculate')
  if (calculate === undefined) throw new Error('There is no calculation')
  expect((await callWith(RESTING, key, await requestTo(calculate, key))).status).toBe(200)
})

it('looks up no key of an agent, because it may be one of the past', async () => {
  const params = { name: 'get_nexus', arguments: {} }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await callWith(RESTING, 'tcs_test_nothing', { method: 'POST', path: '/mcp', body })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('maintenance')
})

it('says when to come back, and refuses calendars and the form of TaxJar', async () => {
  const { app } = await import('../../src/service/app.ts')
  for (const path of ['/v1/customers', '/v2/customers', '/calendar/any.ics']) {
    const headers = { Authorization: `Bearer ${key}` }
    const request = new Request(`https://service.test${path}`, { headers })
    const response = await app.fetch(request, RESTING, createExecutionContext())
    expect(response.status, path).toBe(503)
    expect(response.headers.get('Retry-After'), path).toBe('60')
  }
})

it('skips ticks and messages, whose rows stay due, but for the erasures that a restore would undo', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const prepare = vi.spyOn(env.DB, 'prepare')
  await onTick(createScheduledController({ cron: '*/5 * * * *' }), RESTING)
  const batch = createMessageBatch('webhook-deliveries', [
    { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'delivery', id: 'dlv_1', shard: 0 } },
  ])
  const acknowledge = vi.spyOn(batch, 'ackAll')
  await onMessages(batch, RESTING, createExecutionContext())
  expect(acknowledge).toHaveBeenCalledOnce()
  expect(prepare.mock.calls.flat().filter((sql) => !sql.includes(' FROM erasures '))).toEqual([])
  expect(log.mock.calls.flat().join('\n')).toContain('MAINTENANCE')
  prepare.mockRestore()
  log.mockRestore()
})
