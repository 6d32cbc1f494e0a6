import { au } from './au.ts'
import type { Collector, RegionId } from './collector.ts'

/** The collectors that there are, by their region. */
export const COLLECTORS: ReadonlyMap<RegionId, Collector> = new Map([['AU', au]])
