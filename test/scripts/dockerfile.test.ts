import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { newestVersion } from '../../src/tax-data/records/store.ts'

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')
const STEPS = read('Dockerfile')
  .split('\n')
  .filter((line) => /^(RUN|CMD|FROM|COPY|USER) /.test(line))

describe('the Dockerfile', () => {
  it('has the Node of the project', () => {
    const [, major] = /^FROM node:(\d+)-/.exec(STEPS[0] ?? '') ?? []
    expect(major).toBe(JSON.parse(read('package.json')).devDependencies.node.split('.')[0])
  })

  it('takes the steps that the tests take', () => {
    expect(STEPS).toContain('RUN npm ci --no-audit --no-fund')
    expect(read('.ci/run')).toContain('npm ci --no-audit --no-fund')
    expect(STEPS).toContain('RUN npm run dev -- --prepare --persist-to /state')
    expect(STEPS.at(-1)).toBe('CMD ["npm", "run", "dev", "--", "--ip", "0.0.0.0", "--persist-to", "/state"]')
  })

  it('installs with the manifest of each workspace, without which npm ci fails', () => {
    const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
    const install = STEPS.indexOf('RUN npm ci --no-audit --no-fund')
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

  it('copies neither secrets nor state into the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', '.dev.vars', '.wrangler', 'node_modules']),
    )
  })
})

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
