import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { subdivisionsOf } from './checks/subdivisions.ts'
import { PROJECT } from './wrangler.ts'

/** Writes data/subdivisions.json from the library iso-3166, which is six times as large. */
writeFileSync(join(PROJECT, 'data/subdivisions.json'), `${JSON.stringify(subdivisionsOf(), null, 2)}\n`)
