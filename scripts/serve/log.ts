import type { WorkerdStructuredLog } from 'miniflare'

/** Writes a line of this process, as the Worker writes its own. */
export function logLine(level: 'info' | 'warn' | 'error', message: string, more: object = {}): void {
  console.log(JSON.stringify({ level, at: new Date().toISOString(), message, ...more }))
}

/** Passes on what the Worker writes: its lines are JSON already, and others become so. */
export function logWorker({ level, message }: WorkerdStructuredLog): void {
  if (message.startsWith('{"')) console.log(message)
  else logLine(level === 'error' || level === 'warn' ? level : 'info', message)
}
