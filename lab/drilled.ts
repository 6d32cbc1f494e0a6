import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ShardFault } from '../scripts/verify/shards.ts'
import type { Drill } from './trip-fault.ts'

type Statement = { sql: string; values: (string | number | null)[] }

/** A service in a process of its own, which the drill can kill. */
export type Drilled = {
  origin: string
  pid: number
  /** Runs statements in one batch in a shard. Returns the rows of each. */
  batch: (shard: number, statements: readonly Statement[]) => Promise<Record<string, unknown>[][]>
  tick: (cron: string) => Promise<void>
  newAccount: (name: string, shard: number) => Promise<{ key: string; account_id: string }>
  /** `lease_ms`: how long a mover may be silent before another one takes its place. */
  move: (account_id: string, to: number, lease_ms?: number) => Promise<{ rows: number; refused_ms: number }>
  deleteOldCopies: () => Promise<void>
  /** What is wrong with the whereabouts of accounts. */
  verifyShards: () => Promise<ShardFault[]>
  /** The differences of totals from transactions, of all accounts. */
  verifyTotals: () => Promise<unknown[]>
  /** What is wrong with filed returns and audit logs, of all accounts. */
  verifyReturnsAndAudit: () => Promise<unknown[]>
  /** Sets the clock, and the faults of ticks and queues. Only a worker of `drilled-worker.ts` hears it. */
  set: (drill: Partial<Drill>) => Promise<void>
  /** The names of the invocations that stand still in such a worker. */
  standing: () => Promise<string[]>
  /** Makes a whole backup. Returns its name. */
  backup: () => Promise<string>
  /** Loads a backup into this service without accounts. Returns the number of rows. */
  restoreBackup: (run: string) => Promise<number>
  /** Decides that the books of an account are those in a shard. */
  keep: (account_id: string, shard: number) => Promise<void>
  /** Kills the service and workerd, like a power cut. */
  kill: () => Promise<void>
}

/** `worker` is the folder of its modules; `shards` the number of databases beside the control database. */
type DrillOptions = {
  worker: string
  state: string
  shards: number
  variables: Record<string, string>
  /** As `npm run serve` does. */
  served?: boolean
}

/** Starts the service on the data of its previous life, and waits until it serves. */
export async function startDrilled(options: DrillOptions): Promise<Drilled> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'drilled-service.ts'), JSON.stringify(options)],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const { origin, control } = await printedAddresses(child)
  // The answers have the shapes that drilled-service.ts gives them.
  const ask = async <Answer>(wanted: object): Promise<Answer> => {
    const response = await fetch(control, { method: 'POST', body: JSON.stringify(wanted) })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }
  return {
    origin,
    pid: child.pid ?? 0,
    batch: (shard, statements) => ask({ do: 'batch', shard, statements }),
    tick: (cron) => ask({ do: 'tick', cron }),
    newAccount: (name, shard) => ask({ do: 'account', name, shard }),
    move: (account_id, to, lease_ms = 90_000) => ask({ do: 'move', account_id, to, lease_ms }),
    deleteOldCopies: () => ask({ do: 'delete old copies' }),
    verifyShards: () => ask({ do: 'verify shards' }),
    verifyTotals: () => ask({ do: 'verify totals' }),
    verifyReturnsAndAudit: () => ask({ do: 'verify returns and audit' }),
    set: async (drill) => {
      const { ahead_ms } = drill
      if (ahead_ms !== undefined) await ask({ do: 'clock', ahead_ms })
      await fetch(`${origin}/drill`, { method: 'POST', body: JSON.stringify(drill) })
    },
    standing: async () => JSON.parse(await (await fetch(`${origin}/drill`)).text()),
    backup: () => ask({ do: 'backup' }),
    restoreBackup: (run) => ask({ do: 'restore backup', run }),
    keep: (account_id, shard) => ask({ do: 'keep', account_id, shard }),
    kill: () => killGroup(child),
  }
}

function printedAddresses(child: ChildProcess): Promise<{ origin: string; control: string }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`The service ended with ${code}`)))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"origin"')) resolve(JSON.parse(line))
    })
  })
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await gone
}
