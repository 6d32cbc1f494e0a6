import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type TestDay, testDays, testDay } from './days-ahead.ts'
import { nameOf, runTests } from './run-tests.ts'
import { PROJECT } from '../scripts/wrangler.ts'

const USAGE = `Usage: npm run test:days [-- [--at MOMENT] [--zone ZONE] [--project NAME]... [FILE]...]

  Runs the tests on other days, one day after the other, and prints which of them fail on each. Sets the clock
  of Node, of the Worker and of the browser ahead, where it runs on. The days are tomorrow, the ends of a
  quarter, of a year and of a February with 29 days, and a day in a year. Each run begins in the last hour of
  a time zone. All of it takes some four hours of two cores.

  --at       only a MOMENT to come, such as 2027-12-31T23:59
  --zone     the time zone of that moment, and of Node (default UTC)
  --project  a project of vitest.config.ts (default all of them)
  FILE       only tests whose path contains it`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string' },
    zone: { type: 'string', default: 'UTC' },
    project: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean' },
  },
})
if (values.help) console.log(USAGE)
else process.exitCode = main()

function main(): number {
  const days = values.at === undefined ? testDays(new Date()) : [testDay('as asked', values.at, values.zone)]
  // The local store of KV has the real clock, and refuses what has expired there.
  if (days.some(({ at }) => at.getTime() <= Date.now())) throw new Error('give --at a moment that comes')
  const failures = days.map((day) => ({ day, failed: failedOn(day) }))
  for (const { day, failed } of failures)
    console.log([`${day.local} ${day.zone}, ${day.what}: ${failed.length} failed`, ...failed].join('\n  '))
  return failures.some(({ failed }) => failed.length > 0) ? 1 : 0
}

/** Runs the tests on a day. Returns the names of those that failed, each after its file. */
function failedOn({ at, zone, what }: TestDay): string[] {
  const ahead = pathToFileURL(join(PROJECT, 'test/support/clock-ahead.ts')).href
  console.log(`\n== ${what}: ${at.toISOString()}, ${zone}`)
  const failed = runTests([...values.project.flatMap((name) => ['--project', name]), ...positionals], {
    ...process.env,
    TZ: zone,
    CLOCK_AHEAD_MS: String(at.getTime() - Date.now()),
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${ahead}`,
  })
  return failed.map(nameOf)
}
