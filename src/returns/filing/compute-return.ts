import { readAccount } from '../../parties/accounts/store.ts'
import { firstDayOf, readPeriod, type PeriodCounting } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { readRegistrations } from '../registrations/store.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import { UNION_SCHEMES } from '../../engine/ground/schemes.ts'
import { MEMBER_STATES } from '../../engine/regimes/eu-member-states.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { dayIn, lacksTimeZone } from '../../platform/kit/time-zone.ts'
import type { FilingQuery } from '../forms/queries.ts'
import {
  type OverlappingReturn,
  readKeptRates,
  readLiveReturns,
  readOverlapping,
} from '../archive/returns-store.ts'
import { readUndeclared } from '../archive/undeclared.ts'
import {
  convertRows,
  firstRate,
  type RateFinder,
  ratesOfEarlier,
  ratesOfRequest,
  readPublishedFinder,
  type UsedRate,
} from '../forms/exchange.ts'
import {
  type Figure,
  type FilingPeriod,
  type FilingRow,
  type Filled,
  type FilledCorrection,
  type GivenBoxes,
  inOrder,
  type Measure,
  NET,
  sumOf,
  TAX,
  TAXABLE,
} from '../rows/figures.ts'
import { type FilingScope, type FilingSeller, type Form, isDeclared, taxMeasureOf } from '../forms/form.ts'
import { formOf } from '../forms/forms.ts'
import { type LateRule, lateRuleOf } from '../forms/late-rules.ts'
import { readJurisdictionTaxes } from '../rows/jurisdiction-taxes-store.ts'
import { scopesOf } from '../rows/line-scopes.ts'
import { cancellingIn } from './cancelling-entries.ts'
import { lateOf } from './late-entries.ts'
import { COUNTRIES_WITH_FORM } from '../forms/national-return.ts'
import { rateTypeOf, standardRateOf } from '../rows/rate-types.ts'

/** The quota of registrations of an account. */
const REGISTRATIONS_MAX = 500

/** A form that is filled in, with the rows behind each figure. */
export type FilledReturn = {
  form: Form
  period: FilingPeriod
  jurisdiction_id: string | null
  currency: string | null
  seller: FilingSeller
  filled: Filled
  corrections: FilledCorrection[]
  expired: FilledCorrection[]
  /** Late entries of filed returns that are to be amended: nothing else here has them. */
  amendments: FilledCorrection[]
  late_rule: LateRule
  /** Late entries on this return that change no figure of it or of their own. */
  cancelling: FilingRow[]
  /** All rows that the return declares, in the currencies of the sales. */
  counted: readonly FilingRow[]
  /** The same in the currency of the form, without those that have no exchange rate. */
  rows: FilingRow[]
  unconverted: FilingRow[]
  used: UsedRate[]
  boxes: GivenBoxes
}

/** A computed return. `declared_by` are filed returns that declare other lines of the same days. */
export type ComputedReturn = FilledReturn & {
  declared_by: readonly string[]
  data_version: string
  period_ended: boolean
  /** The zone in which days of the figures are days. */
  time_zone: string
  lacks_time_zone: boolean
  /** Filed returns of days of this period, under other names. */
  overlaps_filed: readonly OverlappingReturn[]
  /** The exchange rates of the request in millionths, by their names in it. */
  fx_rates: ReadonlyMap<string, number>
}

/**
 * Computes a return from the totals, without what filed returns declare. Throws invalid_request if the form
 * does not have such a period.
 */
export async function computeReturn(context: Context, query: FilingQuery): Promise<ComputedReturn> {
  const form = formOf(query.type)
  const period = periodOf(query.period, form, context.principal.periods)
  const jurisdiction_id = jurisdictionOf(form, query.jurisdiction_id)
  const [seller, book, live, overlaps_filed] = await Promise.all([
    sellerOfReturn(context, period),
    bookFor(context),
    readLiveReturns(context, query.type, jurisdiction_id ?? ''),
    readOverlapping(context, { type: query.type, jurisdiction_id, ...period }),
  ])
  const currency = currencyOf(form, jurisdiction_id, book)
  const undeclared = await readUndeclared(context, period, live, {
    count: (row, filed_by) => isDeclared(form, row, filed_by ?? seller, jurisdiction_id),
    by_day_except: form.exchange?.at === 'day' ? currency : null,
  })
  const days = [period.from, period.to]
  const counted = undeclared.rows.map((row) => ({ ...row, corrects: correctedBy(form, row, period) }))
  const fx_rates: ReadonlyMap<string, number> = query.fx_rates ?? new Map()
  const given = ratesOfRequest(fx_rates, form.exchange)
  const [published, filed] = await Promise.all([
    readPublishedFinder(context.env.DB, form.exchange, currency, counted),
    readFiledFinder(context, form, { jurisdiction_id, currency, period }, counted),
  ])
  const input = {
    period,
    jurisdiction_id,
    currency,
    seller,
    rateOf: firstRate(given, filed, published),
    counted,
    boxes: boxesOf(form, query.boxes),
    rates: {
      rateTypeOf: (row: FilingRow) => rateTypeOf(book, row.place_of_supply, row.tax_rate, days),
      standardRateOf: (place: string) => standardRateOf(book, place, period.from),
    },
  }
  const filledIn = fillForm(form, input)
  const cancel = await cancelByPlace(context, filledIn, undeclared.declared_by)
  return {
    ...(cancel ? filledIn : fillForm(form, { ...input, none_cancels: true })),
    declared_by: undeclared.declared_by,
    overlaps_filed,
    data_version: book.version,
    time_zone: context.principal.time_zone,
    lacks_time_zone: lacksTimeZone(context.principal.time_zone, context.principal.seller),
    period_ended: period.to < dayIn(context.principal.time_zone, context.now),
    fx_rates,
  }
}

/** Whether late entries that cancel out do so for each county and city, if the form lists their taxes. */
async function cancelByPlace(
  context: Context,
  { form, cancelling }: FilledReturn,
  declared_by: readonly string[],
): Promise<boolean> {
  if (form.lists_taxes !== true || cancelling.length === 0) return true
  const taxes = await readJurisdictionTaxes(context, scopesOf(cancelling, declared_by))
  return taxes?.every(({ taxable_amount, tax_amount }) => taxable_amount === 0 && tax_amount === 0) ?? false
}

/** The rates with which earlier sales among the rows were filed. */
async function readFiledFinder(
  context: Context,
  { type, exchange }: Form,
  of: Pick<FormInput, 'jurisdiction_id' | 'currency' | 'period'>,
  counted: readonly FilingRow[],
): Promise<RateFinder> {
  const { jurisdiction_id, currency, period } = of
  const earlier = counted
    .filter((row) => currency !== null && row.currency !== currency)
    .map(({ sold_in }) => firstDayOf(sold_in))
    .filter((day) => day < period.from)
  if (earlier.length === 0) return () => null
  const since = earlier.reduce((first, day) => (day < first ? day : first))
  const filed = { type, jurisdiction_id: jurisdiction_id ?? '' }
  return ratesOfEarlier(await readKeptRates(context, filed, since), exchange)
}

/** What a form is filled in from. `counted` are rows in the currencies of the sales. */
type FormInput = {
  period: FilingPeriod
  jurisdiction_id: string | null
  currency: string | null
  seller: FilingSeller
  rateOf: RateFinder
  counted: readonly FilingRow[]
  boxes: GivenBoxes
  rates: Pick<FilingScope, 'rateTypeOf' | 'standardRateOf'>
  /** Where a filed return has its late entries. Left out: the rule of its office decides. */
  late_are?: 'in_boxes' | 'beside'
  /** Late entries that cancel out are those of several places: all amend their return. */
  none_cancels?: true
}

/** Fills in a form. Pure: the same input gives the same figures. */
export function fillForm(form: Form, input: FormInput): FilledReturn {
  const { period, jurisdiction_id, currency, seller, rateOf, counted, boxes, rates } = input
  const { rows, unconverted, used } =
    currency === null
      ? { rows: [...counted], unconverted: [], used: [] }
      : convertRows(counted, currency, rateOf)
  const scope = { period, jurisdiction_id, seller, boxes, ...rates }
  const own = form.fill(rows.filter(isOwn), scope)
  const tax = taxMeasureOf(form, jurisdiction_id)
  const late_rule = lateRuleOf(form.type, jurisdiction_id)
  const lines = late_rule.where === 'lines' || input.late_are !== undefined
  const cancels =
    lines || input.none_cancels
      ? () => false
      : cancellingIn(form, { rows, unconverted, currency }, late_rule.where === 'boxes' ? own : null, scope)
  const late = lateOf(rows, { rule: late_rule, period, own, tax, cancels }, input.late_are)
  const stays = (row: FilingRow) => !late.amends(row)
  const corrections = correctionsOf(form, tax, late.declared)
  const tooLate = (each: FilledCorrection) => form.expires(each.period, period)
  return {
    form,
    period,
    jurisdiction_id,
    currency,
    seller,
    filled: late.in_boxes ? withLate(own, form.fill(rows.filter(stays), scope)) : own,
    corrections: corrections.filter((each) => !tooLate(each)),
    expired: corrections.filter(tooLate),
    amendments: correctionsOf(form, tax, [...rows, ...unconverted].filter(late.amends)),
    late_rule,
    cancelling: rows.filter(cancels),
    counted: counted.filter(stays),
    rows: rows.filter(stays),
    unconverted: needARate(unconverted.filter(stays), rows, form, scope),
    used,
    boxes,
  }
}

/** The rows without an exchange rate that a figure counts. No box takes other rows that the form concerns. */
function needARate(
  unconverted: readonly FilingRow[],
  rows: readonly FilingRow[],
  form: Form,
  scope: FilingScope,
): FilingRow[] {
  if (unconverted.length === 0) return []
  const { boxes, supplies } = form.fill([...rows, ...unconverted], scope)
  const counted = new Set([...boxes, ...supplies].flatMap((figure) => figure.rows ?? []))
  return unconverted.filter((row) => counted.has(row) && hasAmounts(row))
}

function isOwn({ corrects }: FilingRow): boolean {
  return corrects === null
}

/** Boxes with late entries; supplies without them, because they are listed as corrections. */
function withLate(own: Filled, whole: Filled): Filled {
  const totals =
    own.totals === null || whole.totals === null ? null : { ...own.totals, tax_due: whole.totals.tax_due }
  return { ...whole, supplies: own.supplies, totals }
}

/** The figures of a return with their rows, for the links. */
export function figuresOf(computed: FilledReturn): Figure[] {
  const { form, jurisdiction_id, filled, corrections, expired, amendments } = computed
  const tax = taxMeasureOf(form, jurisdiction_id)
  return [
    ...filled.boxes.flatMap(({ box, rows, measure }) => (rows === null ? [] : [{ key: box, rows, measure }])),
    ...filled.supplies.map((supply) => ({ key: supplyKey(supply), rows: supply.rows, measure: TAX })),
    ...[...corrections, ...expired].map((each) => ({
      key: correctionKey(each),
      rows: each.rows,
      measure: tax,
    })),
    ...amendments.map((each) => ({ key: amendmentKey(each), rows: each.rows, measure: tax })),
  ]
}

/** Names a supply in a link: `FR.goods.0.2.EUR`. */
export function supplyKey(supply: Filled['supplies'][number]): string {
  const { jurisdiction_id, kind, rate, currency, tax_type = null } = supply
  const named = [kind, rate, tax_type].filter((each) => each !== null)
  return [jurisdiction_id, ...named, currency].join('.')
}

/** Names a correction in a link: `FR.2026-Q1.EUR`. */
export function correctionKey({ jurisdiction_id, period, currency }: FilledCorrection): string {
  return [jurisdiction_id, period, currency].join('.')
}

/** Names in a link what an old return lacks: `amend.DE.2026-Q1.EUR`. */
export function amendmentKey(each: FilledCorrection): string {
  return `amend.${correctionKey(each)}`
}

/**
 * A refund corrects the period of its sale, if the form says so, and a late entry the period of its day. The
 * one-stop shop alone corrects what it declared: another form that lists such sales counts them as its own.
 */
export function correctedBy(form: Form, row: FilingRow, period: FilingPeriod): string | null {
  const of_shop = UNION_SCHEMES.some((scheme) => scheme === row.scheme)
  if (of_shop && form.type !== row.scheme && form.type !== 'generic') return null
  const own = row.period.name === period.name
  const corrected = row.sold_in < row.period.from.slice(0, 7) ? form.correctionOf(row.sold_in) : null
  return corrected ?? (own ? null : row.period.name)
}

function correctionsOf(form: Form, tax: Measure, rows: readonly FilingRow[]): FilledCorrection[] {
  const periodOfRow = (row: FilingRow) => invariant(row.corrects, 'a correction has a period')
  const groups = Map.groupBy(rows, (row) =>
    [form.stateOf(row.place_of_supply), periodOfRow(row), row.currency].join(' '),
  )
  return inOrder(groups).map((group) => {
    const first = at(group, 0)
    return {
      jurisdiction_id: form.stateOf(first.place_of_supply),
      period: periodOfRow(first),
      currency: first.currency,
      taxable_amount: sumOf(group, TAXABLE),
      tax_amount: sumOf(group, tax),
      rows: group,
    }
  })
}

function hasAmounts(row: FilingRow): boolean {
  return sumOf([row], NET) !== 0 || sumOf([row], TAX) !== 0
}

function periodOf(text: string, form: Form, counting: PeriodCounting): FilingPeriod {
  const calendar = {
    uk_stagger: form.type === 'uk_vat100' ? counting.uk_stagger : 1,
    fiscal_year_start: form.year_starts_in ?? counting.fiscal_year_start,
  }
  const period = readPeriod(text, calendar)
  if (period === null)
    throw fieldError(
      'invalid_request',
      'period',
      'must be a year 2026, a quarter 2026-Q3, a month 2026-09 or up to 12 months 2026-07..2026-12',
    )
  if (!form.periods.includes(period.kind)) {
    const kinds = form.periods.filter((kind) => kind !== 'months')
    throw fieldError('invalid_request', 'period', `must be a ${kinds.join(' or a ')} for this return`)
  }
  return { name: text, ...period }
}

function jurisdictionOf(form: Form, given: string | undefined): string | null {
  if (given !== undefined && form.by_jurisdiction === false)
    throw fieldError('invalid_request', 'jurisdiction_id', 'is not possible for this return')
  if (form.by_jurisdiction === 'member_state' && (given === undefined || !MEMBER_STATES.includes(given)))
    throw fieldError('invalid_request', 'jurisdiction_id', 'must be a member state of the European Union')
  if (form.by_jurisdiction === 'country' && given !== undefined && !COUNTRIES_WITH_FORM.includes(given))
    throw fieldError(
      'invalid_request',
      'jurisdiction_id',
      `must be one of ${COUNTRIES_WITH_FORM.join(', ')}, whose form is in the data. Leave it out ` +
        `for all sales`,
    )
  return given ?? null
}

function boxesOf({ given_boxes = [] }: Form, given: GivenBoxes = new Map()): GivenBoxes {
  for (const box of given.keys())
    if (!given_boxes.includes(box))
      throw fieldError(
        'invalid_request',
        'boxes',
        given_boxes.length === 0
          ? 'this return has no box to give'
          : `${box} cannot be given: give ${given_boxes.join(', ')}`,
      )
  return given
}

/** A form of one member state or country is in its currency. */
export function currencyOf(form: Form, jurisdiction_id: string | null, book: RateBook): string | null {
  if (jurisdiction_id === null || typeof form.by_jurisdiction === 'boolean') return form.currency
  return invariant(book.jurisdictions.get(jurisdiction_id), 'a country with a form is in the data').currency
}

/** The account's profile and its registrations that are valid in the period. */
async function sellerOfReturn(context: Context, { from, to }: FilingPeriod): Promise<FilingSeller> {
  const [account, { rows }] = await Promise.all([
    readAccount(context),
    readRegistrations(context, REGISTRATIONS_MAX, 0),
  ])
  const valid = rows
    .filter(({ valid_from, valid_to }) => valid_from <= to && (valid_to === null || from <= valid_to))
    .map(({ jurisdiction_id, scheme, registration_number }) => ({
      id: invariant(jurisdiction_id ?? scheme, 'a registration has a place or a scheme'),
      registration_number,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    country: account?.country ?? null,
    registrations: valid.map(({ id }) => id),
    name: account?.name ?? '',
    vat_id: account?.vat_id ?? null,
    numbers: valid,
  }
}
