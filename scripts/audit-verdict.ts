import { z } from 'zod'

/** The output of `npm audit --json`: the known faults, or the error of the registry. */
const Report = z.union([
  z.object({
    vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
    metadata: z.object({}),
  }),
  z.object({ message: z.string(), statusCode: z.int() }),
])

const GRAVE = new Set(['high', 'critical'])
/** The answers of a mirror without a list of faults: it has no such path, or accepts no POST there. */
const NO_ENDPOINT = new Set([404, 405, 501])

/** Whether a change passes after this output of `npm audit --json`, and one line with the reason. */
export function verdictOf(stdout: string): { ok: boolean; line: string } {
  const report = Report.safeParse(parsed(stdout)).data
  if (report === undefined)
    return { ok: false, line: 'Audit: failed, npm audit wrote no readable JSON. Run npm audit to see why' }
  if ('statusCode' in report) {
    const { statusCode, message } = report
    if (NO_ENDPOINT.has(statusCode))
      return { ok: true, line: `Audit: not done, this registry has no list of known faults (${statusCode})` }
    return { ok: false, line: `Audit: failed, the registry answered: ${message}` }
  }
  const all = Object.entries(report.vulnerabilities)
  const grave = all.filter(([, { severity }]) => GRAVE.has(severity))
  if (grave.length === 0)
    return {
      ok: true,
      line: `Audit: no high or critical fault in the deployed packages, ${all.length} lesser ones`,
    }
  const names = grave.map(([name, { severity }]) => `${name} (${severity})`)
  return { ok: false, line: `Audit: update these packages: ${names.join(', ')}` }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
