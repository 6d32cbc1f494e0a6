import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holidaysOf } from './checks/holidays.ts'
import { PROJECT } from './wrangler.ts'

/** Writes data/holidays.json from the library date-holidays, which is a hundred times as large. */
writeFileSync(
  join(PROJECT, 'data/holidays.json'),
  `[\n${holidaysOf()
    .map((each) => `  ${JSON.stringify(each)}`)
    .join(',\n')}\n]\n`,
)
