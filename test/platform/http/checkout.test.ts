import { createExecutionContext, env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import * as office from '../../../src/service/app.ts'
import * as rules from '../../../src/sales/calculation/routes.ts'
import { checkout } from '../../../src/service/checkout.ts'

/** A new isolate. `imported`: the parts that it has imported, in their order. */
function start() {
  const imported: string[] = []
  const part = <Part>(name: string, value: Part) => {
    imported.push(name)
    return Promise.resolve(value)
  }
  const { fetch } = checkout(
    () => part('rules', rules),
    () => part('office', office),
  )
  const request = async (method: string, path: string) =>
    fetch(
      new Request(`https://tax.test${path}`, { method: method.toUpperCase() }),
      env,
      createExecutionContext(),
    )
  const ask = async (method: string, path: string) => (await request(method, path)).status
  return { ask, request, imported }
}

it.each(rules.calculationRoutes.map(({ method, path }) => [method, path] as const))(
  'answers %s %s without the office, and a calculation without the rules',
  async (method, path) => {
    const { ask, imported } = start()
    expect(await ask(method, path)).toBe(401)
    expect(imported).toEqual(path.startsWith('/v1/calculate') ? [] : ['rules'])
  },
)

it('imports each part once, and serves what it served before', async () => {
  const { ask, imported } = start()
  for (const path of ['/v1/rates', '/v1/thresholds', '/v1/customers', '/v1/rates', '/nowhere'])
    expect(await ask('get', path)).toBe(path === '/nowhere' ? 404 : 401)
  expect(await ask('post', '/v1/calculate')).toBe(401)
  expect(imported).toEqual(['rules', 'office'])
})

it('lets the office answer a method that a route does not have', async () => {
  const [calculation, rates] = [
    await start().request('get', '/v1/calculate'),
    await start().request('post', '/v1/rates'),
  ]
  expect(calculation.headers.get('Allow')).toBe('POST')
  expect(rates.headers.get('Allow')).toBe('GET')
})
