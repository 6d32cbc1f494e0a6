/** The groups of operations in the order of the reference, each with a description. */
export const TAGS = {
  Calculation: 'The tax of a sale, line by line, with the reason and the legal basis. Nothing is recorded.',
  Rules: 'Rates, thresholds, and whether tax has to be collected in a jurisdiction.',
  Transactions: 'The books: sales with their tax, refunds and voids.',
  Reports: 'Summaries, rows, returns and thresholds, computed from the recorded transactions.',
  Customers: 'Stored buyers with address and VAT id.',
  Exemptions: 'Certificates that exempt a customer from tax in a jurisdiction.',
  Registrations: 'The jurisdictions and schemes in which the seller is registered and collects tax.',
  VAT: 'VAT ids: checks of the format, and validation by the authorities.',
  Addresses: 'Checks and normal forms of addresses; countries and regions.',
  Webhooks: 'Subscriptions to events, and their deliveries.',
  Shops: 'Shops on other platforms that are connected to the account.',
  Metadata: 'Jurisdictions, product types, the freshness of the tax data, and its full export.',
  Account: 'The account and its seller profile.',
  Platforms: 'Accounts that a platform makes for its sellers, each with its own books.',
  'API keys': 'Keys with scopes: create, rotate and revoke them.',
  People: 'People who sign in to the account, each with a role.',
  Audit: 'The record of who changed what and when.',
  Status: 'The health of the service and the freshness of its data. Needs no key.',
} as const

export type Tag = keyof typeof TAGS
