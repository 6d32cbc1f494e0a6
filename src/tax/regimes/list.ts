import type { Regime } from '../place.ts'
import { au } from './au.ts'
import { ca } from './ca.ts'
import { eu } from './eu.ts'
import { gb } from './gb.ts'
import type { RegimeLaw } from './regime.ts'
import { uncovered } from './uncovered.ts'
import { us } from './us.ts'

/** The law of each regime. */
export const REGIMES: Readonly<Record<Regime, RegimeLaw>> = {
  EU: eu,
  GB: gb,
  US: us,
  CA: ca,
  AU: au,
  uncovered,
}
