/** A page of the site: its address below /docs, and the Markdown file that it is made from. */
export type PageSource = { slug: string; file: string }

type NavigationGroup = { name: string; slugs: readonly string[] }

type Group = { name: string; pages: Readonly<Record<string, string>> }

/**
 * The order of the guides in the navigation, each with its line on the first page. A guide that is not listed
 * here is added to a last group, with its first sentence.
 */
const GROUPS: readonly Group[] = [
  {
    name: 'Start',
    pages: {
      quickstart: 'From a clone to the first answer, a recorded sale and a report.',
      client: 'Call the service from TypeScript and JavaScript.',
      shops: 'Money, failures and the books, for who connects a shop.',
      vendure: 'Tax on orders of Vendure from this service.',
      stripe: 'Tax on Stripe invoices from this service.',
      shopware: 'An app for Shopware: taxes of carts, and orders for the books.',
      medusa: 'Tax on carts of Medusa, and orders for the books.',
      odoo: 'Rates of the United States for Odoo.',
      saleor: 'Taxes and books of a shop on Saleor.',
      mcp: 'Let an assistant calculate, explain and look up.',
      'moving-from': 'What replaces each call of Stripe Tax, TaxJar and Avalara.',
      taxjar: 'Point a TaxJar client at this service: what is the same, and what differs.',
    },
  },
  {
    name: 'Basics',
    pages: {
      authentication: 'API keys, their scopes, and how to replace them.',
      errors: 'Every reason of an error, and what to do.',
      pagination: 'Read a long list by cursor.',
      idempotency: 'Send a request again without doing it twice.',
      'rate-limits': 'Requests a minute, and what to do after a refusal.',
      'test-mode': 'Accounts for tests, and sales on other days.',
      currencies: 'Money as integers, prices with and without tax.',
      'product-types': 'What is sold: the words that decide the rate.',
      glossary: 'The words of the trade, each with its one meaning here.',
    },
  },
  {
    name: 'Calculate tax',
    pages: {
      'facts-of-a-sale': 'Stock, marketplaces, events, discounts: what changes the tax.',
      platforms: 'Which seller makes the sale, and an account for each.',
      'eu-vat': 'Consumers, businesses, One Stop Shop, VAT ids, territories.',
      'us-sales-tax': 'States, nexus, exempt customers.',
      'us-local-taxes': 'Counties, cities and districts, state by state.',
      canada: 'GST, HST, PST and QST, and the registration for each.',
      'other-countries': 'What is covered elsewhere since when, and what their ids prove.',
      countries: 'Rates, thresholds, returns and their sources, country by country.',
      rounding: 'How every cent is computed.',
      conformance: 'Cases with sources, to be put to any tax service.',
      coverage: 'Which products and places have a rule in the data.',
      'not-here': 'What people look for and do not find, and what to use in its place.',
    },
  },
  {
    name: 'Keep books and file',
    pages: {
      'refunds-and-filing': 'Record, refund and void sales; make and file returns.',
      obligations: 'The calendar of due returns, also in your own calendar.',
      einvoice: 'What an e-invoice says of the tax: categories, reasons, totals.',
      returns: 'Files for tax offices and accountants.',
      'making-tax-digital': 'The British return: what HMRC asks, and the command that submits it.',
      audit: 'Who changed what, and how to verify it.',
      people: 'Sign-in with the sign-in of the company, and roles.',
    },
  },
  {
    name: 'React to changes',
    pages: {
      webhooks: 'Signed events, retries, receivers in four languages.',
      messages: 'What people are told once a day, by mail and chat.',
      versioning: 'Which changes can come, and how long old operations work.',
      changelog: 'What changed in the service.',
    },
  },
  {
    name: 'Run the service',
    pages: {
      'first-year': 'Price, domain, alarms, upgrades: what a founder needs.',
      'self-hosting': 'Deploy to your own Cloudflare account, or run it on a laptop.',
      'own-machine': 'Run it without Cloudflare, on one machine, and what that costs.',
      operations: 'Monitoring, backups, keys, upgrades.',
      'personal-data': 'What is stored of persons, where and how long, and how to answer them.',
      storage: 'Where everything is stored, and how large it grows.',
      collectors: 'How official sources are read and checked.',
      architecture: 'How the code is built, for whoever owns it next.',
      security: 'Protection, accepted risks, and how to report a fault.',
      benchmarks: 'How fast it is, and how that was measured.',
    },
  },
]

/** The line of a guide on the first page; undefined: the guide is not listed. */
export function summaryOfPage(slug: string): string | undefined {
  return GROUPS.map(({ pages }) => pages[slug]).find((line) => line !== undefined)
}

/** The page of each Markdown file: docs/webhooks.md is /docs/webhooks. */
export function pageSources(files: readonly string[]): PageSource[] {
  return files.map((file) => ({ file, slug: slugOf(file) }))
}

/** The groups with the pages that exist. */
export function navigationOf(sources: readonly PageSource[]): NavigationGroup[] {
  const existing = new Set(sources.map(({ slug }) => slug))
  const listed = new Set(GROUPS.flatMap(({ pages }) => Object.keys(pages)))
  const others = [...existing].filter((slug) => !listed.has(slug)).toSorted()
  const groups = GROUPS.map(({ name, pages }) => ({
    name,
    slugs: Object.keys(pages).filter((slug) => existing.has(slug)),
  }))
  return [...groups, { name: 'More', slugs: others }].filter(({ slugs }) => slugs.length > 0)
}

function slugOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.md$/, '').toLowerCase()
}
