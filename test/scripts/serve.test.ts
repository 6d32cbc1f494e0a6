import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { copyState } from '../../scripts/serve/copy-state.ts'
import { forgetKeeper, noteKeeper, readKeeper } from '../../scripts/serve/keeper.ts'
import { lockState } from '../../scripts/serve/lock.ts'
import { openServed } from '../../scripts/serve/open-served.ts'
import { readVariables } from '../../scripts/serve/variables.ts'
import { readWorkerOptions } from '../../scripts/serve/worker-options.ts'
import { freePort } from '../../scripts/free-port.ts'
import { readConfig } from '../../scripts/wrangler.ts'

const folder = mkdtempSync(join(tmpdir(), 'serve-'))
const stateOf = (name: string) => {
  const state = join(folder, name)
  mkdirSync(state)
  return state
}
afterAll(() => rmSync(folder, { recursive: true }))

describe('the lock of a state', () => {
  it('is had once, and again after its end', () => {
    const state = stateOf('locked')
    const unlock = lockState(state)
    expect(() => lockState(state)).toThrow('Another process serves')
    unlock()
    lockState(state)()
  })

  it('ends the note of a killed service, whose port another program may have by now', async () => {
    const state = stateOf('killed')
    const stranger = createServer((_, answer) => answer.writeHead(404).end()).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    noteKeeper(state, { port: (stranger.address() as AddressInfo).port, token: 'secret' })
    const unlock = lockState(state)
    expect(await openServed(state)).toBeNull()
    unlock()
    stranger.close()
  })

  it('makes the folder for its owner alone', () => {
    const state = join(folder, 'made')
    lockState(state)()
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })
})

describe('the variables of a served service', () => {
  it('are those that the Worker knows, with an encryption key that stays', () => {
    const state = stateOf('variables')
    const first = readVariables(state, {
      PATH: '/bin',
      DB: 'x',
      PUBLIC_URL: 'https://a.example',
      SOURCE_X: 'y',
    })
    expect(first).toEqual({
      ENCRYPTION_KEY: expect.stringMatching(/^[\w-]{43}$/),
      PUBLIC_URL: 'https://a.example',
      SOURCE_X: 'y',
    })
    expect(readVariables(state, {})).toEqual({ ENCRYPTION_KEY: first['ENCRYPTION_KEY'] })
    expect(statSync(join(state, 'secrets.env')).mode & 0o777).toBe(0o600)
  })

  it('of the environment win, and then no key is made', () => {
    const state = stateOf('given')
    expect(readVariables(state, { ENCRYPTION_KEY: 'mine' })).toEqual({ ENCRYPTION_KEY: 'mine' })
    expect(readdirSync(state)).toEqual([])
  })

  it('have a key too beside secrets that were written before the first start, or an empty variable', () => {
    const state = stateOf('written')
    writeFileSync(join(state, 'secrets.env'), 'OIDC_CLIENT_SECRET=mine')
    const first = readVariables(state, { ENCRYPTION_KEY: '' })
    expect(first).toEqual({
      OIDC_CLIENT_SECRET: 'mine',
      ENCRYPTION_KEY: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(readVariables(state, { ENCRYPTION_KEY: '' })).toEqual(first)
  })
})

describe('a copy of a state', () => {
  const state = stateOf('copied')
  const file = join(state, 'v3/d1/books.sqlite')
  mkdirSync(join(state, 'v3/d1'), { recursive: true })
  mkdirSync(join(state, 'v3/r2/blobs'), { recursive: true })
  writeFileSync(join(state, 'v3/r2/blobs/one'), 'a file')
  const books = new DatabaseSync(file)
  books.exec('PRAGMA journal_mode = WAL; CREATE TABLE sales (id INTEGER); INSERT INTO sales VALUES (1)')
  afterAll(() => books.close())

  it('has the rows and the files of the moment, while others are written', () => {
    books.exec('INSERT INTO sales VALUES (2)')
    const copy = copyState(state, '2026-11-28', 2)
    books.exec('INSERT INTO sales VALUES (3)')
    const found = new DatabaseSync(join(copy, 'v3/d1/books.sqlite'))
    expect(found.prepare('SELECT count(*) AS n FROM sales').get()).toEqual({ n: 2 })
    found.close()
    expect(readFileSync(join(copy, 'v3/r2/blobs/one'), 'utf8')).toBe('a file')
  })

  it('replaces one of its name, and the oldest', () => {
    copyState(state, '2026-11-28', 2)
    copyState(state, '2026-11-29', 2)
    copyState(state, '2026-11-30', 2)
    expect(readdirSync(join(state, 'copies'))).toEqual(['2026-11-29', '2026-11-30'])
  })

  it('replaces no folder of the operator, and no copy for one that was not finished', () => {
    for (const name of ['before-upgrade', 'my-own', '2026-11-27.unfinished'])
      mkdirSync(join(state, 'copies', name))
    copyState(state, '2026-12-01', 2)
    const left = ['2026-11-30', '2026-12-01', 'before-upgrade', 'my-own']
    expect(readdirSync(join(state, 'copies'))).toEqual(left)
  })
})

describe('the keeper of a state', () => {
  it('is found by its owner alone, and not after a service that was killed', async () => {
    const state = stateOf('kept')
    expect(await openServed(state)).toBeNull()
    noteKeeper(state, { port: await freePort(), token: 'secret' })
    expect(statSync(join(state, 'serve.json')).mode & 0o777).toBe(0o600)
    expect(await openServed(state)).toBeNull()
    forgetKeeper(state)
    expect(readKeeper(state)).toBeNull()
  })
})

describe('the options of the Worker', () => {
  it('have each binding, queue and trigger of wrangler.toml', () => {
    const { d1_databases, queues, ratelimits, triggers } = readConfig()
    const options: Record<string, unknown> & ReturnType<typeof readWorkerOptions> = readWorkerOptions('')
    expect(options.cronTriggers).toEqual(triggers.crons)
    expect(Object.keys(options.d1Databases)).toEqual(d1_databases.map(({ binding }) => binding))
    expect(Object.keys(Object(options['queueProducers']))).toEqual(
      queues.producers.map(({ binding }) => binding),
    )
    expect(Object.keys(Object(options['queueConsumers']))).toEqual(queues.consumers.map(({ queue }) => queue))
    expect(Object.keys(Object(options['ratelimits']))).toEqual(ratelimits.map(({ name }) => name))
    expect(options['assets']).toMatchObject({ directory: expect.stringMatching(/public$/) })
    for (const consumer of Object.values(Object(options['queueConsumers'])))
      expect(consumer).toMatchObject({ maxRetries: 20 })
  })
})
