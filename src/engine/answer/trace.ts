import { moneyInWords } from '../book/money-in-words.ts'
import type { AssessedFee, AssessedLine, TraceStep } from '../found/assessment.ts'
import type { LayerTreatment } from '../book/layer.ts'
import type { FoundBundle, LineInParts, Terms, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import { termsLookedAt } from '../parts/parts.ts'
import type { SaleLine } from '../sale/sale.ts'
import { OWN_RATE } from '../ground/own-rate.ts'
import { categoryInWords, percentInWords } from '../book/figures-in-words.ts'
import type { Provenance } from '../book/facts.ts'

/** The rules that led to an assessment, read off from what its steps found. */
export function traceOf(
  { sale, customer, counter, registrations }: Walk,
  lines: readonly LineInParts[],
  assessed: readonly AssessedLine[],
  fees: readonly AssessedFee[],
): TraceStep[] {
  const where = [step('where', null, 'customer address', customer.jurisdiction_id, null)]
  if (counter !== null) where.push(step('where', null, 'counter', counter.customer.jurisdiction_id, null))
  const found: StepsOfTerms = new Map()
  const source = sourceOfRegistration(registrations)
  const ofLines = lines.flatMap((inParts, index) => {
    const { line, parts, bundle } = inParts
    const shared = termsLookedAt(inParts).map((terms) => knownSteps(found, terms, line.product_type, source))
    const distinct = shared.length === 1 ? at(shared, 0) : withoutRepeats(shared.flat())
    const steps: TraceStep[] = distinct.map((each) => ({ ...each, line: index }))
    if (bundle !== null) steps.push(stepOfBundle(line, bundle, index))
    if (!line.taxable)
      steps.push(step('request', index, 'This line is marked as not taxable', 'not taxed', null))
    const { tax_amount, taxable_amount } = at(assessed, index)
    const rule = `${line.product_type}, ${sale.rounding} rounding`
    const outcome = `${tax_amount} on ${taxable_amount}`
    const { basis } = at(parts, 0).terms.supplied.supply
    steps.push(step('tax', index, rule, outcome, basis))
    return steps
  })
  return [...where, ...ofLines, ...fees.map(stepOfFee)]
}

/** The steps of terms for a type of product, without a line: lines on equal terms share them. */
type StepsOfTerms = Map<Terms, Map<string, readonly TraceStep[]>>

function knownSteps(
  found: StepsOfTerms,
  terms: Terms,
  product_type: string,
  source: string,
): readonly TraceStep[] {
  const byType = found.get(terms) ?? new Map<string, readonly TraceStep[]>()
  const steps = byType.get(product_type) ?? withoutRepeats(stepsOfTerms(terms, product_type, source, null))
  found.set(terms, byType.set(product_type, steps))
  return steps
}

function stepOfFee({ record, tax_amount }: AssessedFee): TraceStep {
  const { jurisdiction_id, name, currency } = record
  const outcome = `${moneyInWords(tax_amount, currency)} on the sale`
  return step('delivery_fee', null, `${name} of ${jurisdiction_id}`, outcome, sourceCited(record))
}

function step(
  name: string,
  line: number | null,
  rule: string,
  outcome: string,
  basis: string | null,
): TraceStep {
  return { step: name, line, rule, outcome, basis }
}

/** The parts of a line share most of their steps. */
function withoutRepeats(steps: readonly TraceStep[]): TraceStep[] {
  return [...new Map(steps.map((each) => [JSON.stringify(each), each])).values()]
}

/** `groceries 60 %, physical_goods 40 % for one price`, and what the law made of it. */
function stepOfBundle({ bundle }: SaleLine, { outcome, basis }: FoundBundle, index: number): TraceStep {
  const named = bundle.map(
    ({ product_type, share_millionths }) => `${product_type} ${share_millionths / 10_000} %`,
  )
  return step('bundle', index, `${named.join(', ')} for one price`, outcome, basis)
}

function stepsOfTerms(terms: Terms, product_type: string, source: string, line: number | null): TraceStep[] {
  const { supplied, treatments } = terms
  const { supply, kind, limits } = supplied
  const value = limits.map(({ region, within }) =>
    step('consignment_value', line, `limit of ${region}`, within ? 'within' : 'above', null),
  )
  const where = step(
    'place_of_supply',
    line,
    `${kind}: ${supply.detail}`,
    `${supply.kind} in ${supply.place}`,
    supply.basis,
  )
  const ruled = treatments.map((treatment) => stepOfRule(treatment, line))
  return [
    ...value,
    where,
    ...stepOfOrigin(supplied, line),
    ...(supply.kind !== 'taxed' || terms.reason === 'not_subject_to_tax'
      ? []
      : [
          step(
            'registration',
            line,
            `${product_type}: the seller is registered in ${supply.place}${source}`,
            terms.registered ? 'yes' : 'no',
            null,
          ),
        ]),
    ...ruled,
    ...stepOfExemption(terms, line),
  ]
}

/** Who decides whether the seller is registered, if its registrations do not. */
function sourceOfRegistration({ stated, assumed }: Walk['registrations']): string {
  if (stated !== null) return ', as the request states'
  return assumed ? ', assumed because the seller is unknown' : ''
}

/** What the law of the origin says of a supply that another place taxes. */
function stepOfOrigin({ supply, kind }: Terms['supplied'], line: number | null): TraceStep[] {
  if (supply.kind !== 'taxed' || supply.at_origin === undefined) return []
  const { detail, reason, place, basis } = supply.at_origin
  return [step('place_of_origin', line, `${kind}: ${detail}`, `${reason} from ${place}`, basis)]
}

function stepOfExemption({ exemption, charges }: Terms, line: number | null): TraceStep[] {
  if (exemption === null) return []
  const rule = `${exemption.exemption_type} exemption for ${exemption.jurisdiction_id}`
  return [step('exemption', line, rule, charges.length === 0 ? 'exempt' : 'partly exempt', null)]
}

/** The treatment of a product by one tax, with the source of the rule; without a rule, that of the rate. */
function stepOfRule(treatment: LayerTreatment, line: number | null): TraceStep {
  const { layer, product_type, rule, rate, standard, by_default } = treatment
  if (rate?.source === OWN_RATE) return stepOfOwnRate(treatment, line)
  const place = rule?.jurisdiction_id ?? layer.rules_from
  const named = `${product_type}: ${layer.tax_type} ${layer.jurisdiction_id}`
  const found = by_default ? `no rule of ${place} for it` : `rule of ${place}`
  const record = rule ?? rate ?? standard
  const basis = record === null ? null : sourceCited(record)
  return step('product_rule', line, `${named}, ${found}`, describeTreatment(treatment), basis)
}

function stepOfOwnRate({ layer, product_type, rate, ...treatment }: LayerTreatment, line: number | null) {
  const rule = `${product_type}: ${layer.tax_type} ${layer.jurisdiction_id}, ${OWN_RATE} of the seller`
  return step('own_rate', line, rule, percentInWords(treatment.rate_millionths), rate?.notes ?? null)
}

function describeTreatment({ taxed, zero_rated, category, rate_millionths }: LayerTreatment): string {
  if (!taxed) return zero_rated ? 'zero-rated' : 'exempt'
  return `${categoryInWords(category)} ${percentInWords(rate_millionths)}`
}

/**
 * How a trace cites a record: its source with the page. A home page shows nothing of a rule, so the source
 * stands alone then, and a record that nobody has seen there is called not verified yet.
 */
function sourceCited({ source, source_url, last_verified_at }: Provenance): string {
  if (!isHomePage(source_url)) return `${source} (${source_url})`
  return last_verified_at === null ? 'Rule not verified yet' : source
}

/** Whether a URL leads to the entrance of a site or of its database, and not to a page about a rule. */
function isHomePage(url: string): boolean {
  return isOnlyHost(url) || url === TEDB
}

/** Whether a URL is a host without a page. */
export function isOnlyHost(url: string): boolean {
  const { pathname, search, hash } = new URL(url)
  return pathname === '/' && search === '' && hash === ''
}

/** The entrance of the database of the rates of the member states. */
const TEDB = 'https://ec.europa.eu/taxation_customs/tedb/'
