import { type DataRegion, REGION_IDS, REGIONS } from '../../src/platform/regions.ts'
import { FACTS_REGIONS, type Region } from '../../src/engine/book/regions.ts'
import { REGIMES } from '../../src/engine/regimes/list.ts'
import { nationalGst } from '../../src/engine/regimes/national-gst.ts'

/**
 * A country that the service does not have: Nauru with a GST like that of Singapore. It has a law and data, and
 * neither a collector nor a form. A test imports this file before the Worker, because schemas read the tables of
 * regions when they are made.
 */
export const ID = 'NR' as Region

const ACT = {
  name: 'Nauru',
  act: 'GST Act',
  checked_from: '2018-06-21',
  home: { within: 's. 8', on_site: 's. 13', destination: 's. 8', small_business: 's. 9' },
  exports: {
    goods: { section: 's. 21', detail: 'Goods that leave Nauru are zero-rated as an export' },
    services: { section: 's. 21(3)', detail: 'An international service is zero-rated' },
  },
  remote: {
    digital: '2020-01-01',
    service: '2023-01-01',
    section: 'sch. 7',
    detail: 'Remote services are taxed',
  },
  business: {
    outcome: 'not_subject_to_tax',
    section: 'sch. 7 para. 3',
    detail: 'A supply to a registered business is not taxed',
  },
  imports: {
    low_value: { since: '2023-01-01', section: 'sch. 7 para. 4' },
    by_seller: 's. 8(1)',
    consumer: 's. 8(4)',
    business: 's. 8(4)',
  },
  marketplace: [
    { supplies: ['digital', 'low_value_goods'], sellers: 'abroad', since: 'lawful', section: 's. 7' },
  ],
} as const

const ROW: DataRegion = {
  facts: ID,
  name: 'Nauru',
  data: 'GST rate and thresholds',
  collected: false,
  specified: false,
}

Object.assign(REGIMES, { [ID]: nationalGst({ id: ID, ...ACT }) })
Object.assign(REGIONS, { [ID]: ROW })
extend(FACTS_REGIONS)
extend(REGION_IDS)

function extend(list: readonly string[]): void {
  ;(list as string[]).push(ID)
}
