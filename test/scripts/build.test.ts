import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModules, WORKER_FOLDER } from '../../scripts/built-worker.ts'
import { reachableModules } from '../../scripts/worker-modules.ts'
import { PROJECT, QUIET } from '../../scripts/wrangler.ts'
import { freshCheckout } from './checkout.ts'

const folder = freshCheckout()
beforeAll(() => void execFileSync('npm', ['run', '-s', 'build'], { cwd: folder, stdio: 'pipe' }))
afterAll(() => rmSync(folder, { recursive: true }))

describe('npm run build in a fresh clone', () => {
  it('makes every module of the Worker', () => {
    const modules = readModules(join(folder, WORKER_FOLDER))
    expect(reachableModules(modules)).toHaveLength(modules.length)
    expect(modules.length).toBeGreaterThan(3)
  })

  it.each([
    'client/src/schema.ts',
    'public/openapi.json',
    'public/taxjar/openapi.json',
    'public/docs/quickstart.html',
    'public/docs/search.json',
    'public/llms.txt',
  ])('makes %s', (path) => {
    expect(readFileSync(join(folder, path), 'utf8').length).toBeGreaterThan(100)
  })

  it('makes all that an upload needs', () => {
    const wrangler = join(PROJECT, 'node_modules/wrangler/bin/wrangler.js')
    const printed = execFileSync(process.execPath, [wrangler, 'deploy', '--env=', '--dry-run'], {
      cwd: folder,
      env: { ...process.env, ...QUIET },
      encoding: 'utf8',
    })
    expect(printed).toMatch(/Total Upload: \d+/)
    expect(printed).not.toContain('[custom build]')
  })
})
