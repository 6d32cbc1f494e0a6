import type { Regime } from './place.ts'
import { au } from './regimes/au.ts'
import { ca } from './regimes/ca.ts'
import { eu } from './regimes/eu.ts'
import { gb } from './regimes/gb.ts'
import type { RegimeLaw } from './regimes/regime.ts'
import { uncovered } from './regimes/uncovered.ts'
import { us } from './regimes/us.ts'

/** The law of each regime. */
export const REGIMES: Readonly<Record<Regime, RegimeLaw>> = {
  EU: eu,
  GB: gb,
  US: us,
  CA: ca,
  AU: au,
  uncovered,
}
