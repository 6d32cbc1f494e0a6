import { setTimeout } from 'node:timers/promises'

const TRIES = 40
const WAIT_MS = 250
/** A local database that another process holds refuses writes in these words, and reads in the last ones. */
const BUSY = /SQLITE_BUSY|database is locked|Failed to get session commit token/

/**
 * Repeats a read while the running service holds the local database, for ten seconds at most. A read that
 * starts again sees one state of the books, so it reports no false difference.
 */
export async function whileBusy<T>(read: () => Promise<T>, wait = () => setTimeout(WAIT_MS)): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (thrown) {
      const busy = thrown instanceof Error && BUSY.test(thrown.message)
      if (!busy || tries === TRIES) throw thrown
      await wait()
    }
  }
}
