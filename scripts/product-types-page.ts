import { PRODUCT_DESCRIPTIONS } from '../src/engine/book/product-descriptions.ts'
import {
  PRODUCT_TYPES,
  type ProductType,
  type ProductTypeName,
  type SupplyKind,
} from '../src/engine/book/product-types.ts'

/** The sections of docs/product-types.md, made from the product types of the engine. */
export function productTypeSections(): string {
  return SECTIONS.map(sectionOf).join('\n')
}

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
  const types: readonly Listed[] = PRODUCT_TYPES
  const rows = types.filter(({ kind }) => kinds.includes(kind)).map(rowOf)
  return `## ${title}\n\n${says}\n\n| \`product_type\` | What it is |\n| --- | --- |\n${rows.join('\n')}\n`
}

type Listed = ProductType & { id: ProductTypeName }

function rowOf({ id, name, part_of }: Listed): string {
  const broader = part_of === undefined ? '' : `; a part of \`${part_of}\``
  return `| \`${id}\` | ${name}: ${PRODUCT_DESCRIPTIONS[id]}${broader} |`
}
