import doors from '../../plugins/doors.json' with { type: 'json' }

type Door = keyof typeof doors.doors

const FACTS = Object.entries(doors.facts)

/** What is said of the facts that a door cannot send, a row for each part of a sale. */
function lacksTable(door: Door): string {
  const { not_known, refused } = doors.doors[door]
  const lacking = new Set<string>([...not_known, ...refused])
  const missing = FACTS.filter(([fact]) => lacking.has(fact)).map(([, fact]) => fact)
  const rows = [...Map.groupBy(missing, ({ about }) => about)].map(
    ([about, facts]) => `| ${about} | ${facts.map(({ says }) => says).join('; ')} |\n`,
  )
  return `| Of | What does not reach the service |\n| --- | --- |\n${rows.join('')}`
}

/** The table for the page of each door that has one. Odoo carries no fact, and its page says so in words. */
export const LACKS_TABLES = (
  ['csv', 'mcp', 'medusa', 'saleor', 'shopware', 'stripe', 'taxjar', 'vendure'] as const
).map((door) => [`lacks-${door}`, () => lacksTable(door)] as const)
