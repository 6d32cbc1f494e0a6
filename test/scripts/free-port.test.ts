import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'

it('finds a port that no program is given that asks for any port', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  expect(Math.min(...found)).toBeGreaterThanOrEqual(20_000)
  expect(Math.max(...found)).toBeLessThan(32_768)
})

it('passes over a port on which somebody listens', async () => {
  const taken = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve))
  const free = await freePort()
  const candidates = [taken, taken, free]
  expect(await freePort(() => candidates.shift() ?? free)).toBe(free)
  await new Promise((resolve) => server.close(resolve))
})

it('gives up if no port is free', async () => {
  const taken = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve))
  await expect(freePort(() => taken)).rejects.toThrow('none is free')
  await new Promise((resolve) => server.close(resolve))
})
