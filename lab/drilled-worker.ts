import type { Bindings } from '../src/platform/bindings.ts'
import worker from '../src/worker.ts'
import { aroundAllTrips, type AroundTrip } from './bench/around-trips.ts'
import type { Drill, TripFault } from './trip-fault.ts'

/**
 * The service as a drill starts it. A header of a request, or POST /drill for ticks and queues, says at
 * which trip to a store it fails or stands still. GET /drill tells the names of those that stand still, so
 * the drill can kill the process there. POST /drill also moves the clock, and puts a mail box behind MAIL.
 */
const drill: Drill = { ahead_ms: 0, tick: null, queue: null }
const standing = new Set<string>()
const realNow = Date.now
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [realNow() + drill.ahead_ms] : args, made),
})
RealDate.now = () => realNow() + drill.ahead_ms

export default {
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/drill') return answerDrill(request)
    const header = request.headers.get('X-Drill')
    return worker.fetch(request, drilled(env, header === null ? null : JSON.parse(header)), context)
  },
  scheduled: (controller: ScheduledController, env: Bindings) =>
    worker.scheduled(controller, drilled(env, drill.tick && { ...drill.tick, name: controller.cron })),
  queue: (batch: MessageBatch<unknown>, env: Bindings, context: ExecutionContext) =>
    worker.queue(batch, drilled(env, drill.queue), context),
}

async function answerDrill(request: Request): Promise<Response> {
  if (request.method === 'POST') Object.assign(drill, await request.json())
  return Response.json([...standing])
}

/** One object for the isolate, like the bindings themselves, because the service may remember them. */
let whole: Bindings | null = null

function drilled(env: Bindings & { MAIL_BOX?: string }, fault: TripFault | null): Bindings {
  const { MAIL_BOX } = env
  const send = (mail: unknown) => postMail(MAIL_BOX ?? '', mail)
  const MAIL = { send } as unknown as SendEmail
  whole ??= MAIL_BOX === undefined ? env : { ...env, MAIL }
  return fault === null ? whole : aroundAllTrips(whole, faulty(fault))
}

async function postMail(box: string, mail: unknown): Promise<{ messageId: string }> {
  await (await fetch(box, { method: 'POST', body: JSON.stringify(mail) })).text()
  return { messageId: crypto.randomUUID() }
}

function faulty({ name, trip: at, made, how, store: of }: TripFault): AroundTrip {
  let trips = 0
  return async (store, trip) => {
    const counts = of === undefined || of === store
    if (counts) trips += 1
    const isIt = counts && trips === at
    if (!isIt && (how === 'fails' || trips < at)) return trip()
    if (isIt && made) await trip()
    if (how !== 'stands') throw new Error('D1_ERROR: the drill let this trip fail')
    if (isIt) standing.add(name)
    // Longer than any drill: only a kill ends it.
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
    throw new Error('A drill has stood still for an hour')
  }
}
