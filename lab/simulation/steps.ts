import type { TripFault } from '../trip-fault.ts'
import { type Random, randomOf } from '../random.ts'

/** What a seller does, or what happens to the service. `seller` and `pick` choose among what is there. */
export type Step = { seller: number; fault: TripFault | null } & (
  | { kind: 'sell'; moment: string; amount: number }
  | { kind: 'refund'; pick: number; percent: number; moment: string }
  | { kind: 'undo'; pick: number }
  | { kind: 'file'; month: string }
  | { kind: 'reopen'; pick: number }
  | { kind: 'join' }
  | { kind: 'tell' }
  | { kind: 'calculate' }
  | { kind: 'move'; to: number }
  | { kind: 'tick'; minutes: number; nightly: boolean; of: 'tick' | 'queue' }
  | { kind: 'kill'; after_ms: number; to: number }
)
type Kind = Step['kind']

export const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04']

/** How often each kind is chosen. A kill takes seconds, so it is rare. */
const WEIGHTS: readonly (readonly [Kind, number])[] = [
  ['sell', 80],
  ['refund', 50],
  ['undo', 15],
  ['file', 40],
  ['reopen', 20],
  ['join', 5],
  ['tell', 15],
  ['calculate', 10],
  ['move', 12],
  ['tick', 50],
  ['kill', 12],
]

/** The steps of a seed. The first ones of a longer run are the same. */
export function* stepsOf(seed: number, shards: number): Generator<Step> {
  const random = randomOf(seed)
  for (;;) {
    const kind = kindOf(random)
    const seller = random(1_000)
    yield { ...stepOf(kind, random, shards), seller, fault: faultOf(kind, random) }
  }
}

function kindOf(random: Random): Kind {
  let left = random(WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0))
  for (const [kind, weight] of WEIGHTS) {
    if (left < weight) return kind
    left -= weight
  }
  return 'sell'
}

type Deed<Each = Step> = Each extends Step ? Omit<Each, 'seller' | 'fault'> : never

function stepOf(kind: Kind, random: Random, shards: number): Deed {
  const pick = random(1_000)
  const month = MONTHS[random(MONTHS.length)] ?? ''
  switch (kind) {
    case 'sell':
      return { kind, moment: momentIn(month, random), amount: 1 + random(90_000) }
    case 'refund':
      return { kind, pick, percent: 1 + random(100), moment: momentIn(month, random) }
    case 'undo':
    case 'reopen':
      return { kind, pick }
    case 'file':
      return { kind, month }
    case 'join':
    case 'tell':
    case 'calculate':
      return { kind }
    case 'move':
      return { kind, to: 1 + random(shards - 1) }
    case 'tick':
      return {
        kind,
        minutes: 1 + random(180),
        nightly: random(6) === 0,
        of: random(2) === 0 ? 'tick' : 'queue',
      }
    case 'kill':
      return { kind, after_ms: random(300), to: 1 + random(shards - 1) }
  }
}

function momentIn(month: string, random: Random): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${month}-${two(1 + random(28))}T${two(random(24))}:30:00Z`
}

const STORES = ['d1', 'd1', 'd1', 'kv', 'queue', 'mail', 'r2'] as const
/** A tick makes so many trips, a request some fifteen. */
const TRIPS_OF_TICK = 120

/** Half of the steps have none. */
function faultOf(kind: Kind, random: Random): TripFault | null {
  if (random(2) === 0) return null
  const store = STORES[random(STORES.length)] ?? 'd1'
  const trip = 1 + random(store === 'd1' && kind === 'tick' ? TRIPS_OF_TICK : store === 'd1' ? 15 : 3)
  return { name: 'simulated', store, trip, made: random(2) === 0, how: random(2) === 0 ? 'fails' : 'dies' }
}
