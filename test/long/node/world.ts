import { addDays, dayBefore, daysBetween } from './days.ts'
import * as papers from './papers.ts'
import type { Paper } from './papers.ts'

/**
 * A change of the law: what is true of a subject from a day on. `told_on`: sources announce it from then
 * on.
 */
export type Change = { part: PartName; subject: string; day: string; value: string; told_on: string }

/** Something that goes wrong with a source from a day to another, both included. */
type Trouble = {
  part: PartName
  source: string
  kind: 'outage' | 'layout' | 'poison' | 'typing error' | 'half unreadable'
  from: string
  to: string
}

export type PartName =
  | 'EU rates'
  | 'EU threshold'
  | 'UK rates'
  | 'UK threshold'
  | 'US nexus'
  | 'US-TAX rates'
  | 'CA rates'
  | 'AU thresholds'
  | 'TAXABILITY rules'

/** A year of the world: what changes, what goes wrong, and what the sources say on each day. */
export type World = {
  days: string[]
  changes: Change[]
  troubles: Trouble[]
  truth: (subject: string, day: string) => string
  papers: (day: string) => Map<string, Paper | null>
}

export const FIRST_DAY = '2026-11-22'
const DAYS = 410

/** Facts of the first day: the value of each subject by day. */
type Known = (subject: string, day: string) => string

/** Makes a year from a seed. The same seed makes the same year. */
export function makeWorld(seed: number, known: Known, state_names: ReadonlyMap<string, string>): World {
  const random = randomOf(seed)
  const changes = changesOf(random, known)
  const troubles = troublesOf(random, changes)
  const truth = (subject: string, day: string) =>
    changes.findLast((each) => each.subject === subject && each.day <= day)?.value ?? known(subject, day)
  return {
    days: Array.from({ length: DAYS }, (_, index) => addDays(FIRST_DAY, index)),
    changes,
    troubles,
    truth,
    papers: (day) => publish({ day, changes, troubles, truth, state_names }),
  }
}

type Random = { below: (limit: number) => number; of: <T>(items: readonly T[]) => T }

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    of: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to choose from')
      return item
    },
  }
}

function changesOf(random: Random, known: Known): Change[] {
  const day = () => addDays(FIRST_DAY, 5 + random.below(DAYS - 40))
  const month = () => addMonths('2027-01-01', random.below(12))
  const moved = (subject: string, by: number) => String(Number(known(subject, FIRST_DAY)) + by)
  const on = (part: PartName, subject: string, at: string, value: string, told_on = at): Change => ({
    part,
    subject,
    day: at,
    value,
    told_on,
  })
  const [first, second] = distinct(random, ['AT', 'BG', 'CZ', 'EE', 'LV', 'NL', 'RO', 'SI', 'BE'])
  const rate = (id: string) => `${id} VAT standard`
  const band = random.of(['FI VAT reduced_2', 'LT VAT reduced_2', 'CZ VAT reduced', 'BE VAT reduced_2'])
  const british = month()
  const threshold = random.of(['US-OH', 'US-GA', 'US-NJ'])
  const removal = addMonths('2027-01-01', random.below(11))
  const province = random.of(['CA-NS HST standard', 'CA-SK PST standard', 'CA-ON HST standard'])
  const monday = addDays('2026-12-07', 7 * random.below(50))
  const georgian = addMonths('2027-01-01', 3 * random.below(4))
  return [
    on('EU rates', rate(first), day(), moved(rate(first), random.of([5_000, 10_000, 15_000]))),
    on('EU rates', rate(second), day(), moved(rate(second), random.of([-10_000, 10_000]))),
    on('EU rates', band, day(), moved(band, random.of([5_000, -5_000]))),
    on('UK rates', 'GB VAT standard', british, '210000', addDays(british, -random.of([20, 45, 60]))),
    on('UK threshold', 'GB VAT_REGISTRATION all', day(), random.of(['9200000', '9500000', '10000000'])),
    on('US nexus', `${threshold} REMOTE_SELLER_NEXUS all`, removal, '10000000', addDays(removal, -40)),
    on('US nexus', 'US-TX REMOTE_SELLER_NEXUS all', day(), random.of(['25000000', '40000000', '75000000'])),
    on('US-TAX rates', 'US-KS SALES_TAX standard', month(), random.of(['62500', '70000'])),
    on('US-TAX rates', 'US-AZ SALES_TAX standard', month(), random.of(['60000', '58500'])),
    on('US-TAX rates', 'US-GA SALES_TAX standard', georgian, '42500', addDays(georgian, -25)),
    on('CA rates', province, day(), moved(province, random.of([-10_000, 10_000]))),
    on('AU thresholds', 'AU GST_REGISTRATION all', day(), '10000000'),
    on('TAXABILITY rules', 'FR VAT rule newspapers', monday, 'reduced reduced'),
  ].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

function distinct<T>(random: Random, items: readonly T[]): [T, T] {
  const first = random.of(items)
  return [first, random.of(items.filter((item) => item !== first))]
}

const SOURCES: readonly [PartName, string][] = [
  ['EU rates', 'SOURCE_EU_RATES'],
  ['UK rates', 'SOURCE_UK_RATES'],
  ['UK threshold', 'SOURCE_UK_THRESHOLD'],
  ['US nexus', 'SOURCE_US_NEXUS'],
  ['US-TAX rates', 'SOURCE_US_TAX_RATES'],
  ['CA rates', 'SOURCE_CA_RATES'],
  ['AU thresholds', 'SOURCE_AU_GST'],
]
/** Sources beside which another one is read: no number of days makes such a poisoned one believed. */
const POISONED: readonly [PartName, string][] = [
  ['UK threshold', 'SOURCE_UK_THRESHOLD'],
  ['US nexus', 'SOURCE_US_NEXUS'],
  ['US-TAX rates', 'SOURCE_US_TAX_RATES'],
  ['EU threshold', 'SOURCE_EU_THRESHOLD'],
]

function trouble(
  kind: Trouble['kind'],
  [part, source]: readonly [PartName, string],
  start: number,
  length: number,
): Trouble {
  const from = addDays(FIRST_DAY, start)
  return { kind, part, source, from, to: addDays(from, length - 1) }
}

/**
 * Three outages of two weeks, two changes of layout, a poisoned source, five typing errors of one day, and two
 * days on which half of a document is unreadable.
 * The law changes within one of the outages.
 */
function troublesOf(random: Random, changes: readonly Change[]): Trouble[] {
  const errors = [0, 1, 2, 3, 4].map((index) =>
    trouble(
      'typing error',
      random.of(SOURCES.filter(([part]) => part !== 'UK threshold')),
      8 + index * 78 + random.below(15),
      1,
    ),
  )
  const others = [
    trouble('outage', random.of(SOURCES), 30 + random.below(20), 14),
    trouble('layout', random.of(SOURCES), 110 + random.below(20), 5 + random.below(10)),
    trouble('poison', random.of(POISONED), 185 + random.below(20), 20 + random.below(15)),
    trouble('outage', random.of(SOURCES), 265 + random.below(20), 14),
    trouble('layout', random.of(SOURCES), 345 + random.below(15), 5 + random.below(10)),
    ...errors,
  ]
  const around = outageAround(random, changes, others)
  return [around, ...others, trouble('half unreadable', random.of(SOURCES), 225 + random.below(10), 2)]
}

/** An outage that begins some days before a change of the same part, and ends some days after it. */
function outageAround(random: Random, changes: readonly Change[], others: readonly Trouble[]): Trouble {
  const found = changes.flatMap(({ part, day }) =>
    SOURCES.filter(([of]) => of === part).map((source) =>
      trouble('outage', source, daysBetween(FIRST_DAY, day) - 2 - random.below(9), 14),
    ),
  )
  const free = found.filter(
    ({ source, from, to }) =>
      from > addDays(FIRST_DAY, 2) &&
      others.every(
        (each) => each.source !== source || each.to < addDays(from, -2) || each.from > addDays(to, 2),
      ),
  )
  return random.of(free)
}

type Moment = Pick<World, 'changes' | 'troubles' | 'truth'> & {
  day: string
  state_names: ReadonlyMap<string, string>
}

/** What each source publishes on a day. Null: it does not answer. */
function publish(moment: Moment): Map<string, Paper | null> {
  const { day, truth, troubles } = moment
  const said = (subject: string) => truth(subject, day)
  const all = goodPapers(moment, said)
  for (const trouble of troubles.filter(({ from, to }) => from <= day && day <= to)) {
    const { kind, source } = trouble
    if (kind === 'outage') all.set(source, null)
    else if (kind === 'half unreadable')
      all.set(source, { ...paperOf(all, source), body: halfUnreadable(paperOf(all, source).body) })
    else if (kind === 'layout')
      all.set(source, { ...paperOf(all, source), body: otherLayout(paperOf(all, source).body) })
    else {
      const wrong = goodPapers(moment, (subject) => wrongValue(source, subject) ?? said(subject), day)
      all.set(source, paperOf(wrong, source))
    }
  }
  return all
}

function paperOf(all: ReadonlyMap<string, Paper | null>, source: string): Paper {
  const paper = all.get(source)
  if (!paper) throw new Error(`${source} publishes nothing`)
  return paper
}

/** The second half of a document arrives as bytes that say nothing. */
function halfUnreadable(body: string): string {
  const half = Math.floor(body.length / 2)
  return body.slice(0, half) + '\uFFFD'.repeat(body.length - half)
}

/** Headings, names of elements and sentences are others. */
function otherLayout(body: string): string {
  return body
    .replaceAll('memberState>', 'country>')
    .replaceAll('<th>', '<th>Our ')
    .replaceAll('<th scope="col">', '<th>Our ')
    .replaceAll('current registration threshold', 'limit')
    .replaceAll('GST turnover', 'revenue')
    .replaceAll('<em>', '<em>now ')
}

/** What a poisoned source, or one with a typing error, says of a subject. */
function wrongValue(source: string, subject: string): string | null {
  const wrong: Record<string, readonly [string, string]> = {
    SOURCE_EU_RATES: ['DE VAT standard', '200000'],
    SOURCE_UK_RATES: ['GB VAT standard', '225000'],
    SOURCE_UK_THRESHOLD: ['GB VAT_REGISTRATION all', '8700000'],
    SOURCE_US_NEXUS: ['US-CA REMOTE_SELLER_NEXUS all', '40000000'],
    SOURCE_US_TAX_RATES: ['US-FL SALES_TAX standard', '65000'],
    SOURCE_CA_RATES: ['CA-QC QST standard', '99000'],
    SOURCE_AU_GST: ['AU GST_REGISTRATION all', '8000000'],
    SOURCE_EU_THRESHOLD: ['EU DISTANCE_SALES', '1200000'],
  }
  return wrong[source]?.[0] === subject ? (wrong[source][1] ?? null) : null
}

function goodPapers(
  moment: Moment,
  said: papers.Said,
  edited_on: string | null = null,
): Map<string, Paper | null> {
  const { day, changes } = moment
  const edited = (part: PartName) =>
    edited_on ??
    changes.findLast((each) => each.part === part && each.told_on <= day)?.told_on ??
    '2026-11-21'
  const month = `${day.slice(0, 7)}-01`
  const australia = papers.australia(said('AU GST_REGISTRATION all'))
  const zealand = papers.newZealand()
  return new Map<string, Paper | null>([
    ['SOURCE_EU_RATES', papers.tedb(said, (id) => situation(moment, id))],
    ['SOURCE_EU_THRESHOLD', papers.distanceSales(Number(said('EU DISTANCE_SALES')) / 100)],
    ['SOURCE_EU_THRESHOLD_TWIN', papers.distanceSales(10_000)],
    ['SOURCE_UK_RATES', british(moment, said, edited('UK rates'))],
    ['SOURCE_UK_THRESHOLD', papers.supplement(said('GB VAT_REGISTRATION all'), edited('UK threshold'))],
    ['SOURCE_UK_THRESHOLD_TWIN', papers.supplement(moment.truth('GB VAT_REGISTRATION all', day), day)],
    ['SOURCE_US_NEXUS', papers.nexusChart('nexus', cells(moment, said), day)],
    [
      'SOURCE_US_NEXUS_BOARD',
      papers.nexusChart(
        'guidance',
        cells(moment, (subject) => moment.truth(subject, day)),
        day,
      ),
    ],
    ['SOURCE_US_TAX_RATES', papers.stateTable('foundation', ratesOn(moment, said, month), month)],
    [
      'SOURCE_US_TAX_FTA',
      papers.stateTable(
        'administrators',
        ratesOn(moment, (subject) => moment.truth(subject, month), month),
        month,
      ),
    ],
    ...files(moment),
    ['SOURCE_CA_RATES', papers.canadianRates(said, edited('CA rates'))],
    ['SOURCE_CA_THRESHOLD', papers.smallSupplier('2026-11-21')],
    ['SOURCE_AU_GST', australia.ato],
    ['SOURCE_AU_ABLIS', papers.australia(moment.truth('AU GST_REGISTRATION all', day)).ablis],
    ['SOURCE_AU_RATE', australia.business],
    ['SOURCE_NZ_RATE', zealand.rate],
    ['SOURCE_NZ_GST', zealand.threshold],
    ['SOURCE_UK_GOODS', papers.goods()],
  ])
}

/** The database gives the first day of the semester, or the day of a later change. */
function situation({ day, changes }: Moment, id: string): string {
  const semester = day.slice(5) < '07-01' ? `${day.slice(0, 4)}-01-01` : `${day.slice(0, 4)}-07-01`
  const last = changes.findLast(
    (each) => each.part === 'EU rates' && each.subject.startsWith(`${id} `) && each.day <= day,
  )
  return last !== undefined && last.day > semester ? last.day : semester
}

/** The page says a coming rate with its day, and afterwards the rate alone. */
function british({ day, changes }: Moment, said: papers.Said, edited: string): Paper {
  const coming = changes.find((each) => each.part === 'UK rates' && each.told_on <= day && day < each.day)
  if (coming === undefined) return papers.britishRates(said, edited, null)
  const announced = (subject: string) =>
    subject === coming.subject && said(subject) === '200000' ? coming.value : said(subject)
  return papers.britishRates(announced, edited, coming.day)
}

/** The cells of the states whose thresholds changed or will change, as the charts word them. */
function cells({ day, changes, state_names }: Moment, said: papers.Said): Map<string, string> {
  const worded = new Map<string, string>()
  const named = (subject: string) => state_names.get(subject.split(' ')[0] ?? '') ?? ''
  const california = 'US-CA REMOTE_SELLER_NEXUS all'
  worded.set('California', dollars(said(california).split(' ')[0] ?? ''))
  for (const { part, subject, day: begins, value, told_on } of changes) {
    if (part !== 'US nexus' || told_on > day) continue
    const removal = `*They ${begins > day ? 'will remove' : 'removed'} their 200 transactions threshold effective ${papers.american(begins)}.`
    if (subject.startsWith('US-TX')) worded.set('Texas', dollars(value))
    else
      worded.set(
        named(subject),
        `${begins > day ? '$100,000 or 200 transactions' : '$100,000'}</p><p>${removal}`,
      )
  }
  return worded
}

function dollars(cents: string): string {
  return `$${(Number(cents) / 100).toString().replace(/(\d)(?=(\d{3})+$)/g, '$1,')}`
}

function ratesOn({ state_names, truth }: Moment, said: papers.Said, month: string): Map<string, string> {
  return new Map(
    [...state_names].flatMap(([id, name]) => {
      if (id === 'US-PR') return []
      const subject = `${id} SALES_TAX standard`
      // The table is of the first day of the month.
      return [
        [
          name,
          said(subject) === truth(subject, month)
            ? said(subject)
            : (wrongOf(said, subject) ?? truth(subject, month)),
        ],
      ]
    }),
  )
}

/** A wrong value is wrong in every month; another difference is a change within the month. */
function wrongOf(said: papers.Said, subject: string): string | null {
  return subject === 'US-FL SALES_TAX standard' ? said(subject) : null
}

/** The directory, and the file of Georgia, which announces its rate 25 days ahead. */
function files({ day, changes, truth }: Moment): [string, Paper | null][] {
  const subject = 'US-GA SALES_TAX standard'
  const change = changes.find((each) => each.subject === subject && each.told_on <= day)
  const before = truth(subject, FIRST_DAY)
  const periods =
    change === undefined
      ? [{ from: '2011-01-01', to: '2999-12-31', rate: before }]
      : [
          { from: '2011-01-01', to: dayBefore(change.day), rate: before },
          { from: change.day, to: '2999-12-31', rate: change.value },
        ]
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
  const name = `GAR${day.slice(0, 4)}Q${quarter}${['JAN', 'APR', 'JUL', 'OCT'][quarter - 1]}02.csv`
  return [
    ['rates/', papers.directory([name])],
    [`rates/${name}`, papers.rateFile('13', periods)],
  ]
}

function addMonths(day: string, months: number): string {
  const month = Number(day.slice(5, 7)) - 1 + months
  const year = Number(day.slice(0, 4)) + Math.floor(month / 12)
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}${day.slice(7)}`
}
