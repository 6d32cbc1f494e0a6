import { expect, it } from 'vitest'
import { clientNames } from '../../scripts/client-types/client-methods.ts'
import { faultsOf } from '../../scripts/features.ts'
import { nexusRoutes } from '../../src/sales/nexus/routes.ts'

const [showsNexus] = nexusRoutes.routes

it('says of a route without a method of the client, or beyond the paths of its feature, what is missing', () => {
  const file = 'src/sales/nexus/routes.ts'
  const routes = showsNexus === undefined ? [] : [showsNexus]
  expect(faultsOf({ file, serves: ['/v1/nexus'], routes })).toEqual([])
  expect(faultsOf({ file, serves: ['/v1/'], routes })).toEqual([])
  const nameless = routes.map((route) => ({ ...route, client: null }))
  expect(faultsOf({ file, serves: ['/v1/nexus'], routes: nameless })).toEqual([
    `${file}: GET /v1/nexus has no \`client\`: name its method in the client, such as 'nexus.get'`,
  ])
  expect(faultsOf({ file, serves: ['/v1/nex', '/v1/nexus/'], routes }).join()).toMatch(
    'GET /v1/nexus is below no path of `serves`',
  )
})

it('refuses a name of the client that two routes have, or that is a method and contains one', () => {
  const named = (...clients: string[]) => clients.map((client) => ({ operation: `${client} op`, client }))
  expect(clientNames(named('nexus.get', 'nexus.count')).size).toBe(2)
  expect(() => clientNames(named('nexus.get', 'nexus.get'))).toThrow('are both nexus.get')
  expect(() => clientNames(named('nexus', 'nexus.count'))).toThrow('nexus cannot be a method and contain')
})
