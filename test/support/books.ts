import type { Bindings } from '../../src/platform/bindings.ts'
import type { Reader } from '../../src/platform/context.ts'
import { currentLocalBook } from '../../src/tax-data/records/current-local-book.ts'
import { currentRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import type { RateBook } from '../../src/engine/book/rate-book.ts'
import type { LocalBook } from '../../src/engine/regimes/us-local/local-book.ts'

/** A reader whose work behind the answer can be awaited. */
export function readerAt(env: Bindings, now: Date): Reader & { settled: () => Promise<void> } {
  const behind: Promise<void>[] = []
  return {
    env,
    now,
    later: (work) => void behind.push(work),
    settled: async () => void (await Promise.all(behind)),
  }
}

/** The rate book that the next request uses: what goes on behind the answer has ended. */
export async function rateBookAt(env: Bindings, now: Date): Promise<RateBook> {
  const reader = readerAt(env, now)
  await currentRateBook(reader)
  await reader.settled()
  return currentRateBook(reader)
}

/** The local book that the next request uses; null: there is none. */
export async function localBookAt(env: Bindings, now: Date): Promise<LocalBook | null> {
  const reader = readerAt(env, now)
  await currentLocalBook(reader)
  await reader.settled()
  return currentLocalBook(reader)
}
