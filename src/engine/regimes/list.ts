import { FACTS_REGIONS, type Region } from '../book/regions.ts'
import { ae } from './ae.ts'
import { au } from './au.ts'
import { ca } from './ca.ts'
import { ch } from './ch.ts'
import { eu } from './eu.ts'
import { gb } from './gb.ts'
import { india } from './in.ts'
import { jp } from './jp.ts'
import { kr } from './kr.ts'
import { INBOUND_DIGITAL } from './inbound-digital.ts'
import { no } from './no.ts'
import { nz } from './nz.ts'
import type { RegimeLaw } from './regime.ts'
import { sa } from './sa.ts'
import { sg } from './sg.ts'
import { us } from './us.ts'

/** The law of each region of the data. A new country is one more line here. */
export const REGIMES: Readonly<Record<Region, RegimeLaw>> = {
  EU: eu,
  UK: gb,
  US: us,
  CA: ca,
  AU: au,
  NZ: nz,
  CH: ch,
  NO: no,
  SG: sg,
  AE: ae,
  SA: sa,
  KR: kr,
  JP: jp,
  IN: india,
  ...INBOUND_DIGITAL,
}

/** The regions with local taxes. Each of them is one country. */
export const COUNTRIES_WITH_LOCAL_TAX: readonly Region[] = FACTS_REGIONS.filter(
  (region) => REGIMES[region].localTaxes !== null,
)
