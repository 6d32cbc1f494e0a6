import { expect, inject } from 'vitest'

/** The service as `npm run dev` serves it, and a key of an account. `state` is the folder of its state. */
export type RunningService = { origin: string; state: string; key: string }

/** The service that all files of the project share, with the account of this file, which has its name. */
export function runningService(): RunningService {
  const { origin, state, keys } = inject('served')
  const key = keys[String(expect.getState().testPath)]
  if (key === undefined) throw new Error('this file has no account')
  return { origin, state, key }
}
