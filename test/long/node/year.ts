import type { ControlDb } from '../../../src/platform/database/databases.ts'
import { COLLECTORS, hasCollector } from '../../../collectors/all.ts'
import { runCollector } from '../../../collectors/pipeline.ts'
import { stateNames } from '../../../collectors/states.ts'
import { readFacts } from '../../../scripts/read-facts.ts'
import { COLLECTED_IDS, REGION_IDS, type RegionId, REGIONS } from '../../../src/platform/regions.ts'
import { freshnessOf } from '../../../src/tax-data/status/freshness.ts'
import { readState } from '../../../src/tax-data/status/store.ts'
import type { Facts } from '../../../src/engine/book/facts.ts'
import { inForce } from '../../../src/engine/book/rate-book.ts'
import { applyFacts } from '../../../src/tax-data/records/apply-facts.ts'
import { readFactsOf } from '../../../src/tax-data/records/store.ts'
import { openDatabase, openNamespace } from './database.ts'
import { addDays } from './days.ts'
import type { Paper } from './papers.ts'
import { type Change, FIRST_DAY, makeWorld, type PartName, type World } from './world.ts'

const HOST = 'http://papers.test'
/** A change may take so many days from the second day on which its source could be read. */
const SECOND_WITNESS_DAYS = 1

let published = new Map<string, Paper | null>()

/** Answers for all sources: the papers of the day. */
export async function answerWithPapers(address: string): Promise<Response> {
  const paper = published.get(address.slice(HOST.length + 1))
  if (paper === undefined) return new Response('Not found', { status: 404 })
  if (paper === null) return new Response('Down', { status: 503 })
  return new Response(paper.body, { headers: { 'Content-Type': paper.type } })
}

type Store = { DB: ControlDb; KV: KVNamespace }

/** The shipped facts that the sources speak of. */
function shipped(): Facts {
  const facts = readFacts()
  const products = new Set(['groceries'])
  return {
    ...facts,
    postal_rules: [],
    rates: facts.rates.filter(({ effective_to }) => (effective_to ?? '9999') >= FIRST_DAY),
    thresholds: facts.thresholds.filter(({ effective_to }) => (effective_to ?? '9999') >= FIRST_DAY),
    product_rules: facts.product_rules.filter(
      ({ jurisdiction_id, product_type, customer_type }) =>
        customer_type === 'all' &&
        (['DE', 'FR', 'GB'].includes(jurisdiction_id) ||
          (jurisdiction_id.startsWith('US-') && products.has(product_type))),
    ),
  }
}

/** The value of each subject that is in force on a day, and whether a source contradicts it. */
function inForceOn(facts: Facts, day: string): Map<string, { value: string; doubted: boolean }> {
  const values = new Map<string, { value: string; doubted: boolean }>()
  for (const rate of facts.rates)
    if (inForce(rate, day))
      values.set(`${rate.jurisdiction_id} ${rate.tax_type} ${rate.category}`, {
        value: String(rate.rate_millionths),
        doubted: rate.doubted_since !== undefined,
      })
  for (const each of facts.thresholds)
    if (inForce(each, day))
      values.set(`${each.jurisdiction_id} ${each.threshold_type} ${each.scope}`, {
        value: [each.amount, each.transaction_count, each.combinator]
          .filter((part) => part !== null)
          .join(' '),
        doubted: each.doubted_since !== undefined,
      })
  for (const rule of facts.product_rules)
    if (inForce(rule, day) && rule.customer_type === 'all')
      values.set(`${rule.jurisdiction_id} ${rule.tax_type} rule ${rule.product_type}`, {
        value: `${rule.treatment} ${rule.category ?? ''}`.trim(),
        doubted: rule.doubted_since !== undefined,
      })
  return values
}

const REGION_OF: Readonly<Record<PartName, RegionId>> = {
  'EU rates': 'EU',
  'EU threshold': 'EU',
  'UK rates': 'UK',
  'UK threshold': 'UK',
  'US nexus': 'US',
  'US-TAX rates': 'US-TAX',
  'CA rates': 'CA',
  'AU thresholds': 'AU',
  'TAXABILITY rules': 'TAXABILITY',
}

/** What a year was like. The lists name what must not happen. */
export type Year = {
  right: number
  stale: number
  wrong: string[]
  unexplained: string[]
  late: string[]
  events: string[]
  told: number
}

/** Lives the year of a seed. `fetch` must be `answerWithPapers`. An idle service runs no collector. */
export async function live(seed: number, { idle = false }: { idle?: boolean } = {}): Promise<Year> {
  const baseline = shipped()
  const known = (subject: string, day: string) =>
    subject === 'EU DISTANCE_SALES' ? '1000000' : (INITIAL.get(subject)?.(day) ?? '')
  const world = makeWorld(seed, known, stateNames())
  const env = { DB: openDatabase(), KV: openNamespace() }
  await applyFacts(env.DB, baseline, new Date(`${FIRST_DAY}T00:00:00Z`), 'shipped data')
  const year: Year = { right: 0, stale: 0, wrong: [], unexplained: [], late: [], events: [], told: 0 }
  const arrived = new Map<Change, string>()
  for (const day of world.days) {
    published = world.papers(day)
    if (!idle) await runAll(env, day)
    await compareEvening(env, world, day, year, arrived)
  }
  for (const change of world.changes) checkArrival(world, change, arrived.get(change), year)
  await compareEvents(env, world, year)
  return year
}

async function runAll(env: Store, day: string): Promise<void> {
  const addresses = Object.fromEntries([
    ...[...published.keys()].map((name) => [name, `${HOST}/${name}`]),
    ['SOURCE_US_TAX_FILES', `${HOST}/rates/`],
    ['SOURCE_US_TAX_STANDING', `${HOST}/nowhere`],
  ])
  for (const region of REGION_IDS.filter(hasCollector)) {
    const { hour, minute, weekday } = REGIONS[region].collected
    const now = new Date(Date.parse(day) + (hour * 60 + minute) * 60_000)
    if (weekday !== null && now.getUTCDay() !== weekday) continue
    const accept = region === 'AU' && (await isToBeAccepted(env, day))
    const collector = COLLECTORS[region]
    // Exchange rates are no part of the world.
    if ('series' in collector) continue
    await runCollector(env, collector, { now, addresses, accept, pause_ms: 0 })
  }
}

/** A person looks at Australia on the day after a change was held, and accepts what both pages say. */
async function isToBeAccepted(env: Store, day: string): Promise<boolean> {
  const held = await env.DB.prepare(
    `SELECT count(*) AS n FROM reviews WHERE region = 'AU' AND status = 'open' AND kind = 'thresholds'
     AND value NOT LIKE '8000000%' AND first_seen_at < ?`,
  )
    .bind(day)
    .first<number>('n')
  return (held ?? 0) > 0
}

async function compareEvening(
  env: Store,
  world: World,
  day: string,
  year: Year,
  arrived: Map<Change, string>,
): Promise<void> {
  const facts = await readFactsOf(env.DB, null)
  if (facts === null) throw new Error('the facts are gone')
  const evening = new Date(`${day}T23:00:00Z`)
  const values = inForceOn(facts, day)
  const states = new Map<RegionId, string>(
    await Promise.all(
      COLLECTED_IDS.map(
        async (region) => [region, freshnessOf(region, await readState(env.DB, region), evening)] as const,
      ),
    ),
  )
  const changed = new Set(world.changes.map(({ subject }) => subject))
  for (const [subject, { value, doubted }] of values) {
    const about = ALIASES.get(subject) ?? subject
    const truth = changed.has(about) ? world.truth(about, day) : (INITIAL.get(subject)?.(day) ?? value)
    if (value === truth) year.right += 1
    else if (doubted || states.get(regionOf(world, about)) !== 'healthy') {
      year.stale += 1
      if (!isExplained(world, about, day)) year.unexplained.push(`${day} ${subject}`)
    } else year.wrong.push(`${day} ${subject} is ${value}, true is ${truth}`)
  }
  for (const change of world.changes)
    if (!arrived.has(change) && change.day <= day && values.get(change.subject)?.value === change.value)
      arrived.set(change, day)
}

/** The law of Great Britain rates these places too. */
const ALIASES = new Map(['XI', 'IM'].map((id) => [`${id} VAT standard`, 'GB VAT standard']))

/** The values of the first day by subject, with the changes that the shipped data knows of. */
const INITIAL = initialValues()

function initialValues(): Map<string, (day: string) => string> {
  const facts = shipped()
  const subjects = [...inForceOn(facts, FIRST_DAY).keys()]
  const byDay = new Map<string, ReturnType<typeof inForceOn>>()
  const on = (day: string) => {
    const values = byDay.get(day) ?? inForceOn(facts, day)
    byDay.set(day, values)
    return values
  }
  return new Map(subjects.map((subject) => [subject, (day) => on(day).get(subject)?.value ?? '']))
}

function regionOf(world: World, subject: string): RegionId {
  const change = world.changes.find((each) => each.subject === subject)
  return change === undefined ? 'EU' : REGION_OF[change.part]
}

/** A stale day belongs to trouble with a source, or to the wait for the second witness or the person. */
function isExplained(world: World, subject: string, day: string): boolean {
  const change = world.changes.findLast((each) => each.subject === subject && each.day <= day)
  if (change === undefined) return false
  const wait = change.part === 'TAXABILITY rules' ? 7 : 2
  if (day <= addDays(change.day, wait)) return true
  return world.troubles.some(
    ({ part, from, to }) =>
      concerns(part, change.part) && from <= day && day <= addDays(to, wait) && to >= change.told_on,
  )
}

/** The headings of the Commission's database are those of its rates. */
function concerns(trouble: PartName, part: PartName): boolean {
  return trouble === part || (part === 'TAXABILITY rules' && trouble === 'EU rates')
}

/** A change is in force at the latest on the day after the second day on which a source could say it. */
function checkArrival(world: World, change: Change, arrived: string | undefined, year: Year): void {
  const step = change.part === 'TAXABILITY rules' ? 7 : 1
  const days: string[] = []
  const first = change.part === 'TAXABILITY rules' ? change.day : change.told_on
  for (let day = first; days.length < 2; day = addDays(day, step)) {
    const troubled = world.troubles.some(
      ({ part, from, to }) => concerns(part, change.part) && from <= day && day <= to,
    )
    if (!troubled) days.push(day)
  }
  const latest = addDays(days[1] ?? change.day, SECOND_WITNESS_DAYS)
  const due = latest > change.day ? latest : change.day
  if (arrived === undefined || arrived > due)
    year.late.push(`${change.subject} on ${change.day}: due ${due}, came ${arrived ?? 'never'}`)
}

async function compareEvents(env: Store, world: World, year: Year): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT type, data FROM events WHERE type LIKE '%.updated' ORDER BY id`,
  ).all<{ type: string; data: string }>()
  const told = results.map(({ type, data }) => describe_(type, JSON.parse(data)))
  year.told = told.length
  // The rate of Northern Ireland and of the Isle of Man is the British one, and each is told of.
  const expected = world.changes.flatMap((change) => {
    const [id, ...rest] = change.subject.split(' ')
    const ids = change.subject === 'GB VAT standard' ? ['GB', 'XI', 'IM'] : [id]
    return ids.map((each) => `${each} ${rest.join(' ')}`)
  })
  const differing = [...new Set([...told, ...expected])].filter(
    (subject) => count(told, subject) !== count(expected, subject),
  )
  year.events = differing.map(
    (subject) => `${subject}: ${count(told, subject)} events, ${count(expected, subject)} changes`,
  )
}

function count(list: readonly string[], item: string): number {
  return list.filter((each) => each === item).length
}

function describe_(type: string, data: Record<string, string>): string {
  if (type === 'rate.updated') return `${data['jurisdiction_id']} ${data['tax_type']} ${data['category']}`
  if (type === 'rule.updated')
    return `${data['jurisdiction_id']} ${data['tax_type']} rule ${data['product_type']}`
  return `${data['jurisdiction_id']} ${data['threshold_type']} all`
}
