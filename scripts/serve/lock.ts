import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { forgetKeeper } from './keeper.ts'

/**
 * Takes the lock of a state, which one process has at most. The system ends it with the process, also after a
 * `kill -9` or in another container. A state that is new is for its owner alone: it has the books. The
 * note of a service that was killed is ended. Throws an Error if another process has the lock. Returns how to
 * end it.
 */
export function lockState(state: string): () => void {
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(state, 'serve.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new Error(`Another process serves ${state}: one process at most may`, { cause })
  }
  forgetKeeper(state)
  return () => lock.close()
}
