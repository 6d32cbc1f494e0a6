import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const state = mkdtempSync(join(tmpdir(), 'keys-'))
let bindings: Awaited<ReturnType<typeof openLocal>>
let key_id = ''

/** As an operator types it after `npm run keys --`. */
async function keys(...args: string[]): Promise<string> {
  const options = ['scripts/keys.ts', ...args, '--persist-to', state]
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: PROJECT })
  return stdout
}

beforeAll(async () => {
  bindings = await openLocal(state)
  const made: unknown = JSON.parse(
    await keys(
      'create',
      '--account',
      'Acme',
      '--scopes',
      'tax:read,keys:write,audit:read,vat:write',
      '--json',
    ),
  )
  key_id = String(Object(made).key_id)
})

afterAll(async () => {
  await bindings.dispose()
  rmSync(state, { recursive: true })
})

const setEnd = (revoked_at: string | null) =>
  bindings.db.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?').bind(revoked_at, key_id).run()
const end = () =>
  bindings.db.prepare('SELECT revoked_at FROM api_keys WHERE id = ?').bind(key_id).first<string>('revoked_at')

describe('revoking a key on the command line', () => {
  it('ends also one that a rotation left some hours', async () => {
    await setEnd('2999-01-01T00:00:00.000Z')
    await keys('revoke', key_id)
    expect(String(await end()) <= new Date().toISOString()).toBe(true)
  })

  it('keeps the moment at which it was revoked before', async () => {
    await setEnd('2026-01-01T00:00:00.000Z')
    expect(JSON.parse(await keys('revoke', key_id, '--json'))).toMatchObject({
      key_id,
      revoked_at: '2026-01-01T00:00:00.000Z',
    })
    expect(await end()).toBe('2026-01-01T00:00:00.000Z')
  })
})

describe('making a key on the command line', () => {
  it.each([
    ['shop-dev', 'tcs_test_'],
    ['Dev-shop', 'tcs_live_'],
  ])('of a new account %s makes one that begins with %s', async (account, begin) => {
    const { key, key_id: made } = JSON.parse(await keys('create', '--account', account, '--json'))
    expect(key.startsWith(begin)).toBe(true)
    await bindings.db.prepare('DELETE FROM api_keys WHERE id = ?').bind(made).run()
  })
})

describe('listing the keys', () => {
  it('gives the scopes as a list in JSON', async () => {
    expect(JSON.parse(await keys('list', '--json'))).toMatchObject([
      { key_id, scopes: ['tax:read', 'keys:write', 'audit:read', 'vat:write'] },
    ])
  })

  it('shows a person every scope', async () => {
    expect(await keys('list')).toContain('tax:read keys:write audit:read vat:write')
  })
})

/** The command needs a second or two to start, and asks again for ten. */
const LOCKED_MS = 7_000

describe('a key that is made while the service writes', () => {
  it('waits until the database is free', async () => {
    const files = globSync(join(state, 'v3/d1/**/*.sqlite')).map((path) => new DatabaseSync(path))
    for (const file of files) file.exec('BEGIN IMMEDIATE')
    const made = keys('create', '--account', 'Busy', '--json')
    await Promise.race([setTimeout(LOCKED_MS), made])
    for (const file of files) {
      file.exec('ROLLBACK')
      file.close()
    }
    expect(JSON.parse(await made)).toMatchObject({ key: expect.stringMatching(/^tcs_/) })
    const listed = JSON.parse(await keys('list', '--json')) as { account: string }[]
    expect(listed.filter(({ account }) => account === 'Busy')).toHaveLength(1)
  })
})

describe('the expiry of a new key', () => {
  it.each(['2030-02-30', '9999-12-31T23:59:59-10:00'])('is refused as %s', async (text) => {
    await expect(keys('create', '--account', 'Acme', '--expires-at', text)).rejects.toThrow(
      '--expires-at must be a date or a timestamp',
    )
  })
})
