import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import type { BooksDb } from '../../src/platform/database/databases.ts'
import { withNewShard } from '../../scripts/shard-config.ts'
import { emptiestShard } from '../../src/platform/database/shard-sizes.ts'
import { CONFIG_PATH } from '../../scripts/wrangler.ts'

type Bound = { binding: string; database_name?: string | undefined }

/** The databases of an environment, as wrangler reads a text. */
function databasesOf(text: string, env: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shards-'))
  const config = join(folder, 'wrangler.toml')
  writeFileSync(config, text)
  const { d1_databases } = unstable_readConfig({ config, env })
  rmSync(folder, { recursive: true })
  return d1_databases.map(({ binding, database_name }: Bound) => `${binding} ${database_name}`)
}

it.each([
  ['', 'tax-compliance-service-db'],
  ['staging', 'tax-compliance-service-staging-db'],
])('a shard of the environment "%s" is bound after the databases before it', (env, first) => {
  const toml = readFileSync(CONFIG_PATH, 'utf8')
  const one = withNewShard(toml, env, 'service')
  const two = withNewShard(one.text, env, 'service')
  expect(two).toMatchObject({ binding: 'BOOKS_2', database_name: 'service-books-2' })
  expect(databasesOf(two.text, env)).toEqual([
    `DB ${first}`,
    'BOOKS_1 service-books-1',
    'BOOKS_2 service-books-2',
  ])
  const other = env === '' ? 'staging' : ''
  expect(databasesOf(two.text, other)).toEqual(databasesOf(toml, other))
})

it('the emptiest shard is that with the fewest bytes', async () => {
  const shard = (number: number, bytes: number) => {
    const all = async () => ({ results: [{ accounts: 1 }], meta: { size_after: bytes } })
    return { number, books: { prepare: () => ({ all }) } as unknown as BooksDb }
  }
  expect((await emptiestShard([shard(0, 900), shard(1, 200), shard(2, 300)])).number).toBe(1)
})
