import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experimental_readRawConfig, unstable_readConfig } from 'wrangler'
import { withChanges } from '../../scripts/deploy-config.ts'
import { forDevelopment } from '../../scripts/dev-build.ts'
import { mergeConfig, partOf, type Section, sectionsOf } from '../../scripts/merge-config.ts'
import { newShard } from '../../scripts/shard-config.ts'
import { CONFIG_PATH } from '../../scripts/wrangler.ts'

type Bound = { binding: string; database_name?: string | undefined }

const read = (config: string): Section => ({ ...experimental_readRawConfig({ config }).rawConfig })

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'own-config-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What wrangler understands of wrangler.toml with the settings of an operator. */
function understood(own: string, env = '', config = CONFIG_PATH) {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'own.toml'), own)
    const path = join(folder, 'wrangler.json')
    writeFileSync(path, JSON.stringify(mergeConfig(read(config), read(join(folder, 'own.toml')))))
    return unstable_readConfig({ config: path, env })
  })
}

const OWN = `
workers_dev = false
routes = [
  { pattern = "tax.example.com", custom_domain = true },
  { pattern = "books.example.com", custom_domain = true },
]

[vars]
ACCESS_ISSUER = "https://team.cloudflareaccess.com"
PUBLIC_URL = "https://tax.example.com"

[[r2_buckets]]
binding = "BACKUPS"
bucket_name = "tax-backups"

[[send_email]]
name = "MAIL"

[[d1_databases]]
binding = "BOOKS_1"
database_name = "tax-compliance-service-books-1"
migrations_dir = "migrations"

[[ratelimits]]
name = "RATE_LIMIT_FREE"
simple = { limit = 20, period = 60 }

[env.staging.vars]
PUBLIC_URL = "https://staging.example.com"
`

describe('what an operator sets', () => {
  it('is in the configuration beside all that a release has', () => {
    const plain = unstable_readConfig({ config: CONFIG_PATH, env: '' })
    const whole = understood(OWN)
    expect(whole.routes).toHaveLength(2)
    expect(whole.vars).toMatchObject({ ENVIRONMENT: 'production', PUBLIC_URL: 'https://tax.example.com' })
    expect(whole.d1_databases.map(({ binding }: Bound) => binding)).toEqual(['DB', 'BOOKS_1'])
    expect(whole.r2_buckets.map(({ binding }: Bound) => binding)).toEqual(['BACKUPS'])
    expect(whole.ratelimits).toHaveLength(plain.ratelimits.length)
    expect(whole.ratelimits[0]).toEqual({
      name: 'RATE_LIMIT_FREE',
      namespace_id: '4101',
      simple: { limit: 20, period: 60 },
    })
    expect(whole.queues).toEqual(plain.queues)
    expect(whole.triggers).toEqual(plain.triggers)
    expect(understood(OWN, 'staging').vars).toEqual({
      ENVIRONMENT: 'staging',
      PUBLIC_URL: 'https://staging.example.com',
    })
  })

  it('changes nothing where it is silent, and wins where it speaks', () => {
    const config = read(CONFIG_PATH)
    const value = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string({ minLength: 1 })))
    const name = fc.constantFrom('workers_dev', 'vars', 'compatibility_flags', 'new_one')
    expect(mergeConfig(config, {})).toEqual(config)
    fc.assert(
      fc.property(
        fc.dictionary(name, value),
        fc.dictionary(fc.constantFrom('ENVIRONMENT', 'A'), fc.string()),
        (own, vars) => {
          const merged = mergeConfig(config, { ...own, vars })
          for (const each of Object.keys(config))
            if (!(each in own) && each !== 'vars') expect(merged[each]).toBe(config[each])
          for (const [each, set] of Object.entries(own))
            if (each !== 'vars') expect(merged[each]).toEqual(set)
          expect(merged['vars']).toEqual({ ...Object(config['vars']), ...vars })
          // A second time changes nothing.
          expect(mergeConfig(merged, { ...own, vars })).toEqual(merged)
        },
      ),
    )
  })

  it('stays through ten later releases, each pulled without a conflict', () => {
    inFolder((folder) => {
      const [upstream, mine] = [join(folder, 'upstream'), join(folder, 'mine')]
      const git = (at: string, ...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
          cwd: at,
          stdio: 'pipe',
        })
      git(folder, 'init', '-q', '-b', 'main', 'upstream')
      const config = join(upstream, 'wrangler.toml')
      copyFileSync(CONFIG_PATH, config)
      copyFileSync(join(CONFIG_PATH, '../.gitignore'), join(upstream, '.gitignore'))
      git(upstream, 'add', '.')
      git(upstream, 'commit', '-qm', 'Release 0')
      git(folder, 'clone', '-q', upstream, mine)
      writeFileSync(join(mine, 'wrangler.own.toml'), OWN)
      for (let release = 1; release <= 10; release += 1) {
        const text = readFileSync(config, 'utf8')
        // Where an operator wrote before, and at the end.
        const changed = text.replace('[vars]\n', `[vars]\nNEW_${release} = "yes"\n`)
        const limit = `\n[[ratelimits]]\nname = "LIMIT_${release}"\nnamespace_id = "51${release}"\nsimple = { limit = 1, period = 60 }\n\n[triggers]`
        writeFileSync(config, changed.replace('\n[triggers]', limit))
        git(upstream, 'commit', '-qam', `Release ${release}`)
        git(mine, 'pull', '-q', '--ff-only')
      }
      expect(git(mine, 'status', '--porcelain').toString()).toBe('')
      const whole = understood(
        readFileSync(join(mine, 'wrangler.own.toml'), 'utf8'),
        '',
        join(mine, 'wrangler.toml'),
      )
      expect(whole.vars).toMatchObject({ NEW_1: 'yes', NEW_10: 'yes', PUBLIC_URL: 'https://tax.example.com' })
      expect(whole.ratelimits.map(({ name }: { name: string }) => name)).toContain('LIMIT_10')
      expect(whole.d1_databases.map(({ binding }: Bound) => binding)).toEqual(['DB', 'BOOKS_1'])
      expect(whole.routes).toHaveLength(2)
    })
  })

  it.each(['', 'staging'])('gets the shards of "%s", each after those before it', (env) => {
    const databases = (own: string) =>
      understood(own, env).d1_databases.map(({ binding, database_name = '' }: Bound) => ({
        binding,
        database_name,
      }))
    const one = newShard(databases(''), env, 'service').section
    const two = newShard(databases(one), env, 'service')
    expect(two).toMatchObject({ binding: 'BOOKS_2', database_name: 'service-books-2' })
    expect(databases(one + two.section).map(({ binding }: Bound) => binding)).toEqual([
      'DB',
      'BOOKS_1',
      'BOOKS_2',
    ])
    expect(understood(one + two.section, env === '' ? 'staging' : '').d1_databases).toHaveLength(1)
  })
})

describe('the configuration of a deploy', () => {
  const plain = read(CONFIG_PATH)
  const nothing = { boundaries: false, environment: '', namespace: null, jurisdiction: null }

  it('is that of the operator if nothing else is asked for', () => {
    expect(withChanges(plain, nothing)).toEqual(plain)
    expect(JSON.stringify(plain)).not.toMatch(/cpu_ms|LOCAL_BOUNDARIES/)
  })

  it.each(['', 'staging'])(
    'of "%s" has the boundaries, the namespace and the place that are asked for',
    (environment) => {
      const own = { r2_buckets: [{ binding: 'A' }, { binding: 'B', jurisdiction: 'us' }] }
      const config = mergeConfig(plain, environment === '' ? own : { env: { staging: own } })
      const changed = withChanges(config, {
        boundaries: true,
        environment,
        namespace: 'abc',
        jurisdiction: 'eu',
      })
      const part = partOf(changed, environment)
      expect(changed['limits']).toEqual({ cpu_ms: 120_000 })
      expect(part['vars']).toMatchObject({ LOCAL_BOUNDARIES: 'on' })
      expect(sectionsOf(part, 'kv_namespaces')).toEqual([{ binding: 'KV', id: 'abc' }])
      expect(sectionsOf(part, 'r2_buckets')).toEqual([
        { binding: 'A', jurisdiction: 'eu' },
        { binding: 'B', jurisdiction: 'us' },
      ])
      const other = partOf(changed, environment === '' ? 'staging' : '')
      expect(JSON.stringify([other['vars'], other['kv_namespaces']])).not.toMatch(/LOCAL_BOUNDARIES|abc/)
    },
  )

  it('of development has no build and no host', () => {
    expect(forDevelopment({ ...plain, routes: [] })).toEqual({ ...plain, build: undefined })
  })
})
