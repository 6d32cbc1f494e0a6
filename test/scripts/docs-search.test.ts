import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'
import { builtSite } from './built.ts'

type Found = { entry: { href: string; heading: string }; field: string | null }

const { searchIn }: { searchIn: (index: unknown) => (query: string) => Found[] } = await import(
  join(PROJECT, 'public/docs/find.js')
)
const text = builtSite().get('docs/search.json') ?? ''
const search = searchIn(JSON.parse(text))
const hrefsOf = (query: string) => search(query).map(({ entry }) => entry.href)

/** What a developer types first, and the pages of which one must be found; `…` stands for any section of it. */
const FIRST = [
  ['authentication', '/docs/authentication'],
  ['pagination', '/docs/pagination'],
  ['error codes', '/docs/errors'],
  ['test mode', '/docs/test-mode'],
  ['typescript sdk', '/docs/client'],
  ['idempotency', '/docs/idempotency'],
  ['rate limit', '/docs/rate-limits'],
  ['webhook signature', '/docs/webhooks#verify'],
  ['refund a line', '/docs/reference/transactions#refundTransaction'],
  ['exemption certificate', '/docs/us-sales-tax#exempt-customers', '/docs/reference/exemptions…'],
  ['vat id validation', '/docs/eu-vat#check-vat-ids', '/docs/reference/vat#validateVatId'],
  ['local tax georgia', '/docs/us-local-taxes…'],
  ['oss return', '/docs/returns#one-stop-shop', '/docs/refunds-and-filing#the-return'],
  ['product codes', '/docs/reference/metadata#listProductCodes', '/docs/product-types…'],
  ['versioning', '/docs/versioning'],
] as const

const LATER = [
  ['minor units', '/docs/currencies'],
  [
    'inclusive price',
    '/docs/currencies#prices-with-tax-and-without',
    '/docs/facts-of-a-sale#prices-with-or-without-tax',
  ],
  ['idempotent request', '/docs/idempotency'],
  ['gdpr', '/docs/audit#erasure', '/docs/reference/customers#deleteCustomer'],
  ['certificate upload', '/docs/reference/exemptions…'],
  ['how do I calculate tax', '/docs/quickstart…', '/docs/reference/calculation#calculateTax'],
  ['pricing', '/docs/storage#quotas', '/docs/rate-limits', '/docs/self-hosting#the-free-plan'],
  ['uptime', '/docs/operations#monitoring', '/docs/reference/status#getHealth'],
  ['scopes', '/docs/authentication#scopes'],
  ['vat_id_validated', '/docs/reference/calculation#calculateTax'],
  ['credit_note_for', '/docs/reference/transactions#createTransaction'],
  ['evidence', '/docs/reference/transactions#createTransaction', '/docs/eu-vat…'],
  ['verify webhook', '/docs/webhooks#verify'],
  ['api key', '/docs/authentication…', '/docs/reference/api-keys…'],
  ['rotate api key', '/docs/reference/api-keys#rotateApiKey', '/docs/authentication#rotate-and-revoke'],
  ['bearer token', '/docs/authentication'],
  ['missing_scope', '/docs/errors#missing_scope', '/docs/authentication#scopes'],
  ['sandbox', '/docs/test-mode'],
  ['cursor', '/docs/pagination#by-cursor'],
  ['429', '/docs/rate-limits…'],
  ['retry', '/docs/client#retries', '/docs/idempotency'],
  ['webhook retries', '/docs/webhooks#failed-deliveries', '/docs/webhooks#guarantees'],
  [
    'recover missed events',
    '/docs/webhooks#recover-missed-events',
    '/docs/reference/webhooks#recoverWebhookEvents',
  ],
  [
    'rotate webhook secret',
    '/docs/webhooks#replace-the-secret',
    '/docs/reference/webhooks#rotateWebhookSecret',
  ],
  ['reverse charge', '/docs/eu-vat#a-business-in-another-member-state'],
  ['nexus thresholds', '/docs/us-sales-tax#duty-to-register-nexus', '/docs/reference/reports#getNexus'],
  ['marketplace', '/docs/facts-of-a-sale#a-marketplace-makes-the-sale'],
  ['rounding', '/docs/rounding'],
  ['rounding per line or document', '/docs/rounding'],
  ['discount', '/docs/facts-of-a-sale#a-discount-on-the-whole-sale'],
  ['shipping tax', '/docs/product-types#shipping', '/docs/us-sales-tax…'],
  ['batch calculate', '/docs/reference/calculation#calculateTaxBatch'],
  ['void transaction', '/docs/reference/transactions#voidTransaction'],
  ['external_id', '/docs/reference/transactions…', '/docs/reference/customers…'],
  ['list transactions', '/docs/reference/transactions#listTransactions'],
  ['due dates', '/docs/obligations…'],
  [
    'calendar',
    '/docs/obligations#in-your-calendar-program',
    '/docs/reference/reports#createObligationsCalendar',
  ],
  ['csv export', '/docs/reference/reports#exportReport'],
  ['stripe tax', '/docs/moving-from'],
  ['taxjar', '/docs/taxjar'],
  ['deploy', '/docs/self-hosting#deploy'],
  ['docker', '/docs/self-hosting#on-a-laptop'],
  ['backup', '/docs/operations#backups'],
  ['audit log', '/docs/audit'],
  ['quebec qst', '/docs/canada…'],
  ['offline snapshot', '/docs/reference/metadata#exportSnapshot'],
  ['saas taxable', '/docs/product-types#digital-products', '/docs/coverage…', '/docs/us-sales-tax…'],
] as const

/** Words of other services and languages, names of laws, and slips of the keyboard: each finds its page. */
const IN_OTHER_WORDS = [
  ['swagger', '/docs/client#other-generators'],
  ['wayfair', '/docs/us-sales-tax#duty-to-register-nexus'],
  ['chatgpt', '/docs/mcp'],
  ['shopify', '/docs/shops'],
  ['dropshipping', '/docs/facts-of-a-sale#goods-leave-from-stock'],
  ['kleinunternehmer', '/docs/facts-of-a-sale#a-small-business'],
  ['ddp', '/docs/facts-of-a-sale#the-seller-imports-the-goods'],
  ['making tax digital', '/docs/making-tax-digital…'],
  ['moss', '/docs/eu-vat…'],
  ['inclusive tax', '/docs/currencies#prices-with-tax-and-without'],
  ['response time', '/docs/benchmarks…'],
  ['status page', '/docs/reference/status#getStatus'],
  ['historical rates', '/docs/reference/metadata#listJurisdictionRates'],
  ['vat rates list', '/docs/reference/rules#getRates'],
  ['get vat rate for country', '/docs/reference/rules#getRates'],
  ['mark as filed', '/docs/reference/reports#fileReturn'],
  ['saas', '/docs/product-types#digital-products'],
  ['india gst', '/docs/countries/india'],
  ['japan consumption tax', '/docs/countries/japan'],
  ['norway voec', '/docs/other-countries#schemes-for-sellers-abroad'],
  ['how often are rates updated', '/docs/collectors'],
  ['invoce', '/docs/einvoice', '/docs/reference/transactions…'],
  ['authentification', '/docs/authentication'],
  ['webook', '/docs/webhooks'],
  ['treshold', '/docs/reference/rules#listThresholds'],
  ['intrastat', '/docs/returns#sales-to-businesses-in-the-union'],
  ['tax holiday', '/docs/us-sales-tax#sales-tax-holidays'],
  ['sales tax holidays', '/docs/us-sales-tax#sales-tax-holidays'],
  ['request id', '/docs/errors#request-id'],
  ['request_id', '/docs/errors#request-id'],
  ['switzerland vat', '/docs/countries/switzerland'],
  ['vat switzerland', '/docs/countries/switzerland'],
  ['swiss vat', '/docs/countries/switzerland'],
] as const

/** What is not there, and words that the trade has for what is. */
const ABSENT = [
  ['b2b', '/docs/eu-vat#a-business-in-another-member-state', '/docs/us-sales-tax#exempt-customers'],
  ['coupon', '/docs/facts-of-a-sale#a-discount-on-the-whole-sale', '/docs/not-here…'],
  ['brazil', '/docs/countries/brazil', '/docs/coverage#countries-that-are-recognised-only'],
  ['sso', '/docs/people…'],
  ['user roles', '/docs/people…'],
  ['peppol', '/docs/not-here#e-invoices-peppol-ksef-verifactu-xrechnung'],
  ['ksef', '/docs/not-here#e-invoices-peppol-ksef-verifactu-xrechnung'],
  ['e-reporting france', '/docs/not-here#e-reporting-of-transactions-to-an-office'],
  ['kubernetes', '/docs/not-here#kubernetes-replicas-several-machines-of-yours'],
  ['customs duty', '/docs/not-here#customs-duty-and-excise-duty'],
  ['e-invoice', '/docs/einvoice…'],
  ['e-invoicing', '/docs/einvoice…'],
  ['custom domain', '/docs/first-year…', '/docs/self-hosting…'],
  ['import transactions', '/docs/moving-from…'],
  ['csv export', '/docs/reference/reports#exportReport'],
  ['multi tenant', '/docs/operations#accounts', '/docs/authentication…'],
] as const

/** A country, as people type it, and words of the border: each has a page of its own. */
const COUNTRIES = [
  ['germany vat', '/docs/countries/germany'],
  ['german vat', '/docs/countries/germany'],
  ['french vat', '/docs/countries/france'],
  ['ireland vat', '/docs/countries/ireland'],
  ['poland vat', '/docs/countries/poland'],
  ['netherlands vat', '/docs/countries/netherlands'],
  ['uk vat', '/docs/countries/united-kingdom'],
  ['united kingdom vat', '/docs/countries/united-kingdom'],
  ['swiss vat', '/docs/countries/switzerland'],
  ['australia gst', '/docs/countries/australia'],
  ['new zealand gst', '/docs/countries/new-zealand'],
  ['singapore gst', '/docs/countries/singapore'],
  ['india gst', '/docs/countries/india'],
  ['japan consumption tax', '/docs/countries/japan'],
  ['mexico iva', '/docs/countries/mexico'],
  ['turkey vat', '/docs/countries/turkiye'],
  ['uae vat', '/docs/countries/united-arab-emirates'],
  ['thailand vat', '/docs/countries/thailand'],
  ['israel', '/docs/countries/israel'],
  ['canada gst', '/docs/canada…', '/docs/countries/canada'],
  ['sales tax by state', '/docs/us-sales-tax…', '/docs/countries/united-states'],
  ['own rates', '/docs/facts-of-a-sale#your-own-rates'],
  ['de minimis', '/docs/not-here#customs-duty-and-excise-duty'],
  ['3 euro duty', '/docs/eu-vat#customs-duty-on-small-consignments'],
] as const

/** Whether a page that was found is one that was meant. */
function isMeant(href: string, meant: readonly string[]): boolean {
  return meant.some((each) => (each.endsWith('…') ? href.split('#')[0] === each.slice(0, -1) : href === each))
}

const wrongOf = (queries: readonly (readonly [string, ...string[]])[]) =>
  queries.filter(
    ([query, ...meant]) =>
      !hrefsOf(query)
        .slice(0, 3)
        .some((href) => isMeant(href, meant)),
  )

describe('the search of the documentation', () => {
  it('has the right page among the first three for at least 55 of 62 queries', () => {
    const queries = [...FIRST, ...LATER]
    expect(queries).toHaveLength(62)
    const wrong = wrongOf(queries).map(([query]) => `${query}: ${hrefsOf(query).slice(0, 3).join(' ')}`)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(7)
  })

  it.each(FIRST.map(([query]) => query))('finds something for what is typed first: %s', (query) => {
    expect(hrefsOf(query)).not.toEqual([])
  })

  it('has the right page among the first three for words of others, and for slips', () => {
    expect(
      wrongOf(IN_OTHER_WORDS).map(([query]) => `${query}: ${hrefsOf(query).slice(0, 3).join(' ')}`),
    ).toEqual([])
  })

  it('has the right page first for what is not there, and for words of the trade', () => {
    expect(
      ABSENT.filter(([query, ...meant]) => !isMeant(hrefsOf(query)[0] ?? '', meant)).map(
        ([query]) => `${query}: ${hrefsOf(query).slice(0, 3).join(' ')}`,
      ),
    ).toEqual([])
  })

  it('has the right page first for at least 36 of 40 searches, with the countries', () => {
    const searches = [...ABSENT, ...COUNTRIES]
    expect(searches).toHaveLength(40)
    const wrong = searches
      .filter(([query, ...meant]) => !isMeant(hrefsOf(query)[0] ?? '', meant))
      .map(([query]) => `${query}: ${hrefsOf(query).slice(0, 3).join(' ')}`)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(4)
  })

  it('names only sections that exist as right', () => {
    const known: { entries: { href: string }[] } = JSON.parse(text)
    const hrefs = known.entries.map(({ href }) => href)
    const named = [...FIRST, ...LATER, ...IN_OTHER_WORDS, ...ABSENT, ...COUNTRIES].flatMap(
      ([, ...meant]) => meant,
    )
    expect(named.filter((each) => !hrefs.some((href) => isMeant(href, [each])))).toEqual([])
  })

  it('finds the beginning of a word, and a word with a letter that is wrong', () => {
    expect(hrefsOf('idempot').slice(0, 1)).toEqual(['/docs/idempotency'])
    expect(hrefsOf('idempotancy').slice(0, 1)).toEqual(['/docs/idempotency'])
    expect(hrefsOf('pagniation').slice(0, 1)).toEqual(['/docs/pagination'])
  })

  it('names the field that was asked for', () => {
    expect(search('vat_id_validated')[0]).toMatchObject({ field: 'vat_id_validated' })
    expect(search('VAT id validated')[0]).toMatchObject({ field: 'vat_id_validated' })
  })

  it('finds nothing for no word, and for words of another language', () => {
    expect([hrefsOf('  '), hrefsOf('zzzz')]).toEqual([[], []])
  })
})
