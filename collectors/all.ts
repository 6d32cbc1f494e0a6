import { au } from './au.ts'
import { boc } from './boc.ts'
import { ca } from './ca.ts'
import type { CollectedId, RegionId } from '../src/platform/regions.ts'
import type { Collector } from './collector.ts'
import { ecb } from './ecb.ts'
import { eu } from './eu.ts'
import { hmrcRates } from './hmrc-rates.ts'
import { nz } from './nz.ts'
import type { RateSeries } from './series.ts'
import { taxability } from './taxability.ts'
import { uk } from './uk.ts'
import { us } from './us.ts'
import { usTax } from './us-tax.ts'

/**
 * The collector of each region that is collected: without one it does not compile. Local taxes of the United
 * States are no facts of the rate book, so `us-local/` reads them.
 */
export const COLLECTORS: Readonly<Record<Exclude<CollectedId, 'US-LOCAL'>, Collector | RateSeries>> = {
  EU: eu,
  UK: uk,
  US: us,
  'US-TAX': usTax,
  CA: ca,
  AU: au,
  TAXABILITY: taxability,
  NZ: nz,
  'FX-ECB': ecb,
  'FX-HMRC': hmrcRates,
  'FX-BOC': boc,
}

/** The regions whose collector is in `COLLECTORS`. */
type FactsRegionId = keyof typeof COLLECTORS

export function hasCollector(region: RegionId): region is FactsRegionId {
  return Object.hasOwn(COLLECTORS, region)
}
