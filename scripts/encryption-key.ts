import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readUnfinishedMoves } from '../src/service/shards/moves-store.ts'
import { countMessagesSealedOtherwise } from '../src/notices/messages/reseal-store.ts'
import { countInstallsSealedOtherwise } from '../src/interfaces/saleor/reseal-store.ts'
import { isOldKeyKept } from '../src/notices/delivery/kept-keys.ts'
import { countSealedOtherwise } from '../src/notices/subscriptions/reseal-store.ts'
import { openRemote } from './bindings.ts'
import { readArguments } from './options.ts'
import { rotateEncryptionKey } from './rotate-encryption-key.ts'
import { PROJECT, runWrangler } from './wrangler.ts'

/** Replaces the key that encrypts the secrets of webhooks and shops, in the deployed service. */
const { values, positionals } = readArguments({ env: { type: 'string', default: '' } })
const POLL_MS = 60_000

if (positionals[0] === 'rotate' && positionals.length === 1) await rotate(values.env)
else {
  console.error('Usage: npm run encryption-key -- rotate [--env NAME]')
  process.exitCode = 2
}

async function rotate(environment: string): Promise<void> {
  const flag = `--env=${environment}`
  const { db, kv, shards, dispose } = await openRemote(environment)
  try {
    await rotateEncryptionKey(join(PROJECT, `.wrangler/encryption-key-next-${environment}`), {
      putSecret: async (name, value) => void (await runWrangler(['secret', 'put', name, flag], value)),
      deleteSecret: async (name) => void (await runWrangler(['secret', 'delete', name, flag], 'y\n')),
      countOthers: async (key_id) => {
        const counts = await Promise.all(shards.map(({ books }) => countSealedOtherwise(books, key_id)))
        // A copy that is being made has the secrets of before, and opens later.
        const moves = (await readUnfinishedMoves(db, 1_000)).length
        const unkept = (await isOldKeyKept(kv, key_id)) ? 0 : 1
        const installs = await countInstallsSealedOtherwise(db, key_id)
        const messages = await countMessagesSealedOtherwise(db, key_id)
        return counts.reduce((sum, count) => sum + count, installs + messages + moves + unkept)
      },
      wait: () => sleep(POLL_MS),
      report: (line) => console.log(line),
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error('Run the command again: it continues where it stopped')
    process.exitCode = 1
  } finally {
    await dispose()
  }
}
