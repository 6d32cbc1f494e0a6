import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mapFaults } from '../../scripts/checks/map.ts'
import { WINGS } from '../../scripts/checks/style.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const PAGE = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8')

it('the map of CONTRIBUTING.md names each wing and no other', () => {
  expect(mapFaults(PAGE, readdirSync(join(PROJECT, 'src')))).toEqual([])
  expect(mapFaults('src/sales/      calculation\nsrc/worker.ts   the Worker', ['sales', 'parties'])).toEqual([
    'CONTRIBUTING.md: the map does not name src/parties: add its line',
    'CONTRIBUTING.md: there is no src/worker.ts: remove its line',
  ])
})

it('the map of CONTRIBUTING.md has the order of the wings, from the top', () => {
  const mapped = [...PAGE.matchAll(/^(src\/[\w-]+)\/ /gm)].map(([, wing]) => wing)
  expect(mapped).toEqual(WINGS.filter((wing) => wing !== 'collectors').toReversed())
})
