import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { insertRows } from '../../../src/platform/database/insert-rows.ts'

const version = (version: string, reason = 'test') => ({ version, recorded_at: '2026-11-21', reason })
const stored = async () =>
  (await env.DB.prepare('SELECT version, reason FROM data_versions ORDER BY version').all()).results

it('inserts rows by one statement, and by more where their text is too long for one value', async () => {
  expect(insertRows(env.DB, 'data_versions', [])).toEqual([])
  await env.DB.batch(insertRows(env.DB, 'data_versions', [version('a'), version('b')]))
  const long = insertRows(
    env.DB,
    'data_versions',
    ['c', 'd', 'e'].map((name) => version(name, 'x'.repeat(600_000))),
  )
  expect(long).toHaveLength(3)
  await env.DB.batch(long)
  expect((await stored()).map((row) => row['version'])).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('leaves out rows that exist already if it is told to, and fails for them otherwise', async () => {
  const again = [version('a', 'again'), version('f')]
  await expect(env.DB.batch(insertRows(env.DB, 'data_versions', again))).rejects.toThrow('UNIQUE')
  await env.DB.batch(insertRows(env.DB, 'data_versions', again, 'OR IGNORE'))
  expect(await stored()).toMatchObject([{ version: 'a', reason: 'test' }, {}, {}, {}, {}, { version: 'f' }])
})

it('takes tables and columns that exist, and no others', () => {
  const at = '2026-11-21'
  // @ts-expect-error there is no such table
  insertRows(env.DB, 'data_version', [version('g')])
  // @ts-expect-error a column is missing
  insertRows(env.DB, 'data_versions', [{ version: 'g', recorded_at: at }])
  // @ts-expect-error a column that may be null is misspelt
  insertRows(env.DB, 'events', [{ id: 'evt_1', type: 'x', data: '{}', created_at: at, fanned_out: null }])
  // @ts-expect-error a column has another type
  insertRows(env.DB, 'data_versions', [{ ...version('g'), reason: 7 }])
  const made = ['g'].map((name) => ({ ...version(name), comment: 'none' }))
  // @ts-expect-error the same for rows that were made elsewhere
  insertRows(env.DB, 'data_versions', made)
})
