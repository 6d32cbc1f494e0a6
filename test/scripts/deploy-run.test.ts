import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSIONS_OF_TOKEN } from '../../scripts/cloudflare-access.ts'
import { migrationsIn, readRelease } from '../../scripts/kept-release.ts'
import { WORKER_FOLDER, writeModules } from '../../scripts/worker-modules.ts'
import { PROJECT, readConfig } from '../../scripts/wrangler.ts'
import { pointerKey, nowKey, RATE_BOOK } from '../../src/tax-data/book-names.ts'
import { changeConfig, freshCheckout } from './checkout.ts'
import { type CloudflareApi, serveCloudflareApi } from './cloudflare-api.ts'

const NAME = 'tax-compliance-service'
/** Everything but the data: wrangler writes it through a Worker of its own, which only Cloudflare can run. */
const CODE = '--without-data'

/** A checkout whose modules are built, so that no run builds them again. */
const project = freshCheckout()
beforeAll(() => {
  writeModules(join(project, WORKER_FOLDER), readRelease().modules)
  changeConfig(project, (text) => text.replace('upload_source_maps = true', 'upload_source_maps = false'))
})
afterAll(() => rmSync(project, { recursive: true }))

let api: CloudflareApi
beforeEach(async () => {
  api = await serveCloudflareApi()
})
afterEach(() => api.close())

/** Runs the command of `npm run deploy` with the real wrangler against the account of the test. */
async function deploy(...args: string[]): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, ['scripts/deploy.ts', ...args], {
    cwd: project,
    env: {
      ...process.env,
      CI: 'true',
      CLOUDFLARE_API_BASE_URL: api.url,
      CLOUDFLARE_API_TOKEN: 'a token for tests',
      CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)))
  return { code, printed }
}

async function deployed(...args: string[]): Promise<void> {
  const { code, printed } = await deploy(...args)
  expect(code, printed).toBe(0)
}

const script = () => {
  const found = api.account.scripts.get(NAME)
  if (found === undefined) throw new Error('The Worker was not uploaded')
  return found
}
const running = () => script().deployments[0]?.versions[0]?.version_id

/** What is there after a deploy, without ids. */
function made() {
  const { databases, namespaces, queues } = api.account
  const [database] = databases
  return {
    databases: databases.map(({ name }) => name),
    namespaces: namespaces.map(({ title }) => title),
    queues: queues.map(({ queue_name }) => queue_name).toSorted(),
    consumers: queues.map(({ consumers }) => consumers.length),
    migrations: database?.data.prepare('SELECT name FROM d1_migrations ORDER BY name').all() ?? [],
    secrets: [...script().secrets.keys()],
  }
}

const QUEUES = readConfig().queues.producers.map(({ queue }) => queue)
const WHOLE = {
  databases: [`${NAME}-db`],
  namespaces: [`${NAME}-kv`],
  queues: QUEUES.toSorted(),
  consumers: QUEUES.map(() => 1),
  migrations: migrationsIn(PROJECT).map(({ name }) => ({ name })),
  secrets: ['ENCRYPTION_KEY'],
}

describe('a token', () => {
  it('is checked first: the missing permissions are named, and nothing is changed', async () => {
    api.refuse(/^\/(d1|queues)/)
    const { code, printed } = await deploy(CODE)
    expect(code).toBe(1)
    expect(printed).toContain('D1: Edit (403: Authentication error)')
    expect(printed).toContain('Queues: Edit')
    expect(printed).not.toMatch(/KV|Scripts: Edit|wrangler/)
    expect(api.writes).toEqual([])
  })

  it('that may do nothing is told as such', async () => {
    api.refuse(/./)
    const { code, printed } = await deploy(CODE)
    expect(code).toBe(1)
    for (const name of PERMISSIONS_OF_TOKEN.slice(1)) expect(printed).toContain(name)
    expect(api.writes).toEqual([])
  })
})

describe('a deploy', () => {
  it('makes all, a second one makes nothing twice, and a rollback runs the code before', async () => {
    await deployed(CODE)
    expect(made()).toEqual(WHOLE)
    const key = script().secrets.get('ENCRYPTION_KEY')
    await deployed(CODE)
    expect(made()).toEqual(WHOLE)
    expect(script().secrets.get('ENCRYPTION_KEY')).toBe(key)

    const alike = await deploy('--rollback')
    expect(alike).toMatchObject({
      code: 1,
      printed: expect.stringContaining('all have the code that is running'),
    })
    changeCode()
    keepBooks()
    await deployed('--rollback')
    expect(running()).toBe(script().versions.at(-2)?.id)
    expect([...(api.account.namespaces[0]?.keys.keys() ?? [])]).toEqual([`${RATE_BOOK}:20260101T000000000Z`])
    const again = await deploy('--rollback')
    expect(again).toMatchObject({
      code: 1,
      printed: expect.stringContaining('already one that was rolled back'),
    })
  })

  it('that loses any answer of the first run is ended by the next one', async () => {
    await deployed(CODE)
    const writes = api.writes.length
    const points = pointsOf(api.writes)
    expect(writes).toBeGreaterThan(QUEUES.length * 2)
    for (const [n, done] of points) {
      await api.close()
      api = await serveCloudflareApi()
      api.failWrite(n, done)
      const failed = await deploy(CODE)
      expect(failed.code, `${n} ${failed.printed}`).not.toBe(0)
      await deployed(CODE)
      expect(made(), `after write ${n}`).toEqual(WHOLE)
    }
  })
})

/** One write of each kind: the number of its first in the list, and whether it was made when it failed. */
function pointsOf(writes: readonly string[]): [number, boolean][] {
  const kinds = writes.map((write) => write.replaceAll(/[0-9a-f-]{36}/g, ':id'))
  return kinds.flatMap((kind, index): [number, boolean][] =>
    kinds.indexOf(kind) === index ? [[index + 1, true]] : [],
  )
}

/** Deploys other code, as the next release would. */
function changeCode(): void {
  const last = script().versions.at(-1)
  if (last === undefined) throw new Error('There is no version')
  const next = {
    ...last,
    id: randomUUID(),
    resources: { ...last.resources, script: { etag: 'x', handlers: [] } },
  }
  script().versions.push(next)
  const [latest] = script().deployments
  if (latest === undefined) throw new Error('There is no deployment')
  const created_on = '2026-11-24T00:00:00.000Z'
  script().deployments.unshift({
    ...latest,
    created_on,
    versions: [{ version_id: next.id, percentage: 100 }],
  })
}

function keepBooks(): void {
  const names = [nowKey(RATE_BOOK), pointerKey(RATE_BOOK), nowKey('ratebook2'), 'local:current']
  for (const name of [...names, `${RATE_BOOK}:20260101T000000000Z`])
    api.account.namespaces[0]?.keys.set(name, 'x')
}
