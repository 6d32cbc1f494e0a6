/** Logs a failure outside of a request as one JSON line. `about` contains ids, never content. */
export function logFault(about: Readonly<Record<string, unknown>>, thrown: unknown): void {
  const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
  console.error(JSON.stringify({ level: 'error', ...about, error }))
}
