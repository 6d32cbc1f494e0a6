import { setTimeout as sleep } from 'node:timers/promises'
import { type Drilled, startDrilled } from '../drilled.ts'
import { type Outside, startOutside, variablesIn } from '../outside.ts'
import { countUntold, faultsAfter, faultsOfTelling } from './invariants.ts'
import { chosen, EVERY_FIVE_MINUTES, perform, type World } from './perform.ts'
import { newSeller, type Seller } from './seller.ts'
import { type Step, stepsOf } from './steps.ts'

const SHARDS = 3
const SELLERS_AT_FIRST = 3
const SELLERS_MAX = 8
/** So often everything has to be told. */
const SETTLED_EACH = 30
const TICKS_MAX = 40

/** What was found. `line` says how to repeat it, or how often each kind of step was made. */
type Found = { faults: string[]; line: string }

/**
 * Lets sellers in several shards sell, refund, file, move and be told, while databases, KV, queues, buckets
 * and mail fail at random trips, the clock goes ahead and the process dies. After each step the books must be
 * right, and from time to time everything must have been told. Ends after so many steps, or at a fault.
 */
export async function simulate(
  seed: number,
  count: number,
  places: { worker: string; state: string },
): Promise<Found> {
  // Each seventh webhook is refused at first, and no webhook five times, so that none is disabled.
  let hooks = 0
  const outside = await startOutside(() => (hooks += 1) % 7 === 0)
  const world = await newWorld(outside, places)
  try {
    const counts = new Map<string, number>()
    let index = 0
    for (const step of stepsOf(seed, SHARDS)) {
      if (index === count) break
      index += 1
      const faults = await faultsOf(world, outside, step, index % SETTLED_EACH === 0 || index === count)
      const again = `Again: npm run simulate -- ${seed} --steps ${index}`
      if (faults.length > 0)
        return { faults, line: `Seed ${seed}, step ${index}: ${JSON.stringify(step)}\n${again}` }
      const what = step.fault === null ? step.kind : `${step.kind} with a fault`
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    const all = [...counts].map(([what, times]) => `${times} ${what}`)
    return { faults: [], line: `Seed ${seed}: ${count} steps without a fault: ${all.join(', ')}` }
  } finally {
    await world.service().kill()
    outside.close()
  }
}

async function newWorld(outside: Outside, places: { worker: string; state: string }): Promise<World> {
  const variables = { ...variablesIn(outside), WEBHOOK_RETRY_DELAYS: '1,1,1,1,1' }
  const start = () => startDrilled({ ...places, shards: SHARDS - 1, variables })
  let service: Drilled = await start()
  const sellers: Seller[] = []
  const world: World = {
    service: () => service,
    async restart() {
      await service.kill()
      service = await start()
      await service.set({ ahead_ms: world.ahead_ms })
    },
    async join() {
      const number = sellers.length
      const where = { shard: number % SHARDS, hook: outside.url }
      if (number < SELLERS_MAX) sellers.push(await newSeller(service, number, where))
    },
    sellers,
    ahead_ms: 0,
  }
  while (sellers.length < SELLERS_AT_FIRST) await world.join()
  return world
}

async function faultsOf(world: World, outside: Outside, step: Step, isSettled: boolean): Promise<string[]> {
  try {
    await perform(world, step)
    const seller = chosen(world.sellers, step.seller)
    const other = chosen(world.sellers, step.seller + 1)
    if (seller === null || other === null) return ['There is no seller']
    const faults = await faultsAfter(world.service(), seller, other)
    return isSettled ? [...faults, ...(await faultsOfSettling(world, outside))] : faults
  } catch (thrown) {
    return [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)]
  }
}

/** Ticks without faults until nothing is left to tell. */
async function faultsOfSettling(world: World, outside: Outside): Promise<string[]> {
  const service = world.service()
  for (let ticks = 0; (await countUntold(service, SHARDS)) > 0; ticks += 1) {
    if (ticks === TICKS_MAX)
      return [`${await countUntold(service, SHARDS)} are untold after ${ticks} ticks without a fault`]
    world.ahead_ms += 11 * 60_000
    await service.set({ ahead_ms: world.ahead_ms })
    await service.tick(EVERY_FIVE_MINUTES)
    await sleep(500)
  }
  return faultsOfTelling(service, { outside, sellers: world.sellers })
}
