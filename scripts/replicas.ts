import { z } from 'zod'
import type { CloudflareAccess } from './cloudflare-access.ts'

/**
 * What switching read replication does to the outside. `probe`: whether sessions of the deployed Worker
 * answer.
 */
type ReplicaTools = {
  setMode: (mode: 'auto' | 'disabled') => Promise<void>
  probe: () => Promise<boolean>
  wait: () => Promise<void>
  report: (line: string) => void
}

/** Sessions have hung only after the replicas were ready, so one look is not enough. */
const PROBES = 10

/**
 * Switches read replication on, and looks whether queries through sessions still answer, some times with
 * waits between. If one hangs or the service cannot be asked, switches replication off again. Returns whether
 * it stays on.
 */
export async function switchOnReplicas({ setMode, probe, wait, report }: ReplicaTools): Promise<boolean> {
  await setMode('auto')
  report('Read replication is on. Its replicas take some minutes; sessions are probed meanwhile')
  for (let done = 1; done <= PROBES; done += 1) {
    await wait()
    if (!(await probe().catch(() => false))) {
      await setMode('disabled')
      report('A session did not answer, so read replication is off again: all reads go to the primary')
      return false
    }
    report(`Probe ${done} of ${PROBES}: sessions answer`)
  }
  report('Read replication stays on. Watch the alarm broken_sessions of /health')
  return true
}

const Health = z.object({
  checks: z.object({
    operations: z.object({ alarms: z.array(z.object({ name: z.string(), status: z.string() })) }),
  }),
})

/** Whether `/health` of a service says that sessions answer. Throws if it does not say anything. */
export async function sessionsAnswer(origin: string): Promise<boolean> {
  // The answer of a check is kept for five seconds, and each isolate has its own.
  const response = await fetch(new URL('/health', origin), { signal: AbortSignal.timeout(20_000) })
  const { checks } = Health.parse(await response.json())
  const alarm = checks.operations.alarms.find(({ name }) => name === 'broken_sessions')
  return alarm?.status === 'pass'
}

const Answer = z.object({ success: z.boolean(), errors: z.array(z.object({ message: z.string() })) })

/** Sets the mode of read replication of a database. wrangler has no command for it. */
export async function setReplication(
  { account_id, token, api }: CloudflareAccess,
  database_id: string,
  mode: 'auto' | 'disabled',
): Promise<void> {
  const response = await fetch(`${api}/accounts/${account_id}/d1/database/${database_id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ read_replication: { mode } }),
  })
  const { success, errors } = Answer.parse(await response.json())
  if (!success)
    throw new Error(`Read replication was not set: ${errors.map(({ message }) => message).join(', ')}`)
}
