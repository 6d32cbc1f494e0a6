import { nameOf } from '../../tax-data/records/present-facts.ts'
import { moneyInWords } from '../../engine/book/money-in-words.ts'
import type { BreakdownEntry } from '../../engine/found/assessment.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import { supplyKind } from '../../engine/book/product-types.ts'
import { at } from '../../engine/ground/invariant.ts'
import { placeNamed } from '../../engine/supply/place.ts'
import type { Sale } from '../../engine/sale/sale.ts'
import type { CalculatorFields, CalculatorResult, VisitorAnswer } from './calculator.ts'
import { assessmentInWords } from '../../engine/words/assessment-in-words.ts'
import { CalculatorForm, labelOf } from './calculator-form.tsx'
import { dayInWords, percentOf } from './words.ts'
import { Layout, SourceLink } from './layout.tsx'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import { IsThisWrong } from './wrong-page.tsx'

type PageView = { fields: CalculatorFields; result: CalculatorResult; origin: string }

/** The calculator with its answer; its address contains the question. */
export function CalculatorPage({ fields, result, origin }: PageView) {
  const errors = result.kind === 'refused' ? result.errors : []
  // The currency of the answer, if the visitor named none.
  const shown = result.kind === 'calculated' ? { ...fields, currency: result.sale.currency } : fields
  return (
    <Layout
      title="Tax calculator"
      description="The sales tax, VAT or GST of a sale, with the reason and the source of each rate."
      current="/"
    >
      <h1>Tax calculator</h1>
      <div class="calculator-grid">
        <CalculatorForm fields={shown} errors={errors} book={result.book} />
        {result.kind === 'calculated' ? (
          <CalculatorAnswer calculated={result} fields={shown} origin={origin} />
        ) : (
          <section class="answer" role="alert">
            <h2>Correct the form</h2>
            <ul>
              {errors.map((error) => (
                <li>
                  <a href={`#${error.path}`}>{labelOf(error)}</a>: {error.message}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Layout>
  )
}

/** The tax with its parts, the reasons, the source, and the same question to the API. */
export function CalculatorAnswer({
  calculated,
  fields,
  origin,
}: {
  calculated: VisitorAnswer
  fields: CalculatorFields
  origin: string
}) {
  const { assessment, book, sale, meta } = calculated
  const notes = [...assessment.notes, ...at(assessment.lines, 0).notes]
  const used = [...assessment.rates_used, ...assessment.rules_used]
  const sources = [...new Map(used.map(({ source, source_url }) => [source, source_url]))]
  return (
    <section class="answer" aria-labelledby="answer">
      <h2 id="answer">{nameOf(book, assessment.jurisdiction_id)}</h2>
      <Amounts calculated={calculated} />
      <LocalRange calculated={calculated} fields={fields} />
      {assessment.reverse_charge && <p>The customer accounts for the tax (reverse charge).</p>}
      {needsId(calculated) && (
        <p>
          A business is recognised by its VAT or GST id. This form has no field for it, so the customer is
          charged like a consumer. The API takes the id as <code>customer.vat_id</code>.
        </p>
      )}
      <Why calculated={calculated} />
      {[...new Set(notes)].map((text) => (
        <p>{sentence(text)}</p>
      ))}
      <p class="quiet">
        {sources.length === 0 ? (
          'No rate was needed'
        ) : (
          <>
            {sources.length === 1 ? 'Source: ' : 'Sources: '}
            {sources.map(([source, source_url], index) => (
              <>
                {index > 0 && '; '}
                <SourceLink source={source} source_url={source_url} />
              </>
            ))}
            {meta.last_verified_at !== null && <>, verified on {dayInWords(meta.last_verified_at)}</>}
          </>
        )}
        {'. The seller is assumed to be registered wherever it must be. '}
        <IsThisWrong
          place={assessment.jurisdiction_id}
          day={sale.day}
          data_version={meta.data_version}
          product_type={at(sale.lines, 0).product_type}
        />
      </p>
      <details>
        <summary>Ask the API</summary>
        <pre tabindex={0}>
          <code>{curlOf(sale, origin)}</code>
        </pre>
      </details>
    </section>
  )
}

function Amounts({ calculated }: { calculated: VisitorAnswer }) {
  const { assessment, sale } = calculated
  const money = (amount: number) => moneyInWords(amount, sale.currency)
  return (
    <table>
      <caption>Price and tax</caption>
      <tbody>
        <AmountRow label="Price without tax" amount={money(assessment.subtotal)} />
        {assessment.tax_breakdown.map((entry) => (
          <AmountRow label={taxLabel(calculated, entry)} amount={money(entry.tax_amount)} />
        ))}
        {assessment.tax_breakdown.flatMap(({ components = [] }) =>
          components.map(({ name, rate, tax_amount }) => (
            <AmountRow label={`of which ${name} ${percentOf(rate)}`} amount={money(tax_amount)} />
          )),
        )}
        {assessment.tax_breakdown.length === 0 && <AmountRow label="Tax" amount={money(0)} />}
      </tbody>
      <tfoot>
        <AmountRow label="Total" amount={money(assessment.total)} />
      </tfoot>
    </table>
  )
}

/** Whether a business from abroad would be charged otherwise if it gave an id, which the form lacks. */
function needsId({ assessment, book, sale }: VisitorAnswer): boolean {
  const { address } = sale.seller
  if (sale.customer.type !== 'business' || assessment.tax_amount === 0) return false
  if (address === null || address.country === sale.customer.address.country) return false
  const { law } = placeNamed(book, assessment.jurisdiction_id)
  const kind = supplyKind(at(sale.lines, 0).product_type)
  return kind !== undefined && (law.business_ids?.[kind === 'goods' ? 'goods' : 'others'].size ?? 0) > 0
}

/** What the local tax may be, if the address does not decide it, with a link for each city to choose. */
function LocalRange({ calculated, fields }: { calculated: VisitorAnswer; fields: CalculatorFields }) {
  const { assessment, cities } = calculated
  if (assessment.local === null || assessment.tax_amount === 0) return <></>
  const { stack, rate_min, rate_max } = assessment.local
  const chosen = cities.map(({ rate }) => Math.round(rate * MILLION))
  const [lowest, highest] = [Math.min(rate_min, ...chosen), Math.max(rate_max, ...chosen)]
  if (lowest === highest) return <></>
  const depends = cities.length > 0 ? 'city' : 'part of the ZIP'
  return (
    <>
      <p>
        <strong>{`Local tax ${percentInWords(lowest)} to ${percentInWords(highest)}`}</strong>
        {`: it depends on the ${depends}. ${percentInWords(stack.rate)} is used here.`}
      </p>
      {cities.length > 0 && (
        <nav class="choices" aria-label="Cities of this ZIP">
          {cities.map(({ name, rate }) => (
            <a href={`/try?${new URLSearchParams({ ...fields, city: name }).toString()}`}>
              {name} <span class="quiet">{percentOf(rate)}</span>
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

function AmountRow({ label, amount }: { label: string; amount: string }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class="number amount">{amount}</td>
    </tr>
  )
}

/** The reason of each line in words, and below it the rules with their legal basis. */
function Why({ calculated: { assessment, book, sale } }: { calculated: VisitorAnswer }) {
  const sold = sale.lines.map(({ product_type }) => ({ description: null, product_type }))
  const { lines, steps } = assessmentInWords(assessment, sold, sale.currency, book)
  const all = [...steps, ...lines.flatMap((line) => line.steps)]
  return (
    <>
      <h3>Why</h3>
      {lines.map(({ badge, sentence }) => (
        <p>
          <span class="badge">{badge}</span> {sentence}
        </p>
      ))}
      {all.length > 0 && (
        <details>
          <summary>All steps, with the law</summary>
          <ol>
            {all.map(({ rule, outcome, basis }) => (
              <li>
                {rule} → {outcome}
                {basis !== null && <span class="quiet"> ({basis})</span>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}

/** `VAT 20 %, France`. A local tax has the name of its place in the local data. */
function taxLabel({ book, assessment }: VisitorAnswer, entry: BreakdownEntry): string {
  const { tax_type, rate_millionths, jurisdiction_id } = entry
  const part = assessment.local?.stack.parts.find(({ id }) => id === jurisdiction_id)
  const place = part?.name ?? nameOf(book, jurisdiction_id)
  return `${taxWords(tax_type)} ${percentInWords(rate_millionths)}, ${place}`
}

/** `SALES_TAX` as `Sales tax`; `VAT` and other abbreviations as they are. */
function taxWords(tax_type: string): string {
  if (!tax_type.includes('_')) return tax_type
  const words = tax_type.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(upper) ? upper : `${upper}.`
}

/** The same question as a request of POST /v1/calculate. */
function curlOf({ currency, customer, seller, lines }: Sale, origin: string): string {
  const { country, region, postal_code, city } = customer.address
  const { amount, product_type, tax_behavior } = at(lines, 0)
  const body = {
    currency,
    ...(seller.address !== null && { seller: { country: seller.address.country } }),
    seller_registered: true,
    customer: {
      address: {
        country,
        ...(region && { region }),
        ...(postal_code && { postal_code }),
        ...(city && { city }),
      },
      type: customer.type,
    },
    line_items: [{ amount, product_type, tax_behavior }],
  }
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return `curl ${origin}/v1/calculate \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '${json}'`
}
