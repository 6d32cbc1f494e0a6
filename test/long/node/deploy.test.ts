import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nowKey, pointerKey, RATE_BOOK } from '../../../src/tax-data/records/book-names.ts'
import { versionOf } from '../../../scripts/release/versions.ts'
import { PROJECT } from '../../../scripts/wrangler.ts'
import { changeConfig } from '../../scripts/checkout.ts'
import { type CloudflareApi, serveCloudflareApi } from '../../scripts/cloudflare-api.ts'
import {
  CODE,
  DeployProject,
  type Ended,
  madeIn,
  NAME,
  wholeDeploy,
  workerOf,
} from '../../scripts/deploy-project.ts'

const SHARD = `${NAME}-books-1`
let project: DeployProject
let api: CloudflareApi
beforeEach(async () => {
  project = new DeployProject()
  api = await serveCloudflareApi()
})
afterEach(async () => {
  await api.close()
  project.remove()
})

const made = () => madeIn(api.account)
const worker = () => workerOf(api.account)
const running = () => worker().deployments[0]?.versions[0]?.version_id
const deploy = (...args: string[]): Promise<Ended> => project.run(api, 'deploy.ts', ...args)

async function deployed(...args: string[]): Promise<void> {
  const { code, printed } = await deploy(...args)
  expect(code, printed).toBe(0)
}

async function refused(message: string, ...args: string[]): Promise<void> {
  const writes = api.writes.length
  expect(await deploy(...args)).toMatchObject({ code: 1, printed: expect.stringContaining(message) })
  expect(api.writes).toHaveLength(writes)
}

describe('a deploy', () => {
  it('makes all, a second one makes nothing twice, and a rollback runs the code before', async () => {
    await deployed(CODE)
    expect(made()).toEqual(wholeDeploy())
    const key = worker().secrets.get('ENCRYPTION_KEY')
    await deployed(CODE)
    expect(made()).toEqual(wholeDeploy())
    expect(worker().secrets.get('ENCRYPTION_KEY')).toBe(key)

    // The checkout of the test has no git. Each deploy, and the secret of the first one, is a version.
    const { printed } = await project.run(api, 'show-deployed.ts')
    const version = versionOf(PROJECT)
    const runs = printed.split('\n').filter((line) => /^(runs|before) /.test(line))
    expect(runs.filter((line) => line.includes(` ${version} `))).toHaveLength(3)
    expect(printed).toContain(`this checkout  ${version}\n`)
    await refused('all have the code that is running', '--rollback')
    api.account.deployOtherCode(NAME)
    keepBooks()
    await deployed('--rollback')
    expect(running()).toBe(worker().versions.at(-2)?.id)
    expect([...(api.account.namespaces[0]?.keys.keys() ?? [])]).toEqual([`${RATE_BOOK}:20260101T000000000Z`])
    await refused('already one that was rolled back', '--rollback')
  })

  it('that loses any answer of the first run is ended by the next one', async () => {
    await deployed(CODE)
    const points = firstOfEachKind(api.writes)
    expect(points.length).toBeGreaterThan(5)
    const chosen = shareOfToday(points)
    let failures = 0
    for (const n of chosen) {
      await api.close()
      api = await serveCloudflareApi()
      api.failWrite(n, true)
      // wrangler repeats some requests by itself.
      if ((await deploy(CODE)).code !== 0) failures += 1
      await deployed(CODE)
      expect(made(), `after write ${n}`).toEqual(wholeDeploy())
    }
    if (chosen.length === points.length) expect(failures).toBeGreaterThan(3)
  })

  it('in a jurisdiction makes all databases there, also later ones, and refuses another one', async () => {
    changeConfig(project.folder, (text) =>
      text.replace(
        '[[kv_namespaces]]',
        '[[r2_buckets]]\nbinding = "BACKUPS"\nbucket_name = "backups"\n\n[[kv_namespaces]]',
      ),
    )
    await deployed(CODE, '--jurisdiction', 'eu')
    await deployed(CODE)
    const { code, printed } = await project.run(api, 'shards.ts', 'add', '--remote')
    expect(code, printed).toBe(0)
    expect(made()).toEqual(wholeDeploy([SHARD]))
    expect(api.account.databases.map(({ jurisdiction }) => jurisdiction)).toEqual(['eu', 'eu'])
    for (const { resources } of worker().versions)
      expect(resources.bindings).toContainEqual(
        expect.objectContaining({ name: 'BACKUPS', jurisdiction: 'eu' }),
      )
    await refused('is in eu. D1 takes a jurisdiction only when', CODE, '--jurisdiction', 'us')
    await refused('must be one of eu, us', CODE, '--jurisdiction', 'de')
  })

  it('with the settings of an operator keeps them through an upgrade and back, and says before what it will do', async () => {
    const own = join(project.folder, 'wrangler.own.toml')
    writeFileSync(
      own,
      '[vars]\nPUBLIC_URL = "https://tax.example.com"\n\n[[r2_buckets]]\nbinding = "BACKUPS"\nbucket_name = "backups"\n',
    )
    const before = readFileSync(join(project.folder, 'wrangler.toml'), 'utf8')
    const bound = () =>
      worker()
        .versions.at(-1)
        ?.resources.bindings.map(({ name }) => name)
    const told = async () => {
      const { code, printed } = await deploy(CODE, '--dry-run')
      expect(code, printed).toBe(0)
      return printed.split('\n').filter((line) => line.startsWith('- '))
    }
    expect(await told()).toContain(`- The name ${NAME} is free: this is a first deploy`)
    expect(api.writes).toEqual([])
    await deployed(CODE)
    const { code, printed } = await project.run(api, 'shards.ts', 'add', '--remote')
    expect(code, printed).toBe(0)
    expect(made()).toEqual(wholeDeploy([SHARD]))
    const settings = ['PUBLIC_URL', 'BACKUPS', 'BOOKS_1']
    expect(bound()).toEqual(expect.arrayContaining(settings))
    // The release has not been touched, so a pull replaces the file.
    expect(readFileSync(join(project.folder, 'wrangler.toml'), 'utf8')).toBe(before)
    changeConfig(project.folder, (text) => text.replace('[vars]\n', '[vars]\nNEW = "yes"\n'))
    const lines = await told()
    expect(lines).toContain('- New bindings and variables: NEW')
    expect(lines).toContain('- No migration is pending')
    expect(lines.join()).not.toContain('TAKEN AWAY')
    api.account.deployOtherCode(NAME)
    expect((await told()).at(-1)).toMatch(/^- A rollback would then run .* again/)
    const running_before = running()
    await deployed(CODE)
    expect(bound()).toEqual(expect.arrayContaining([...settings, 'NEW']))
    await deployed('--rollback')
    expect(running()).toBe(running_before)
    // Who forgets the file is warned.
    rmSync(own)
    expect((await told()).find((line) => line.includes('TAKEN AWAY'))).toMatch(/BACKUPS/)
  })

  it('without a jurisdiction gets none later', async () => {
    await deployed(CODE)
    expect(api.account.databases.map(({ jurisdiction }) => jurisdiction)).toEqual([null])
    await refused('is in no jurisdiction. D1 takes', CODE, '--jurisdiction', 'eu')
  })

  it('of an added shard is not rolled back to a release that does not serve it', async () => {
    await deployed(CODE)
    const { code, printed } = await project.run(api, 'shards.ts', 'add', '--remote')
    expect(code, printed).toBe(0)
    expect(made()).toEqual(wholeDeploy([SHARD]))
    await deployed(CODE)
    expect(made()).toEqual(wholeDeploy([SHARD]))
    api.account.deployOtherCode(NAME)
    for (const { resources } of worker().versions.slice(0, -1))
      resources.bindings = resources.bindings.filter(({ name }) => name !== 'BOOKS_1')
    await refused('no binding for BOOKS_1', '--rollback')
  })

  it('with replicas switches them off again if a session does not answer', async () => {
    const broken = { checks: { operations: { alarms: [{ name: 'broken_sessions', status: 'warn' }] } } }
    const service = createServer((_, response) => void response.end(JSON.stringify(broken)))
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const address = service.address()
    const port = typeof address === 'object' ? address?.port : 0
    try {
      const { code, printed } = await deploy(CODE, '--replicas', '--url', `http://127.0.0.1:${port}`)
      expect(code, printed).toBe(1)
      expect(printed).toContain('read replication is off again')
      expect(made()).toEqual(wholeDeploy())
      const [database] = api.account.databases
      expect(database?.replication).toBe('disabled')
      expect(api.writes.filter((write) => write === `PUT /d1/database/${database?.uuid}`)).toHaveLength(2)
    } finally {
      await new Promise((resolve) => service.close(resolve))
    }
  })
})

/** The numbers, from 1, of the first write of each kind. */
function firstOfEachKind(writes: readonly string[]): number[] {
  const kinds = writes.map((write) => write.replaceAll(/[0-9a-f-]{36}/g, ':id'))
  return kinds.flatMap((kind, index) => (kinds.indexOf(kind) === index ? [index + 1] : []))
}

/** With fewer seeds than 20, SEEDS of 20 parts, which are others each day. */
function shareOfToday(points: readonly number[]): readonly number[] {
  const seeds = Math.min(Number(process.env['SEEDS'] ?? 20), 20)
  const size = Math.ceil((points.length * seeds) / 20)
  const first = Math.floor(Date.now() / 86_400_000) * size
  return Array.from({ length: size }, (_, index) => points[(first + index) % points.length] ?? 1)
}

function keepBooks(): void {
  const names = [nowKey(RATE_BOOK), pointerKey(RATE_BOOK), nowKey('ratebook2'), 'local:current']
  for (const name of [...names, `${RATE_BOOK}:20260101T000000000Z`])
    api.account.namespaces[0]?.keys.set(name, 'x')
}
