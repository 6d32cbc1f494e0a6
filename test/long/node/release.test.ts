import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createFakeService } from '../../../client/offline/testing.ts'
import { createClient } from '../../../client/src/client.ts'
import { MONTHLY_RATES } from '../../../scripts/release/faults.ts'
import { versionOf } from '../../../scripts/release/versions.ts'
import { freshCheckout } from '../../scripts/checkout.ts'

const Manifest = z.strictObject({
  version: z.string(),
  commit: z.string(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })),
})

const project = freshCheckout()
const version = versionOf(project)
const made = join(project, 'dist/release')
afterAll(() => rmSync(project, { recursive: true }))

function git(...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd: project, encoding: 'utf8' }).trim()
}

beforeAll(() => {
  git('init', '--quiet')
  appendFileSync(join(project, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All')
  const run = spawnSync('npm', ['run', '-s', 'release', '--', '--dry-run'], {
    cwd: project,
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  // Only the day of a release decides whether the month's rates are there.
  const stops = run.stdout.split('\n').filter((line) => line.startsWith('A release would stop'))
  expect(stops.filter((line) => !line.includes(MONTHLY_RATES))).toEqual([])
})

describe('a dry run of a release, from a fresh clone', () => {
  it('changes no file of the repository, and tags nothing', () => {
    expect(git('status', '--porcelain')).toBe('')
    expect(git('tag')).toBe('')
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('makes every artefact, with its hash in the manifest', () => {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(made, 'manifest.json'), 'utf8')))
    expect(manifest).toMatchObject({ version, commit: git('rev-parse', 'HEAD') })
    expect(manifest.files.map(({ name }) => name)).toEqual([
      'NOTICE',
      `openapi-${version}.json`,
      `sbom-${version}.cdx.json`,
      `tax-compliance-${version}.tgz`,
      `tax-compliance-medusa-${version}.tgz`,
      `tax-compliance-odoo-${version}.zip`,
      `tax-compliance-shopware-${version}.tgz`,
      `tax-compliance-vendure-${version}.tgz`,
      `tax-data-${version}.json`,
      `worker-${version}.zip`,
    ])
    expect(readdirSync(made).toSorted()).toEqual(
      [...manifest.files.map(({ name }) => name), 'manifest.json'].toSorted(),
    )
    for (const { name, bytes, sha256 } of manifest.files) {
      const contents = readFileSync(join(made, name))
      expect(contents.length, name).toBe(bytes)
      expect(createHash('sha256').update(contents).digest('hex'), name).toBe(sha256)
    }
  })

  it('packs what a package names, and no tests', () => {
    for (const name of ['medusa', 'shopware', 'vendure']) {
      const file = join(made, `tax-compliance-${name}-${version}.tgz`)
      const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).split('\n')
      expect(listed).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
      expect(listed.filter((path) => /test/.test(path))).toEqual([])
    }
  })

  it('has the whole Worker, its migrations, and the addon as Odoo wants it', () => {
    const worker = Object.keys(unzipSync(new Uint8Array(readFileSync(join(made, `worker-${version}.zip`)))))
    expect(worker).toContain('worker/worker.js')
    expect(worker.filter((path) => path.startsWith('migrations/'))).toHaveLength(
      readdirSync(join(project, 'migrations')).filter((path) => path.endsWith('.sql')).length,
    )
    const addon = unzipSync(new Uint8Array(readFileSync(join(made, `tax-compliance-odoo-${version}.zip`))))
    expect(Object.keys(addon)).toContain('tax_compliance_us/__manifest__.py')
  })

  it('has the tax data in a form that the offline engine verifies and calculates with', async () => {
    const snapshot = JSON.parse(readFileSync(join(made, `tax-data-${version}.json`), 'utf8'))
    const { apiKey, fetch } = createFakeService({ snapshots: [snapshot] })
    const tax = createClient({ baseUrl: 'https://tax.test', apiKey, fetch })
    const answer = await tax.calculate({
      currency: 'EUR',
      seller: { country: 'DE', registrations: ['oss_union'] },
      customer: { address: { country: 'FR' } },
      line_items: [{ amount: 1999, product_type: 'saas' }],
    })
    expect([answer.tax_amount, answer.meta.data_version]).toEqual([400, version])
  })
})
