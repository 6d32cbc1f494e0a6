import { join } from 'node:path'
import { once } from 'node:events'
import { wholeDb } from '../src/platform/database/databases.ts'
import type { Shard } from '../src/platform/database/shards.ts'
import { readModules } from '../scripts/built-worker.ts'
import { freePort } from '../scripts/free-port.ts'
import { reverseProxy } from '../scripts/reverse-proxy.ts'
import { runWorker } from '../scripts/run-worker.ts'
import { noteKeeper } from '../scripts/serve/keeper.ts'
import { lockState } from '../scripts/serve/lock.ts'
import { openServed } from '../scripts/serve/open-served.ts'
import { startServed } from '../scripts/serve/served.ts'
import { readWorkerOptions } from '../scripts/serve/worker-options.ts'

/** `worker`: the folder of its modules. `shards`: the databases beside the control database. */
type StartOptions = { worker: string; state: string; shards: number; variables: Record<string, string> }

/** A service in this process, and its stores. */
type Started = {
  origin: string
  shards: readonly Shard[]
  kv: KVNamespace
  BACKUPS: R2Bucket
  fire: (cron: string, time: Date) => Promise<void>
}

/** Starts the service in the simulation that all drills use. */
export async function startSimulated({ worker, ...options }: StartOptions): Promise<Started> {
  const { miniflare, origin } = await runWorker(readModules(worker), {
    ...options,
    offline: false,
    limits: false,
    consumes: true,
    buckets: ['BACKUPS'],
  })
  const names = ['DB', ...Array.from({ length: options.shards }, (_, index) => `BOOKS_${index + 1}`)]
  const shards = await Promise.all(
    names.map(async (name, number) => ({ number, books: wholeDb(await miniflare.getD1Database(name)) })),
  )
  // The types of miniflare and of the Workers describe the same stores.
  const kv = (await miniflare.getKVNamespace('KV')) as unknown as KVNamespace
  const BACKUPS = (await miniflare.getR2Bucket('BACKUPS')) as unknown as R2Bucket
  const fire = async (cron: string, scheduledTime: Date) =>
    void (await (await miniflare.getWorker()).scheduled({ cron, scheduledTime }))
  return { origin, shards, kv, BACKUPS, fire }
}

/** Starts it as `npm run serve` does, without its clock: a drill fires the ticks. */
export async function startAsServed({ worker, state, shards, variables }: StartOptions): Promise<Started> {
  lockState(state)
  const service = await startServed({
    modules: readModules(worker),
    options: readWorkerOptions(''),
    state,
    variables,
    onLog: () => undefined,
    shards,
    buckets: ['BACKUPS'],
  })
  noteKeeper(state, service.keeper)
  const stores = await openServed(state)
  if (stores?.buckets.BACKUPS === undefined) throw new Error(`Nothing serves ${join(state)}`)
  const port = await freePort()
  await once(reverseProxy(service.port).listen(port, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${port}`,
    shards: stores.shards,
    kv: stores.kv,
    BACKUPS: stores.buckets.BACKUPS,
    fire: service.fire,
  }
}
