import { PRODUCT_TYPES, type ProductType, type SupplyKind } from '../src/engine/book/product-types.ts'

/** docs/product-types.md, made from the product types of the engine. */
export function productTypesPage(): string {
  return [INTRODUCTION, ...SECTIONS.map(sectionOf), CODES].join('\n')
}

const INTRODUCTION = `# Product types

\`product_type\` of a line says what is sold. It decides where the line is taxed, and at which
rate. It is one of these words:

\`\`\`sh
curl -s "$URL/v1/metadata/product-types" -H "Authorization: Bearer $KEY"
\`\`\`

Take the narrowest type that fits. If a place has no rule for a type, the rule of the broader type is
used, or its standard rate, and a note of the line says so. Drinks in restaurants, and magazines, do not
take a lower rate of the broader type, because most laws exclude them.
[Coverage](coverage.md) lists the rules in the data.

\`\`\`sh
curl -s "$URL/v1/calculate" \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{
    "currency": "EUR",
    "seller": { "country": "FR", "registrations": ["FR"] },
    "customer": { "address": { "country": "FR", "postal_code": "75002" } },
    "line_items": [{ "amount": 10000, "product_type": "books" }]
  }'
\`\`\`

\`\`\`json
{ "tax_amount": 550, "tax_rate": 0.055 }
\`\`\`
`

type Section = { title: string; kinds: readonly SupplyKind[]; says: string }

const SECTIONS: readonly Section[] = [
  { title: 'Goods', kinds: ['goods'], says: 'Things that are delivered, or handed over.' },
  {
    title: 'Digital products',
    kinds: ['digital'],
    says: 'Sold over the internet, with almost no human work.',
  },
  { title: 'Services', kinds: ['service'], says: 'Other work for somebody.' },
  {
    title: 'Services at a place',
    kinds: ['on_site', 'property', 'performed'],
    says: 'Taxed where the event, the land or the work is. Give `supply_address` with the sale.',
  },
  { title: 'Shipping', kinds: ['shipping'], says: 'Many places tax it as the goods that it carries.' },
]

function sectionOf({ title, kinds, says }: Section): string {
  const types: readonly ProductType[] = PRODUCT_TYPES
  const rows = types.filter(({ kind }) => kinds.includes(kind)).map(rowOf)
  return `## ${title}\n\n${says}\n\n| \`product_type\` | What it is |\n| --- | --- |\n${rows.join('\n')}\n`
}

function rowOf({ id, name, description, part_of }: ProductType): string {
  const broader = part_of === undefined ? '' : `; a part of \`${part_of}\``
  return `| \`${id}\` | ${name}: ${description}${broader} |`
}

const CODES = `## Codes of other services

\`product_type\` also takes tax codes of Stripe, TaxJar and Avalara, such as \`txcd_10103001\`. The
answer has our own type. \`GET /v1/metadata/product-codes\` lists the codes, with how well each fits
([moving](moving-from.md#product-types)).
`
