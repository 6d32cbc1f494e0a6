import { FACTS_REGIONS, REGIMES } from '../tax/regimes/list.ts'
import { Layout } from './layout.tsx'

const EXAMPLE = `curl ORIGIN/v1/calculate \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"currency": "EUR",
       "seller": {"country": "DE"},
       "customer": {"address": {"country": "FR", "postal_code": "75001"}},
       "line_items": [{"amount": 10000, "product_type": "ebooks"}]}'`

/** What the service is, with links. */
export function HomePage({ origin }: { origin: string }) {
  const places = new Intl.ListFormat('en').format(FACTS_REGIONS.map((region) => REGIMES[region].name))
  return (
    <Layout title="Tax Compliance Service">
      <h1>Sales tax, VAT and GST for checkouts and finance teams</h1>
      <p>
        An open REST/JSON API: it calculates tax while a buyer waits, says why, records what was sold for
        audits and returns, and tells where each rate comes from and how fresh it is.
      </p>
      <p>
        Places: {places}. In the United States it calculates the taxes of states, not of counties and cities.
      </p>
      <h2>Try it</h2>
      <pre tabindex={0}>
        <code>{EXAMPLE.replace('ORIGIN', origin)}</code>
      </pre>
      <p>
        Amounts are integers in the minor unit of the currency: 10000 is 100.00 EUR. Rates are fractions: 0.19
        is 19 %.
      </p>
      <h2>Look around</h2>
      <ul>
        <li>
          <a href="/docs/">Reference</a>: every endpoint, field and error, to be tried out; and the{' '}
          <a href="/openapi.json">OpenAPI document</a> that it is made from
        </li>
        <li>
          <a href="/console/">Console</a>: calculations, transactions, nexus, tax by month, exemptions and
          webhooks in the browser, with an API key
        </li>
        <li>
          <a href="/status">Status</a>: how fresh the tax data of each region is
        </li>
        <li>
          <a href="/jurisdictions">Jurisdictions</a>: current rates and thresholds, each with its source
        </li>
        <li>
          <a href="/health">Health</a>: whether the service and what it stands on answer
        </li>
      </ul>
    </Layout>
  )
}
