import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the world says on a day: the value of a subject. Rates are millionths, thresholds are texts. */
export type Said = (subject: string) => string

/** A document that a source publishes. */
export type Paper = { type: string; body: string }

const DOCUMENTS = join(import.meta.dirname, '../../collectors/documents')
const read = (name: string) => readFileSync(join(DOCUMENTS, name), 'utf8')

const PAGES = {
  nexus: read('us/nexus.html'),
  guidance: read('us/guidance.html'),
  foundation: read('us-tax/foundation.html'),
  administrators: read('us-tax/administrators.html'),
  oneStopShop: read('eu/one-stop-shop.html'),
  rates: read('ca/rates.html'),
  register: read('ca/when-to-register.html'),
  gst: read('au/registering-for-gst.html'),
  ablis: read('au/ablis.html'),
  business: read('au/business-gov.html'),
  nzRate: read('nz/gst.html'),
  nzThreshold: read('nz/registering-for-gst.html'),
  britishRates: read('uk/vat-rates.json'),
  supplement: read('uk/supplement.json'),
  goods: read('taxability/goods.json'),
}

const html = (body: string): Paper => ({ type: 'text/html; charset=utf-8', body })
const json = (body: string): Paper => ({ type: 'application/json; charset=utf-8', body })
const percent = (millionths: string) => String(Number(millionths) / 10_000)

export const MEMBER_STATES =
  'AT BE BG CY CZ DE DK EE GR ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const BANDS = ['reduced', 'reduced_2', 'super_reduced', 'parking'] as const

/**
 * The answer of the Commission's database, as it was recorded: territories, imports and exemptions among
 * it.
 */
export function tedb(said: Said, situation: (state: string) => string): Paper {
  const rows = MEMBER_STATES.flatMap((id) => {
    const state = id === 'GR' ? 'EL' : id
    const row = (type: string, kind: string, value: string, more = '') =>
      `<vatRateResults><memberState>${state}</memberState><type>${type}</type><rate><type>${kind}</type><value>${value}</value></rate><situationOn>${situation(id)}+01:00</situationOn>${more}</vatRateResults>\n`
    const bands = BANDS.flatMap((band) => {
      const value = said(`${id} VAT ${band}`)
      if (value === '') return []
      const kind =
        band === 'parking' ? 'PARKING_RATE' : Number(value) < 50_000 ? 'SUPER_REDUCED_RATE' : 'REDUCED_RATE'
      const narrowed =
        '<cnCodes><code><value>0504 00 00</value><description>…</description></code></cnCodes><category><identifier>FOODSTUFFS</identifier><description>…</description></category><comment>Annex 2 contains a list of goods</comment>'
      return [row('REDUCED', kind, percent(value), narrowed)]
    })
    return [
      ...(id === 'ES'
        ? [row('STANDARD', 'DEFAULT', '7.0', '<comment>VAT - Canary Islands -</comment>')]
        : []),
      ...(id === 'DE'
        ? [row('STANDARD', 'DEFAULT', percent(said('DE VAT standard')), '<comment>VAT - Import -</comment>')]
        : []),
      row('STANDARD', 'DEFAULT', percent(said(`${id} VAT standard`))),
      ...bands,
      ...headingsOf(id, said).map(([heading, value]) =>
        row(
          'REDUCED',
          Number(value) < 50_000 ? 'SUPER_REDUCED_RATE' : 'REDUCED_RATE',
          percent(value),
          `<category><identifier>${heading}</identifier><description>…</description></category>`,
        ),
      ),
      ...(id === 'FR'
        ? [
            row(
              'REDUCED',
              'REDUCED_RATE',
              '8.5',
              '<category><identifier>REGION</identifier><description>…</description></category>',
            ),
          ]
        : []),
      row(
        'REDUCED',
        'EXEMPTED',
        '0.0',
        '<category><identifier>SOLAR_PANELS</identifier><description>…</description></category>',
      ),
    ]
  })
  return {
    type: 'text/xml;charset=utf-8',
    body: `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body><ns0:retrieveVatRatesRespMsg xmlns="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService:types" xmlns:ns0="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService"><additionalInformation/>\n${rows.join('')}</ns0:retrieveVatRatesRespMsg></env:Body></env:Envelope>`,
  }
}

const GERMAN_HEADINGS =
  'LOAN_LIBRARIES NEWSPAPERS ACCOMMODATION TRANSPORT_PASSENGERS CULTURAL_EVENTS RESTAURANT'.split(' ')

/** The headings of the database that are about our product types, with the rate of each. */
function headingsOf(id: string, said: Said): [heading: string, millionths: string][] {
  if (id === 'DE') return GERMAN_HEADINGS.map((heading) => [heading, said('DE VAT reduced')])
  if (id !== 'FR') return []
  const band = said('FR VAT rule newspapers').split(' ')[1] ?? 'super_reduced'
  return [
    ['NEWSPAPERS', said(`FR VAT ${band}`)],
    ['PHARMACEUTICAL_PRODUCTS', said('FR VAT super_reduced')],
  ]
}

/** A page with the threshold of distance sales, in euros. */
export function distanceSales(euros: number): Paper {
  const written = String(euros).replace(/(\d)(?=(\d{3})+$)/g, '$1&#8239;')
  return html(PAGES.oneStopShop.replace('10&#8239;000', written))
}

/** GOV.UK's page of rates; `from` is the day that its sentence names. */
export function britishRates(said: Said, edited: string, from: string | null): Paper {
  const rate = percent(said('GB VAT standard'))
  const sentence = from === null ? '' : ` from ${inWords(from)}`
  return json(
    PAGES.britishRates
      .replace('<em>20%</em>', `<em>${rate}%</em>${sentence}`)
      .replace('<td>20%</td>', `<td>${rate}%</td>`)
      .replace('<td>5%</td>', `<td>${percent(said('GB VAT reduced'))}%</td>`)
      .replace('2026-11-21', edited),
  )
}

/** A supplement to a VAT notice, with the threshold in pence. */
export function supplement(pence: string, edited: string): Paper {
  const pounds = String(Number(pence) / 100).replace(/(\d)(?=(\d{3})+$)/g, '$1,')
  return json(PAGES.supplement.replace('£90,000', `£${pounds}`).replace('2026-11-21', edited))
}

/** A chart of nexus thresholds: the cell of each state replaces that of the recorded page. */
export function nexusChart(
  page: 'nexus' | 'guidance',
  cells: ReadonlyMap<string, string>,
  as_of: string,
): Paper {
  const dated = PAGES[page].replace(
    /as of (\d{1,2}\/\d{1,2}\/\d{4}|[A-Z][a-z]+ \d{1,2}, \d{4})/i,
    `As of ${american(as_of)}`,
  )
  let body = dated
  for (const [name, cell] of cells) body = withCell(body, page, name, cell)
  return html(body)
}

function withCell(page: string, kind: 'nexus' | 'guidance', name: string, cell: string): string {
  const pattern =
    kind === 'nexus'
      ? new RegExp(`(<a href="#">${name}</a></td><td>[^<]*</td><td>).*?(?=</td>)`)
      : new RegExp(`(<a href="#">${name}</a></td><td></td><td>).*?(?=</td>)`)
  if (!pattern.test(page)) throw new Error(`${kind} has no row of ${name}`)
  return page.replace(pattern, (_, before: string) => `${before}<p>${cell}</p>`)
}

/** A table of state rates: by name of the state, in millionths. */
export function stateTable(
  page: 'foundation' | 'administrators',
  rates: ReadonlyMap<string, string>,
  as_of: string,
): Paper {
  const [first, sign] = page === 'foundation' ? (['', '%'] as const) : (['', ''] as const)
  let body = PAGES[page].replace(/as of [A-Z][a-z]+ \d{1,2}, \d{4}/i, `As of ${american(as_of)}`)
  for (const [name, millionths] of rates) {
    const written =
      Number(millionths) === 0
        ? 'none'
        : page === 'foundation'
          ? (Math.round(Number(millionths) / 100 + 1e-9) / 100).toFixed(2)
          : percent(millionths)
    const shown = page === 'foundation' ? name : name.toUpperCase()
    const alias =
      shown === 'DISTRICT OF COLUMBIA'
        ? 'DIST. OF COLUMBIA'
        : shown === 'District of Columbia'
          ? 'D.C.'
          : shown
    const pattern = new RegExp(`(<td>${alias.replaceAll('.', '\\.')}(?: \\([a-z0-9]\\))?</td><td>)[^<]*`)
    if (!pattern.test(body)) throw new Error(`${page} has no row of ${alias}`)
    body = body.replace(
      pattern,
      (_, before: string) => before + first + written + (written === 'none' ? '' : sign),
    )
  }
  return html(body)
}

/** The directory of rate files, with these files in it. */
export function directory(names: readonly string[]): Paper {
  const links = names.map((name) => `<a href="/rates/${name}">${name}</a><br>`).join('\n')
  return html(
    `<html><head><title>Rates</title></head><body><h1>Rates</h1><hr><pre>${links}\n</pre><hr></body></html>`.padEnd(
      300,
    ),
  )
}

/** The rate file of a state: its periods, each with its first day and its rate in millionths. */
export function rateFile(
  fips: string,
  periods: readonly { from: string; to: string; rate: string }[],
): Paper {
  const rows = periods.map(({ from, to, rate }) => {
    const fraction = Number(rate) / 1_000_000
    return `${fips},45,${fips},${fraction},${fraction},0,0,${from.replaceAll('-', '')},${to.replaceAll('-', '')}`
  })
  return {
    type: 'text/csv',
    body: `${rows.join('\r\n')}\r\n${fips},00,001,0.015,0.015,0,0,20170401,29991231\r\n`,
  }
}

const PROVINCES: readonly [name: string, subject: string][] = [
  ['British Columbia', 'CA-BC PST standard'],
  ['Manitoba', 'CA-MB RST standard'],
  ['New Brunswick', 'CA-NB HST standard'],
  ['Newfoundland and Labrador', 'CA-NL HST standard'],
  ['Nova Scotia', 'CA-NS HST standard'],
  ['Ontario', 'CA-ON HST standard'],
  ['Prince Edward Island', 'CA-PE HST standard'],
  ['Quebec', 'CA-QC QST standard'],
  ['Saskatchewan', 'CA-SK PST standard'],
]

/** The table of the Canada Revenue Agency, with the day of its last edit. */
export function canadianRates(said: Said, edited: string): Paper {
  let body = PAGES.rates.replace('2026-11-21', edited)
  for (const [name, subject] of PROVINCES) {
    const rate = `${percent(said(subject))}%`
    body = subject.includes('HST')
      ? body.replace(new RegExp(`(<td>${name}</td><td>)[^<]*`), `$1${rate}`)
      : body.replace(new RegExp(`(<td>${name}</td><td>5%</td><td>)[^<]*`), `$1${rate}`)
  }
  return html(body)
}

export function smallSupplier(edited: string): Paper {
  return html(PAGES.register.replace('2026-11-21', edited))
}

/** The pages of Australia and New Zealand, with the thresholds in cents. */
export function australia(cents: string): { ato: Paper; ablis: Paper; business: Paper } {
  const dollars = (Number(cents) / 100).toString().replace(/(\d)(?=(\d{3})+$)/g, '$1,')
  const raised = (page: string) =>
    page.replaceAll('$75,000', `$${dollars}`).replaceAll('$75 000', `$${dollars.replace(',', ' ')}`)
  return { ato: html(raised(PAGES.gst)), ablis: html(raised(PAGES.ablis)), business: html(PAGES.business) }
}

/** GOV.UK's list of goods. */
export function goods(): Paper {
  return json(PAGES.goods)
}

export function newZealand(): { rate: Paper; threshold: Paper } {
  return { rate: html(PAGES.nzRate), threshold: html(PAGES.nzThreshold) }
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

export function american(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`
}

function inWords(day: string): string {
  return `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}
