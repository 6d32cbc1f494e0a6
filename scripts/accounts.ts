import { setTimeout as sleep } from 'node:timers/promises'
import type { MoverTools } from '../src/service/shards/mover.ts'
import { MANAGE_USAGE, manageCommand } from './manage-account/commands.ts'
import { undoMove } from './move-account/begin-move.ts'
import { moveAccount } from './move-account/move-account.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'
import { shardNumbered } from './shard-numbered.ts'

/**
 * Moves the books of an account to another shard. If the command is stopped, run it again: it goes on where
 * it was, or undoes the move with --abort. The service refuses writes of the account meanwhile, and goes on
 * to answer reads. Other commands suspend, resume, change or erase an account, or end a key
 * (manage-account/).
 */
const { values, positionals } = readArguments({
  to: { type: 'string' },
  abort: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'with-what-it-made': { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})
const WAIT_MS = 500

try {
  const [command, account_id, ...rest] = positionals
  const to = values.to === undefined ? null : Number(values.to)
  const wellFormed = values.abort ? to === null : Number.isSafeInteger(to)
  const managed = manageCommand(positionals, {
    yes: values.yes,
    with_what_it_made: values['with-what-it-made'],
  })
  if (managed !== null) await withTools((tools) => runManaged(tools, managed))
  else if (command !== 'move' || account_id === undefined || rest.length > 0 || !wellFormed)
    throw new Error(
      `Usage: npm run accounts -- move ACCOUNT_ID --to N|--abort\n${MANAGE_USAGE}\n` +
        'All take [--remote] [--env NAME] [--persist-to DIR]',
    )
  else await withTools((tools) => (to === null ? runUndo(tools, account_id) : runMove(tools, account_id, to)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function withTools(work: (tools: MoverTools) => Promise<void>): Promise<void> {
  const { db, shards, dispose } = await (values.remote
    ? openRemote(values.env)
    : openLocal(values['persist-to']))
  try {
    await work({
      control: db,
      shardOf: (number: number) => shardNumbered(shards, number),
      clock: () => new Date(),
    })
  } finally {
    await dispose()
  }
}

type ManageCommand = NonNullable<ReturnType<typeof manageCommand>>

async function runManaged(tools: MoverTools, command: ManageCommand): Promise<void> {
  for (const line of await command(tools)) console.log(line)
}

async function runMove(tools: MoverTools, account_id: string, to: number): Promise<void> {
  const { rows, refused_ms } = await moveAccount({ ...tools, wait: () => sleep(WAIT_MS) }, account_id, to)
  console.log(`${account_id} is in shard ${to}: ${rows} rows copied and compared.`)
  console.log(`Writes were refused for ${(refused_ms / 1_000).toFixed(1)} seconds.`)
  console.log('The service deletes the old copy after 65 minutes.')
}

async function runUndo(tools: MoverTools, account_id: string): Promise<void> {
  await undoMove(tools, account_id)
  console.log(`The move of ${account_id} is undone: its books are where they were.`)
}
