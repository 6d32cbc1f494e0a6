import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordFaults, withRecordLines } from './checks/paper.ts'
import { readRepository, recordedCases } from './read-sources.ts'
import { PROJECT } from './wrangler.ts'

/** Writes recorded cases one a line, if a file has another form. */
const cases = recordedCases(readRepository())
for (const { path } of recordFaults(cases)) {
  writeFileSync(join(PROJECT, path), withRecordLines(cases.get(path) ?? ''))
  console.log(`Wrote ${path} one record a line`)
}
