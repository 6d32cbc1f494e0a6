import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { newestVersion } from '../../src/tax-data/records/store.ts'

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')
const STEPS = read('Dockerfile.demo')
  .replaceAll(/ *\\\n */g, ' ')
  .split('\n')
  .filter((line) => /^(RUN|CMD|FROM|COPY|USER|HEALTHCHECK) /.test(line))

describe('the image of the demo', () => {
  it('has the Node of the project', () => {
    const { node }: { node: string } = JSON.parse(read('package.json')).devDependencies
    expect(STEPS[0]).toBe(`FROM node:${node}-bookworm-slim`)
    expect(read('.nvmrc')).toBe(`${node}\n`)
  })

  it('takes the steps that the tests take', () => {
    expect(STEPS.join('\n')).toContain('RUN npm ci --no-audit --no-fund && ')
    expect(read('.ci/run')).toContain('npm ci --no-audit --no-fund')
    expect(STEPS).toContain('RUN npm run dev -- --prepare --persist-to /state')
    expect(STEPS.at(-1)).toBe(
      'CMD ["npm", "run", "dev", "--", "--ip", "0.0.0.0", "--persist-to", "/state", "--no-ticks"]',
    )
  })

  it('installs with the manifest of each workspace, without which npm ci fails', () => {
    const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
    const install = STEPS.findIndex((step) => step.startsWith('RUN npm ci '))
    expect(workspaces).not.toEqual([])
    for (const folder of workspaces)
      expect(STEPS.slice(0, install)).toContain(`COPY --chown=node:node ${folder}/package.json ${folder}/`)
  })

  it('runs the packages and the service as a user without rights, who owns the state', () => {
    const user = STEPS.indexOf('USER node')
    expect(STEPS.slice(0, user)).toContain('RUN mkdir /state && chown node:node /app /state')
    expect(user).toBeLessThan(STEPS.findIndex((step) => step.includes('npm')))
    expect(STEPS.filter((step) => step.startsWith('USER'))).toEqual(['USER node'])
  })

  it('removes only packages of the tests, which the service neither is built from nor runs with', () => {
    const [, removed = ''] = /npm uninstall --no-save --no-audit --no-fund (.+)/.exec(STEPS.join('\n')) ?? []
    const { devDependencies }: { devDependencies: object } = JSON.parse(read('package.json'))
    const served = importsOf(['scripts/dev.ts', 'scripts/generate.ts', 'scripts/write-worker.ts'])
    expect(served).toContain('esbuild')
    expect(served).not.toContain('vitest')
    for (const name of removed.split(' ')) {
      expect(Object.keys(devDependencies)).toContain(name)
      expect(served).not.toContain(name)
    }
  })

  it('is checked by its health', async () => {
    const [, check = '""'] = /^HEALTHCHECK .* CMD \["node", "-e", (".*")\]$/.exec(STEPS.at(-2) ?? '') ?? []
    const asked = (status: number) => {
      const script = `const fetch = async () => new Response('', { status: ${status} })\n${JSON.parse(check)}`
      return spawnSync(process.execPath, ['-e', script]).status
    }
    expect([asked(200), asked(503)]).toEqual([0, 1])
  })

  it('copies neither secrets nor state into the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', '.dev.vars', '.wrangler', 'node_modules']),
    )
  })

  it('copies each file that the service is built from', () => {
    const lines = read('.dockerignore').split('\n')
    const folders = lines.filter((line) => /^[\w.]/.test(line)).map((line) => line.replace(/\/\*$/, ''))
    const isLeftOut = (path: string) =>
      folders.some((folder) => path.startsWith(`${folder}/`)) && !lines.includes(`!${path}`)
    const built = importsOf(['scripts/dev.ts', 'scripts/generate.ts', 'scripts/write-worker.ts'])
    expect(built).toContain('plugins/doors.json')
    expect(built.filter((path) => existsSync(join(PROJECT, path)) && isLeftOut(path))).toEqual([])
  })
})

describe('the image of the service', () => {
  const lines = read('Dockerfile')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
  const last = lines.slice(lines.lastIndexOf('FROM ${NODE_IMAGE}'))

  it('is made from the Node of the project, by its digest', () => {
    const { node }: { node: string } = JSON.parse(read('package.json')).devDependencies
    const [, version = ''] =
      /^ARG NODE_IMAGE=node:([\d.]+)-bookworm-slim@sha256:[0-9a-f]{64}$/m.exec(read('Dockerfile')) ?? []
    expect(version).toBe(node)
    expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
      'FROM ${NODE_IMAGE} AS built',
      'FROM ${NODE_IMAGE}',
    ])
  })

  it('has no development packages, and runs as a user without rights', () => {
    expect(last.findIndex((line) => line === 'USER node')).toBeLessThan(
      last.findIndex((line) => line.startsWith('RUN npm ci --omit=dev ')),
    )
    expect(last.filter((line) => line.includes('npm ci'))).toHaveLength(1)
    const { devDependencies }: { devDependencies: object } = JSON.parse(read('package.json'))
    const imported = importsOf(OF_THE_MACHINE)
    expect(imported).toContain('miniflare')
    expect(imported.filter((name) => Object.hasOwn(devDependencies, name) && name !== 'esbuild')).toEqual([])
  })

  it('has each file that the service and its commands read', () => {
    const copied = last.flatMap((line) => /^COPY .* (\w+)(?:\/\w+)?$/.exec(line)?.[1] ?? [])
    const folders = importsOf(OF_THE_MACHINE).flatMap((path) => /^(\w+)\//.exec(path)?.[1] ?? [])
    expect([...new Set(folders)].filter((name) => !copied.includes(name))).toEqual([])
    expect(copied).toEqual(expect.arrayContaining(['data', 'migrations', 'public', 'dist']))
  })
})

/** What runs in the image of the service. */
const OF_THE_MACHINE =
  `serve serve/prepare serve/copy keys accounts people backup restore-backup verify-totals
  verify-returns verify-audit verify-shards`
    .split(/\s+/)
    .map((name) => `scripts/${name}.ts`)

/** The packages and files that these files import, and the files that they import. */
function importsOf(paths: readonly string[]): string[] {
  const found = new Set<string>()
  const follow = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    if (!/^[\w.-]+\/.*\.(ts|tsx|mjs|js)$/.test(path) || path.startsWith('@')) return
    // A generator writes imports, too.
    if (!existsSync(join(PROJECT, path))) return
    for (const [, imported = ''] of read(path).matchAll(/(?:from|import\(|require\(|import) ?'([^']+)'/g))
      follow(
        imported.startsWith('.')
          ? join(dirname(path), imported)
          : imported
              .split('/')
              .slice(0, imported.startsWith('@') ? 2 : 1)
              .join('/'),
      )
  }
  for (const path of paths) follow(path)
  return [...found]
}

describe('npm run dev -- --prepare', () => {
  const state = mkdtempSync(join(tmpdir(), 'prepared-'))
  afterAll(() => rmSync(state, { recursive: true }))
  const prepare = () =>
    spawnSync(process.execPath, ['scripts/dev.ts', '--prepare', '--persist-to', state], {
      cwd: PROJECT,
      encoding: 'utf8',
    })

  it('loads the data, ends, and makes neither a key nor a secret', async () => {
    const { status, stdout } = prepare()
    expect([status, stdout]).toEqual([0, expect.stringMatching(/Publishing the rate book: done/)])
    expect([existsSync(join(state, 'demo-key.json')), existsSync(join(state, 'development.env'))]).toEqual([
      false,
      false,
    ])
    const { db, dispose } = await openLocal(state)
    expect(await newestVersion(db)).toMatch(/^\d{8}T/)
    expect(await db.prepare('SELECT count(*) AS n FROM api_keys').first('n')).toBe(0)
    await dispose()
  })

  it('applies and publishes nothing again', () => {
    const { status, stdout } = prepare()
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/Applying|Publishing/)
  })
})
