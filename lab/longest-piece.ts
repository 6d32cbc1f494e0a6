import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { readOptions } from '../scripts/options.ts'
import { aloud } from '../scripts/progress.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { at, invariant } from '../src/engine/ground/invariant.ts'
import { table } from './bench/report.ts'
import { type HeavyRequest, heavyRequests } from './heavy-requests.ts'
import { startService } from './service.ts'

/**
 * Says for each kind of heavy request how long its pieces of work are: the time until the thread is given
 * back, when requests of others have their turn. `wait`: the longest answer to a neighbour who asks for
 * nothing every millisecond while one such request is served, in the best of `TRIES` tries, with what the
 * request itself takes. `busy`: the longest time in which a profile of the processor sees no idle moment.
 * It does not see a turn in which nobody waits, so a piece is at most as long. The last column has the
 * functions that most of it went into. A busy machine makes all of it longer, so it is no part of the
 * checks.
 */
const values = readOptions({
  sales: { type: 'string', default: '20000' },
  only: { type: 'string', default: '' },
})
const TRIES = 5
/** Every millisecond, what is answered without a look into a store: it takes few turns. */
const ASKS_FOR_NOTHING = { path: '/v1/nothing', status: 404, pause_ms: 1 }
const SAMPLE_US = 200

const Frame = z.object({ functionName: z.string() })
const Profile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: Frame })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
const Answer = z.object({
  id: z.number(),
  // Some requests are answered without a result.
  result: z.object({ profile: Profile.optional() }).optional(),
})
type Profile = z.infer<typeof Profile>
type Piece = { us: number; functions: Map<string, number> }
type Ask = (method: string, params?: object) => Promise<Profile | null>

const modules = await aloud('Building the Worker', () => buildWorker('src/worker.ts', { names: true }))
const service = await aloud('Starting the service', () =>
  startService(modules, { apart: true, inspected: true }),
)
const heavy = await aloud('Filling the books', () => heavyRequests(service, Number(values.sales)))
const { key } = await service.newAccount('Neighbour')
const neighbour = new Worker(join(import.meta.dirname, 'neighbour-thread.ts'), {
  workerData: { origin: service.origin, key, habit: ASKS_FOR_NOTHING },
})
const profiler = await attach(invariant(service.inspector, 'the service is inspected'))
const rows = []
for (const each of heavy)
  if (each.name.includes(values.only)) rows.push(await aloud(each.name, () => rowOf(each)))
console.log(table(['Request', 'wait, ms', 'busy, ms', 'most of it in'], rows).join('\n'))
await neighbour.terminate()
await service.dispose()
process.exit()

async function rowOf(each: HeavyRequest): Promise<string[]> {
  // The first answers read data, and their code is not compiled yet.
  for (let warm = 0; warm < 3; warm += 1) await (await each.send()).arrayBuffer()
  const waits: number[] = []
  const pieces: Piece[] = []
  for (let tried = 0; tried < TRIES; tried += 1) {
    waits.push(await longestWait(each))
    const [longest] = await piecesOf(each)
    if (longest !== undefined) pieces.push(longest)
  }
  const [busy] = pieces.toSorted((one, other) => one.us - other.us)
  const most = [...(busy?.functions ?? [])].toSorted(([, one], [, other]) => other - one)
  const names = most.map(([name]) => name).filter((name) => name !== '')
  return [
    each.name,
    Math.min(...waits).toFixed(1),
    ((busy?.us ?? 0) / 1_000).toFixed(1),
    names.slice(0, 3).join(', '),
  ]
}

/** The longest answer to the neighbour, in milliseconds, while one heavy request is served. */
async function longestWait(each: HeavyRequest): Promise<number> {
  const Told = z.object({ times: z.array(z.number()), faults: z.array(z.string()) })
  neighbour.postMessage('begin')
  await sleep(50)
  await (await each.send()).arrayBuffer()
  await sleep(50)
  const told = once(neighbour, 'message')
  neighbour.postMessage('end')
  const [message] = await told
  const { times, faults } = Told.parse(message)
  for (const fault of faults) console.error(fault)
  return Math.max(...times)
}

/** The pieces of work of one answer, the longest first. */
async function piecesOf(each: HeavyRequest): Promise<Piece[]> {
  await profiler('Profiler.start')
  await (await each.send()).arrayBuffer()
  // What runs after the answer belongs to it.
  await sleep(50)
  return piecesIn(invariant(await profiler('Profiler.stop'), 'a profile that stops is sent'))
}

/** A piece ends where the thread is idle, or waits outside of JavaScript. */
function piecesIn({ nodes, samples, timeDeltas }: Profile): Piece[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]))
  const pieces: Piece[] = []
  let piece: Piece | null = null
  for (const [index, sample] of samples.entries()) {
    const name = names.get(sample) ?? ''
    if (name === '(idle)' || name === '(program)') {
      piece = null
      continue
    }
    if (piece === null) pieces.push((piece = { us: 0, functions: new Map() }))
    piece.us += at(timeDeltas, index)
    piece.functions.set(name, (piece.functions.get(name) ?? 0) + 1)
  }
  return pieces.toSorted((one, other) => other.us - one.us)
}

/** Speaks the protocol of the inspector with the Worker. */
async function attach(port: number): Promise<Ask> {
  const Targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }))
  const targets = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json())
  const target = targets.find(({ id }) => id.includes('worker'))
  const socket = new WebSocket(invariant(target, 'the Worker is inspected').webSocketDebuggerUrl)
  await new Promise((opened) => socket.addEventListener('open', opened))
  let asked = 0
  const ask: Ask = (method, params = {}) =>
    new Promise((resolve) => {
      const id = (asked += 1)
      const read = ({ data }: MessageEvent) => {
        const message: unknown = JSON.parse(String(data))
        // The service says events too.
        const answer = Answer.safeParse(message)
        if (answer.data?.id !== id) return
        socket.removeEventListener('message', read)
        resolve(answer.data.result?.profile ?? null)
      }
      socket.addEventListener('message', read)
      socket.send(JSON.stringify({ id, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: SAMPLE_US })
  return ask
}
