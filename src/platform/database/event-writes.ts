import type { AnyDb } from './databases.ts'

/**
 * A statement that writes events of an account. `send` wakes their fan-out. It is no D1PreparedStatement, so
 * that no batch can write the events and forget to send them.
 */
export type EventWrite = { statement: D1PreparedStatement; send: () => Promise<void> }

/**
 * Runs the statements and then those of the events in one batch. Sends the events that were written. Returns
 * the results of `statements`.
 */
export async function batchWithEvents(
  db: AnyDb,
  statements: readonly D1PreparedStatement[],
  events: readonly EventWrite[],
): Promise<D1Result[]> {
  const results = await db.batch([...statements, ...events.map(({ statement }) => statement)])
  const written = events.filter((_, index) => (results[statements.length + index]?.meta.changes ?? 0) > 0)
  for (const { send } of written) await send()
  return results.slice(0, statements.length)
}
