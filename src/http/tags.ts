/** The groups of operations, in the order of the reference, with what each is for. */
export const TAGS = {
  Calculation: 'The tax of a sale, line by line, with the reason and the legal basis. Nothing is recorded.',
  Rules: 'Rates, thresholds, and whether tax has to be collected in a jurisdiction.',
  Transactions: 'The books: sales with their tax, refunds and voids.',
  Reports: 'Summaries, rows, returns and thresholds, made of the recorded transactions.',
  Customers: 'Buyers on file, with address and VAT id.',
  Exemptions: 'Certificates that free a customer from tax in a jurisdiction.',
  Registrations: 'Where the seller is registered, and so collects tax.',
  VAT: 'VAT ids: their form, and what the authorities say of them.',
  Addresses: 'Addresses in their usual form, countries and regions.',
  Webhooks: 'Subscriptions to events, and their deliveries.',
  Metadata: 'Jurisdictions, product types, how fresh the tax data is, and all of it to take away.',
  Account: 'The account and its seller profile.',
  'API keys': 'Keys with scopes: made, rotated and revoked.',
  Audit: 'Who changed what and when.',
  Status: 'Whether the service answers, and how fresh its data is. Needs no key.',
} as const

export type Tag = keyof typeof TAGS
