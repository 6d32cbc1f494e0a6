import { nameOfCountry } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import { COUNTRY_CODES } from '../book/country-codes.generated.ts'
import { CODED_REGIONS, type CodedRegion, type Region, type RegionGroup } from '../book/regions.ts'
import { ae } from './ae.ts'
import { au } from './au.ts'
import { ca } from './ca.ts'
import { ch } from './ch.ts'
import { eu } from './eu.ts'
import { gb } from './gb.ts'
import { india } from './in.ts'
import { lawOfCountry } from './inbound-digital.ts'
import { jp } from './jp.ts'
import { kr } from './kr.ts'
import { no } from './no.ts'
import { nz } from './nz.ts'
import type { RegimeLaw } from './regime.ts'
import { sa } from './sa.ts'
import { sg } from './sg.ts'
import { uncovered } from './uncovered.ts'
import { us } from './us.ts'

/** The law of each region that has a file here. */
export const REGIMES: Readonly<Record<CodedRegion, RegimeLaw>> = {
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
}

/** The regions with local taxes. Each of them is one country. */
export const COUNTRIES_WITH_LOCAL_TAX: readonly Region[] = CODED_REGIONS.filter(
  (region) => REGIMES[region].localTaxes !== null,
)

/** The regions whose tax is that of a state or province. Each of them is one country. */
export const REGIONAL: ReadonlySet<string> = new Set(
  CODED_REGIONS.filter((region) => REGIMES[region].address.regional),
)

/** The law of a region: of its file here, or of the rate book. A region that is in neither is not covered. */
export function lawOfRegion(book: Pick<RateBook, 'countries'>, region: Region): RegimeLaw {
  if (isCoded(region)) return REGIMES[region]
  const law = book.countries.get(region)?.law
  return law === undefined ? uncovered : lawOfCountry(region, law)
}

/** The English name of a region. */
export function nameOfRegion(region: Region): string {
  return isCoded(region) ? REGIMES[region].name : nameOfCountry(region)
}

/** The English name of a region, or of the countries of data/countries together. */
export function nameOfGroup(group: RegionGroup): string {
  return group === 'digital'
    ? `digital services of sellers abroad in ${COUNTRY_CODES.length} further countries`
    : REGIMES[group].name
}

function isCoded(region: Region): region is CodedRegion {
  return Object.hasOwn(REGIMES, region)
}
