import { DAY_MS, dayOf } from '../../platform/kit/calendar.ts'
import type { Context as HonoContext, Hono } from 'hono'
import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import { findJurisdiction } from '../../tax-data/records/find-jurisdiction.ts'
import { ratesOfJurisdiction } from '../../tax-data/records/rates-of-jurisdiction.ts'
import { ApiError } from '../../platform/errors.ts'
import { type PublicAnswer, servePublic } from '../request/serve-public.ts'
import { readHealth } from '../../tax-data/status/health.ts'
import { readRunHistory } from '../../tax-data/status/store.ts'
import { readStatus } from '../../tax-data/status/status.ts'
import { describeThreshold, isAnySale } from '../../engine/book/money-in-words.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { agesOfRegions } from '../../tax-data/records/ages-of-regions.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import type { Jurisdiction, Rate, Threshold } from '../../engine/book/facts.ts'
import { isTaxedPlace } from '../../engine/answer/coverage.ts'
import { lacksRegion, lawOf, placeOfJurisdiction } from '../../engine/supply/place.ts'
import { dayInWords } from './words.ts'
import { calculateForVisitor, EXAMPLE, fieldsOf } from './calculator.ts'
import { CalculatorPage } from './calculator-page.tsx'
import { countCoverage, CoveragePage } from './coverage-page.tsx'
import { atomFeed, jsonFeed } from './feeds.ts'
import { HomePage } from './home-page.tsx'
import { type JurisdictionGap, JurisdictionPage } from './jurisdiction-pages.tsx'
import { JurisdictionsPage, type ListedJurisdiction } from './jurisdictions-page.tsx'
import { Layout } from './layout.tsx'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import { type ProductRate, productRates } from './product-rates.ts'
import { rateChanges, seriesOf } from './rate-changes.ts'
import { zipViewOf } from './zip-view.ts'
import { HISTORY_DAYS, StatusPage } from './status-page.tsx'
import { serveTextFiles } from './text-files.ts'
import { doubtOf, reportAddress } from './wrong-link.ts'
import { WrongPage } from './wrong-page.tsx'

/** The pages for people: a description of the service, the freshness of its data, and the data itself. */
export function servePages(app: Hono<{ Bindings: Bindings }>): void {
  servePage(app, '/', showHome)
  servePage(app, '/try', async (reader, c) => {
    const fields = fieldsOf(c.req.query())
    const result = await calculateForVisitor(reader, fields)
    const page = <CalculatorPage fields={fields} result={result} origin={originOf(c)} />
    return html(page, result.kind === 'refused' ? 400 : 200)
  })
  servePublic(app, '/changes.atom', async (reader, c) => ({
    body: atomFeed(await bookFor(reader), originOf(c)),
    status: 200,
    media_type: 'application/atom+xml; charset=utf-8',
  }))
  servePublic(app, '/changes.json', async (reader, c) => ({
    body: JSON.stringify(jsonFeed(await bookFor(reader), originOf(c))),
    status: 200,
    media_type: 'application/feed+json; charset=utf-8',
  }))
  servePage(app, '/status', showStatus)
  servePage(app, '/jurisdictions', async (reader, c) => {
    const book = await bookFor(reader)
    const day = dayOf(reader.now)
    const places = book.facts.jurisdictions.map((each) => listed(book, each, day))
    return html(<JurisdictionsPage places={places} filter={(c.req.query('q') ?? '').slice(0, 60)} />)
  })
  servePage(app, '/jurisdictions/:id', showJurisdiction)
  servePage(app, '/wrong', async ({ env }, c) => {
    const doubt = doubtOf(c.req.query())
    return html(<WrongPage doubt={doubt} address={reportAddress(env, doubt)} />)
  })
  serveTextFiles(app)
  servePage(app, '/coverage', async (reader) => {
    const book = await bookFor(reader)
    const day = dayOf(reader.now)
    return html(<CoveragePage counts={countCoverage(book, day)} day={day} data_version={book.version} />)
  })
}

type Show = (reader: Reader, c: HonoContext<{ Bindings: Bindings }>) => Promise<PublicAnswer>

/** A page for people, also where it cannot be shown. */
function servePage(app: Hono<{ Bindings: Bindings }>, path: string, show: Show): void {
  servePublic(
    app,
    path,
    show,
    (error, request_id) => html(<Fault error={error} request_id={request_id} />).body,
  )
}

function Fault({ error, request_id }: { error: ApiError; request_id: string }) {
  const refused = error.reason === 'rate_limited'
  return (
    <Layout title="Not available now">
      <h1>{refused ? 'Too many requests' : 'This page cannot be shown now'}</h1>
      <p>
        {refused
          ? 'This network asked for more than 60 such pages in a minute. Wait a minute, then load it again.'
          : 'Load it again in a minute. If it fails again, tell the operators of the service the id below.'}
      </p>
      <p>
        The <a href="/status">status page</a> says whether the API is up.
      </p>
      <p class="quiet">
        Id of the request: <code>{request_id}</code>
      </p>
    </Layout>
  )
}

/** A place of the list with its rates and its first threshold on a day. */
function listed(book: RateBook, jurisdiction: Jurisdiction, day: string): ListedJurisdiction {
  const rates = ratesOfJurisdiction(book, jurisdiction, day)
  const inWords = (some: readonly Rate[]) => {
    const different = new Set(some.map(({ rate_millionths }) => rate_millionths))
    return [...different].toSorted((a, b) => b - a).map(percentInWords)
  }
  const isStandard = ({ category }: Rate) => category === 'standard'
  const threshold = (book.thresholds.get(jurisdiction.id) ?? []).find((each) => inForce(each, day))
  return {
    jurisdiction,
    // Two general taxes, such as GST and QST, are levied side by side.
    standard: inWords(rates.filter(isStandard)).join(' + ') || gapInList(gapOf(book, jurisdiction.id)),
    others: inWords(rates.filter((each) => !isStandard(each))).join(', '),
    threshold: threshold === undefined ? '' : (limitOf(threshold) ?? 'from the first sale'),
    checked: checkedInWords(rates),
  }
}

/** Why a place of the list has no standard rate. */
function gapInList(gap: JurisdictionGap | null): string {
  if (gap === null) return ''
  return gap.kind === 'uncovered' ? 'not covered' : gap.kind === 'parts' ? 'by its parts' : ''
}

/** The oldest day on which a rate was seen at its source, if all were. */
function checkedInWords(rates: readonly Rate[]): string {
  const days = rates.flatMap(({ last_verified_at }) => last_verified_at ?? []).toSorted()
  const [oldest] = days
  if (oldest === undefined) return rates.length === 0 ? '' : 'not yet'
  return days.length < rates.length ? 'in part' : dayInWords(oldest)
}

const CHANGES_ON_HOME = 6

async function showHome(reader: Reader, c: HonoContext<{ Bindings: Bindings }>): Promise<PublicAnswer> {
  // The page is also useful while the tax data cannot be read.
  const book = await bookFor(reader).catch(() => null)
  // The currency follows the country that a visitor chooses.
  const fields = { ...EXAMPLE, currency: '' }
  const view = {
    fields,
    result: book === null ? null : await calculateForVisitor(reader, fields),
    changes: book === null ? [] : rateChanges(book, CHANGES_ON_HOME),
    origin: originOf(c),
    day: dayOf(reader.now),
  }
  return html(<HomePage {...view} />)
}

function originOf(c: HonoContext<{ Bindings: Bindings }>): string {
  return new URL(c.req.url).origin
}

async function showStatus(reader: Reader): Promise<PublicAnswer> {
  const { env, now } = reader
  const from = new Date(now.getTime() - (HISTORY_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  // If the database is down, the page must say so, not fail.
  const [status, history, ages, health] = await Promise.all([
    readStatus(env, now),
    readRunHistory(env.DB, from).catch(() => null),
    agesOfRegions(reader).catch(() => null),
    readHealth(env, now).catch(() => null),
  ])
  return html(<StatusPage status={status} history={history} ages={ages} health={health} now={now} />)
}

async function showJurisdiction(
  reader: Reader,
  c: HonoContext<{ Bindings: Bindings }>,
): Promise<PublicAnswer> {
  const book = await bookFor(reader)
  const { now } = reader
  const day = dayOf(now)
  try {
    const jurisdiction = findJurisdiction(book, c.req.param('id') ?? '', 'id')
    const view = {
      jurisdiction,
      parent:
        jurisdiction.parent_id === null ? null : (book.jurisdictions.get(jurisdiction.parent_id) ?? null),
      rates: ratesOfJurisdiction(book, jurisdiction, day),
      announced: (book.rates.get(jurisdiction.id) ?? []).filter((rate) => rate.effective_from > day),
      thresholds: (book.thresholds.get(jurisdiction.id) ?? [])
        .filter((threshold) => inForce(threshold, day))
        .map((threshold) => ({
          threshold,
          limit: limitOf(threshold) ?? 'no limit: from the first sale',
        })),
      gap: gapOf(book, jurisdiction.id),
      products: productsOf(book, jurisdiction.id, day),
      local: jurisdiction.parent_id !== null && lawOf(book, jurisdiction).localTaxes !== null,
      history: seriesOf(book.rates.get(jurisdiction.id) ?? []),
      children: book.facts.jurisdictions
        .filter(({ parent_id }) => parent_id === jurisdiction.id)
        .toSorted((a, b) => a.name.localeCompare(b.name)),
      zip: await zipViewOf(reader, book, {
        jurisdiction,
        postal_code: c.req.query('postal_code') ?? null,
        city: c.req.query('city') ?? '',
        day,
      }),
      day,
      data_version: book.version,
    }
    return html(<JurisdictionPage {...view} />)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    return html(<NotFound message={thrown.message} />, 404)
  }
}

/** The limit in words; null: the first sale passes it. */
function limitOf(threshold: Threshold): string | null {
  return isAnySale(threshold) ? null : describeThreshold(threshold) || null
}

/** What the service does not compute in a place: no page without a rate may look as if no tax were due. */
function gapOf(book: RateBook, id: string): JurisdictionGap | null {
  const place = placeOfJurisdiction(book, id)
  if (place === null) return null
  if (lacksRegion(book, place)) return { kind: 'parts' }
  if (!isTaxedPlace(book, place)) return { kind: 'uncovered' }
  return place.law.only === undefined ? null : { kind: 'only', what: place.law.only }
}

/** The rate of each product; nothing for a place without a tax of its own. */
function productsOf(book: RateBook, id: string, day: string): ProductRate[] {
  const place = placeOfJurisdiction(book, id)
  return place === null || !isTaxedPlace(book, place) ? [] : productRates(book, place, day)
}

/** The page of an unknown path, for browsers. */
export function unknownPage(): string {
  return html(<UnknownPath />).body
}

function UnknownPath() {
  return (
    <Layout title="Not found">
      <h1>This page does not exist</h1>
      <p>Check the address, or start from one of these pages:</p>
      <ul>
        <li>
          <a href="/">Home</a>, with the tax calculator
        </li>
        <li>
          <a href="/docs/">Documentation</a>, with a search
        </li>
        <li>
          <a href="/jurisdictions">Rates</a> by jurisdiction
        </li>
        <li>
          <a href="/status">Status</a> of the tax data
        </li>
      </ul>
    </Layout>
  )
}

function NotFound({ message }: { message: string }) {
  return (
    <Layout title="Not found">
      <h1>Not found</h1>
      <p>{message}</p>
      <p>
        <a href="/jurisdictions">All jurisdictions</a>
      </p>
    </Layout>
  )
}

function html(
  element: { toString: () => string | Promise<string> },
  status = 200,
): { body: string; status: number } {
  return { body: `<!doctype html>${String(element)}`, status }
}
