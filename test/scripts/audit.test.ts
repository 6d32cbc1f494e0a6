import { expect, it } from 'vitest'
import { verdictOf } from '../../scripts/audit-verdict.ts'

const report = (severities: Record<string, string>) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(severities).map(([name, severity]) => [name, { name, severity, via: [] }]),
    ),
    metadata: { vulnerabilities: {} },
  })

it('passes where nothing grave is known, and counts what is not', () => {
  expect(verdictOf(report({}))).toEqual({
    ok: true,
    line: 'Audit: no high or critical fault in the deployed packages, 0 lesser ones',
  })
  expect(verdictOf(report({ a: 'moderate', b: 'low' }))).toMatchObject({
    ok: true,
    line: expect.stringContaining('2 lesser'),
  })
})

it.each(['high', 'critical'])('fails on a fault that is %s, and names the package', (severity) => {
  expect(verdictOf(report({ a: 'low', hono: severity }))).toEqual({
    ok: false,
    line: `Audit: update these packages: hono (${severity})`,
  })
})

it.each([404, 405, 501])('passes where the registry has no list of faults, and says so: %i', (statusCode) => {
  const said = JSON.stringify({
    message: `${statusCode} Not Allowed - POST https://registry.example/`,
    statusCode,
    body: '',
    error: {},
  })
  expect(verdictOf(said)).toMatchObject({ ok: true, line: expect.stringContaining('not done') })
})

it.each([
  ['a registry that refuses', JSON.stringify({ message: '401 Unauthorized', statusCode: 401 })],
  ['a registry that fails', JSON.stringify({ message: '503 Service Unavailable', statusCode: 503 })],
  [
    'a lockfile that is missing',
    JSON.stringify({ error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }),
  ],
  ['no output', ''],
  ['output that is no JSON', 'npm error'],
])('fails with %s: nobody knows', (_, stdout) => {
  expect(verdictOf(stdout).ok).toBe(false)
})
