import type { ControlDb } from '../src/platform/database/databases.ts'
import { parseArgs } from 'node:util'
import { createAccountAndKey, type NewAccountAndKey } from './create-account-and-key.ts'
import { SCOPES } from '../src/platform/database/values/scopes.ts'
import { TIER_IDS } from '../src/platform/tiers.ts'
import { Moment } from '../src/platform/http/fields.ts'
import { type Bindings, DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { emptiestShard } from '../src/platform/database/shard-sizes.ts'
import { shardNumbered } from './shard-numbered.ts'
import { readAccountNamed } from '../src/parties/accounts/store.ts'
import { whileBusy } from './while-busy.ts'

const USAGE = `Usage:
  npm run keys -- create --account "Acme" [--tier TIER] [--scopes '*'] [--sandbox] [--expires-at MOMENT]
  npm run keys -- list
  npm run keys -- revoke KEY_ID

  --account      the name of the account; a new name makes a new account
  --tier         the tier of a new account: ${TIER_IDS.join(', ')} (default free)
  --scopes       scopes separated by commas (default *): ${SCOPES.join(', ')}
  --expires-at   the end of the key, e.g. 2027-01-01T00:00:00Z (default never)
  --sandbox      make a new account for tests; its keys begin with tcs_test_ (also if its name ends with -dev)
  --json         print one JSON object and nothing else
  --persist-to   the folder of the local database, as for npm run dev (default ${DEFAULT_STATE})
  --remote       use the deployed database, not the local one
  --env          the deployed service, e.g. staging (default production)`

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    return
  }
  const { positionals, values } = readArguments()
  const [command, ...rest] = positionals
  const print = values.json ? (result: object) => console.log(JSON.stringify(result)) : printPlainly
  if (command === 'create' && rest.length === 0) {
    const request = readCreate(values)
    print(await using(values, (bindings) => create(bindings, request, values.tier)))
  } else if (command === 'list' && rest.length === 0) print(await using(values, ({ db }) => listKeys(db)))
  else if (command === 'revoke' && rest[0] !== undefined && rest.length === 1) {
    const [key_id] = rest
    print(await using(values, ({ db }) => revokeKey(db, key_id)))
  } else throw new Error(USAGE)
}

type Values = ReturnType<typeof readArguments>['values']

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        tier: { type: 'string' },
        scopes: { type: 'string', default: '*' },
        'expires-at': { type: 'string' },
        sandbox: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        remote: { type: 'boolean', default: false },
        env: { type: 'string', default: '' },
        'persist-to': { type: 'string', default: DEFAULT_STATE },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error })
  }
}

function readCreate(values: Values) {
  const account = values.account?.trim()
  if (account === undefined || account === '') throw new Error(`--account is required\n\n${USAGE}`)
  return {
    account,
    tier: oneOf(TIER_IDS, values.tier ?? 'free', 'tier'),
    scopes: values.scopes.split(',').map((scope) => oneOf(SCOPES, scope.trim(), 'scope')),
    sandbox: values.sandbox || account.endsWith('-dev'),
    expires_at: readExpiry(values['expires-at']),
  }
}

function oneOf<T extends string>(allowed: readonly T[], value: string, what: string): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw new Error(`There is no ${what} "${value}". Use one of ${allowed.join(', ')}`)
  return found
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const { data: moment } = Moment.safeParse(text)
  if (moment === undefined)
    throw new Error(`--expires-at must be a date or a timestamp, e.g. 2027-01-01T00:00:00Z, not "${text}"`)
  if (moment <= new Date().toISOString())
    throw new Error(`--expires-at ${text} is in the past. Give a later time`)
  return moment
}

/** Repeats the work while the running service holds the local database: each of its writes is one batch. */
async function using<T>(values: Values, work: (bindings: Bindings) => Promise<T>): Promise<T> {
  const bindings = await (values.remote ? openRemote(values.env) : openLocal(values['persist-to']))
  try {
    return await whileBusy(() => work(bindings))
  } finally {
    await bindings.dispose()
  }
}

/** Makes a key, and its account in the emptiest shard. Refuses another tier than that of the account. */
async function create(
  { db, shards }: Bindings,
  request: NewAccountAndKey,
  tier: string | undefined,
): Promise<object> {
  const existing = await readAccountNamed(db, request.account)
  if (existing !== null && tier !== undefined && tier !== existing.tier)
    throw new Error(
      `The account "${request.account}" exists with the tier ${existing.tier}. ` +
        `Change it with npm run accounts -- tier ${existing.id} ${tier}`,
    )
  const shard = existing === null ? await emptiestShard(shards) : shardNumbered(shards, existing.shard)
  return createAccountAndKey(db, request, new Date(), shard)
}

async function listKeys(db: ControlDb): Promise<object[]> {
  const { results } = await db
    .prepare(
      `SELECT api_keys.id AS key_id, api_keys.account_id, accounts.name AS account, accounts.tier,
         api_keys.prefix, api_keys.scopes, api_keys.expires_at, api_keys.last_used_at, api_keys.revoked_at
       FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id ORDER BY api_keys.id`,
    )
    .all<{ scopes: string }>()
  return results.map((row) => ({ ...row, scopes: JSON.parse(row.scopes) }))
}

/**
 * Revokes a key. It stops within 60 seconds everywhere, even if a rotation gave it some more hours. Revoking
 * it again changes nothing.
 */
async function revokeKey(db: ControlDb, key_id: string): Promise<object> {
  const revoked = await db
    .prepare(
      `UPDATE api_keys SET revoked_at = min(coalesce(revoked_at, ?1), ?1) WHERE id = ?2
       RETURNING id AS key_id, account_id, revoked_at`,
    )
    .bind(new Date().toISOString(), key_id)
    .first()
  if (revoked === null) throw new Error(`There is no key ${key_id}. Run npm run keys -- list to see all keys`)
  return revoked
}

function printPlainly(result: object): void {
  if (Array.isArray(result)) console.table(result.map(inCells))
  else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(12)}${String(value)}`)
}

/** Joins lists to texts, because console.table shows only three entries of a list. */
function inCells(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
  )
}
