import { FACTS_REGIONS, REGIMES } from '../tax/regimes/list.ts'
import { Layout } from './layout.tsx'

const EXAMPLE = `curl ORIGIN/v1/calculate \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"currency": "EUR",
       "seller": {"country": "DE"},
       "customer": {"address": {"country": "FR", "postal_code": "75001"}},
       "line_items": [{"amount": 10000, "product_type": "ebooks"}]}'`

/** The home page: a description of the service, with links. */
export function HomePage({ origin }: { origin: string }) {
  const places = new Intl.ListFormat('en').format(FACTS_REGIONS.map((region) => REGIMES[region].name))
  return (
    <Layout title="Tax Compliance Service">
      <h1>Sales tax, VAT and GST for checkouts and finance teams</h1>
      <p>
        An open REST/JSON API. It calculates tax during the checkout and gives the reasons. It records sales
        for audits and returns. Each rate has its source and the date of its last check.
      </p>
      <p>
        Regions: {places}. In the United States it calculates state taxes, not those of counties and cities.
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
          <a href="/docs/">Reference</a>: every endpoint, field and error, which you can try out; and the{' '}
          <a href="/openapi.json">OpenAPI document</a> behind it
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
          <a href="/coverage">Coverage</a>: for which products and places rules are on file
        </li>
        <li>
          <a href="/health">Health</a>: whether the service, its database and its cache answer
        </li>
      </ul>
    </Layout>
  )
}
