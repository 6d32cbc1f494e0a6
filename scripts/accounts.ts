import { setTimeout as sleep } from 'node:timers/promises'
import { MANAGE_USAGE, manageCommand } from './manage-account/commands.ts'
import { readManaged } from './manage-account/accounts-store.ts'
import { moveAccount } from './move-account/move-account.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'
import { shardNumbered } from './shard-sizes.ts'

/**
 * Moves the books of an account to another shard. If the command is stopped, run it again: it goes on where
 * it was. The service refuses writes of the account meanwhile, and goes on to answer reads. Other commands
 * suspend, resume, change or erase an account, or end a key (manage-account/).
 */
const { values, positionals } = readArguments({
  to: { type: 'string' },
  yes: { type: 'boolean', default: false },
  'with-what-it-made': { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})
const WAIT_MS = 500

try {
  const [command, account_id, ...rest] = positionals
  const to = Number(values.to)
  const managed = manageCommand(positionals, {
    yes: values.yes,
    with_what_it_made: values['with-what-it-made'],
  })
  if (managed !== null) await runManaged(managed)
  else if (command !== 'move' || account_id === undefined || rest.length > 0 || !Number.isSafeInteger(to))
    throw new Error(
      `Usage: npm run accounts -- move ACCOUNT_ID --to N\n${MANAGE_USAGE}\n` +
        'All take [--remote] [--env NAME] [--persist-to DIR]',
    )
  else await runMove(account_id, to)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function runManaged(command: NonNullable<ReturnType<typeof manageCommand>>): Promise<void> {
  const { db, shards, dispose } = await (values.remote
    ? openRemote(values.env)
    : openLocal(values['persist-to']))
  try {
    const shardOf = (number: number) => shardNumbered(shards, number)
    for (const line of await command({ control: db, shardOf, clock: () => new Date() })) console.log(line)
  } finally {
    await dispose()
  }
}

async function runMove(account_id: string, to: number): Promise<void> {
  const { db, shards, dispose } = await (values.remote
    ? openRemote(values.env)
    : openLocal(values['persist-to']))
  try {
    if ((await readManaged(db, account_id))?.suspended_at)
      throw new Error(`${account_id} is suspended: resume it before you move its books`)
    const tools = {
      control: db,
      shardOf: (number: number) => shardNumbered(shards, number),
      clock: () => new Date(),
      wait: () => sleep(WAIT_MS),
    }
    const { rows, refused_ms } = await moveAccount(tools, account_id, to)
    console.log(`${account_id} is in shard ${to}: ${rows} rows copied and compared.`)
    console.log(`Writes were refused for ${(refused_ms / 1_000).toFixed(1)} seconds.`)
    console.log('The service deletes the old copy after 65 minutes.')
  } finally {
    await dispose()
  }
}
