import { z } from 'zod'

/** What `npm audit --json` writes: what was found, or why nothing could be asked. */
const Report = z.union([
  z.object({
    vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
    metadata: z.object({}),
  }),
  z.object({ message: z.string(), statusCode: z.int() }),
])

const GRAVE = new Set(['high', 'critical'])
/**
 * What a mirror answers that knows packages and no faults: it does not know the path, or does not take a
 * POST.
 */
const NO_ENDPOINT = new Set([404, 405, 501])

/** Whether a run of `npm audit --json` lets a change pass, and one line that says why. */
export function verdictOf(stdout: string): { ok: boolean; line: string } {
  const report = Report.safeParse(parsed(stdout)).data
  if (report === undefined) return { ok: false, line: 'Audit: npm audit wrote nothing that can be read' }
  if ('statusCode' in report) {
    const { statusCode, message } = report
    if (NO_ENDPOINT.has(statusCode))
      return { ok: true, line: `Audit: not done, this registry has no list of faults (${statusCode})` }
    return { ok: false, line: `Audit: failed, ${message}` }
  }
  const all = Object.entries(report.vulnerabilities)
  const grave = all.filter(([, { severity }]) => GRAVE.has(severity))
  if (grave.length === 0)
    return { ok: true, line: `Audit: no grave fault in what is deployed, ${all.length} lesser` }
  return {
    ok: false,
    line: `Audit: ${grave.map(([name, { severity }]) => `${name} (${severity})`).join(', ')}`,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
