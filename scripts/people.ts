import { parseArgs } from 'node:util'
import type { ControlDb } from '../src/platform/database/databases.ts'
import { readAccountNamed } from '../src/parties/accounts/store.ts'
import { NewPersonRequest } from '../src/parties/people/schemas.ts'
import { ROLE_IDS } from '../src/platform/database/values/roles.ts'
import { type Bindings, DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { addPerson, listPeople, removePerson } from './manage-account/people.ts'
import { whileBusy } from './while-busy.ts'

const USAGE = `Usage:
  npm run people -- add --account "Acme" --email kim@example.com --name "Kim Example" --role owner
  npm run people -- list --account "Acme"
  npm run people -- remove --account "Acme" --email kim@example.com

  --account      the name of the account, as npm run keys -- create has it
  --email        with which the person signs in
  --name         the name that history shows
  --role         ${ROLE_IDS.join(', ')}
  --json         print one JSON value and nothing else
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
  if (process.argv.includes('--help')) return console.log(USAGE)
  const { positionals, values } = readArguments()
  const [command, ...rest] = positionals
  if (rest.length > 0) throw new Error(USAGE)
  if (command === 'add') {
    const person = readPerson(values)
    print(values, await using(values, (db, account_id) => addPerson(db, account_id, person, new Date())))
  } else if (command === 'list') print(values, await using(values, listPeople))
  else if (command === 'remove') {
    const email = values.email ?? ''
    print(values, await using(values, (db, account_id) => removePerson(db, account_id, email, new Date())))
  } else throw new Error(USAGE)
}

type Values = ReturnType<typeof readArguments>['values']

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        email: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
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

/** Checks what the routes check. */
function readPerson({ email, name, role }: Values) {
  const { data, error } = NewPersonRequest.safeParse({ email, name, role })
  if (data !== undefined) return data
  const faults = error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`)
  throw new Error(`${faults.join('\n')}\n\n${USAGE}`)
}

/** Does the work for an account. Repeats it while the running service holds the local database. */
async function using<T>(values: Values, work: (db: ControlDb, account_id: string) => Promise<T>): Promise<T> {
  const bindings: Bindings = await (values.remote ? openRemote(values.env) : openLocal(values['persist-to']))
  try {
    return await whileBusy(async () => {
      const account = await readAccountNamed(bindings.db, values.account?.trim() ?? '')
      if (account === null)
        throw new Error(`--account must be the name of an account: see npm run keys -- list`)
      return work(bindings.db, account.id)
    })
  } finally {
    await bindings.dispose()
  }
}

function print({ json }: Values, result: object): void {
  if (json) console.log(JSON.stringify(result))
  else console.table(Array.isArray(result) ? result : [result])
}
