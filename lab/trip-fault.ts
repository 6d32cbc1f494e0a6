/**
 * What happens at a trip of an invocation to its stores. `trip`: which one, from 1. `store`: of these alone;
 * left out: of all. `made`: the trip is made, and its answer is lost. `dies`: all later trips fail, too.
 * `stands`: this trip and all later ones never end, until the process is killed. `name` tells that it stands.
 */
export type TripFault = {
  name: string
  trip: number
  made: boolean
  how: 'fails' | 'dies' | 'stands'
  store?: 'd1' | 'kv' | 'r2' | 'queue' | 'mail'
}

/** How a drilled service differs from a real one: its clock, and the faults of its ticks and queues. */
export type Drill = { ahead_ms: number; tick: TripFault | null; queue: TripFault | null }
