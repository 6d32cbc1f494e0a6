import { nameOfGroup } from '../../engine/regimes/list.ts'
import { REGION_GROUPS } from '../../engine/book/regions.ts'
import type { CalculatorFields, CalculatorResult } from './calculator.ts'
import { CalculatorForm } from './calculator-form.tsx'
import { CalculatorAnswer } from './calculator-page.tsx'
import { changeWords, dayInWords } from './words.ts'
import { Layout } from './layout.tsx'
import type { RateChange } from './rate-changes.ts'

/** `result` is null, and `changes` empty, if the tax data cannot be read. */
type HomeView = {
  fields: CalculatorFields
  result: CalculatorResult | null
  changes: readonly RateChange[]
  origin: string
  /** Later changes are announced. */
  day: string
}

/** The home page: the calculator with an example, what the service is for, and the latest rate changes. */
export function HomePage({ fields, result, changes, origin, day }: HomeView) {
  const places = new Intl.ListFormat('en').format(REGION_GROUPS.map(nameOfGroup))
  const calculated = result?.kind === 'calculated' ? result : null
  return (
    <Layout title="Tax Compliance Service" current="/">
      <h1>Sales tax, VAT and GST for checkouts and finance teams</h1>
      <p class="lead">
        An open API that calculates the tax of a sale and says why. Each rate has its source, and says when it
        was last checked.
      </p>
      <div class="calculator-grid">
        <CalculatorForm fields={fields} errors={[]} book={calculated?.book ?? null} />
        {calculated !== null && <CalculatorAnswer calculated={calculated} fields={fields} origin={origin} />}
      </div>
      <p>
        It covers sales to {places}. <a href="/coverage">Coverage</a> has their products.
      </p>
      <div class="cards">
        <Card title="For checkouts">
          <li>
            <a href="/docs/quickstart">Quickstart</a>: from a clone to the first answer
          </li>
          <li>
            <a href="/docs/reference/">API reference</a>: every operation, field and error
          </li>
          <li>
            <a href="/docs/client">TypeScript client</a>, <a href="/docs/webhooks">webhooks</a>
          </li>
        </Card>
        <Card title="For finance">
          <li>
            <a href="/console/">Console</a>: transactions, returns and nexus in the browser
          </li>
          <li>
            <a href="/docs/refunds-and-filing">Refunds and returns</a>
          </li>
          <li>
            <a href="/jurisdictions">Rates and thresholds</a>, each with its source
          </li>
        </Card>
        <Card title="For operators">
          <li>
            <a href="/status">Status</a>: how fresh the tax data of each region is
          </li>
          <li>
            <a href="/docs/self-hosting">Host it yourself</a>, <a href="/docs/operations">operations</a>
          </li>
          <li>
            <a href="/coverage">Coverage</a>, <a href="/health">health</a>
          </li>
        </Card>
      </div>
      {changes.length > 0 && <LatestChanges changes={changes} day={day} />}
    </Layout>
  )
}

function Card({ title, children }: { title: string; children: unknown }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

function LatestChanges({ changes, day }: { changes: readonly RateChange[]; day: string }) {
  return (
    <section>
      <h2>Latest rate changes</h2>
      <ul class="changes">
        {changes.map((change) => (
          <li>
            <time datetime={change.after.effective_from}>{dayInWords(change.after.effective_from)}</time>
            <a href={`/jurisdictions/${encodeURIComponent(change.after.jurisdiction_id)}`}>
              {changeWords(change)}
            </a>
            {change.after.effective_from > day && <span class="quiet"> announced</span>}
          </li>
        ))}
      </ul>
      <p class="quiet">
        Subscribe: <a href="/changes.atom">Atom</a>, <a href="/changes.json">JSON Feed</a>, or a{' '}
        <a href="/docs/webhooks">webhook</a>.
      </p>
    </section>
  )
}
