import { au } from './au.ts'
import { ca } from './ca.ts'
import type { RegionId } from '../src/tax-data/regions.ts'
import type { Collector } from './collector.ts'
import { eu } from './eu.ts'
import { taxability } from './taxability.ts'
import { uk } from './uk.ts'
import { us } from './us.ts'
import { usTax } from './us-tax.ts'

/** The collectors that there are, by their region. */
export const COLLECTORS: ReadonlyMap<RegionId, Collector> = new Map(
  [eu, uk, us, usTax, ca, au, taxability].map((collector) => [collector.region, collector]),
)
