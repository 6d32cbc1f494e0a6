import * as z from 'zod'
import {
  EXEMPTION_SCOPES,
  PRICE_RULES,
  RATE_CATEGORIES,
  RULE_CUSTOMERS,
  TAX_TYPES,
  TREATMENTS,
} from '../../src/engine/book/facts.ts'
import { RULE_FACTS } from '../../src/engine/ground/fact-names.ts'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { Day, Fraction, MinorUnits, PROVENANCE } from './fields.ts'

/** Names of product types, at least one. */
export const ProductTypes = z.array(z.enum(PRODUCT_TYPES.map(({ id }) => id))).min(1)

/** For whom and when a rule holds, and where it comes from: without a source, from that of the default. */
const OF_EACH_RULE = {
  customer_type: z.enum(RULE_CUSTOMERS).default('all'),
  effective_from: Day.nullable().default(null),
  effective_to: Day.nullable().default(null),
  ...PROVENANCE,
  notes: PROVENANCE.notes.default(null),
  /** What the law treats otherwise within the product types. */
  caveat: z.string().min(1).optional(),
  /** What a fact that no request says would change: to a rate, to the tax of a type, else to the standard. */
  conditions: z
    .array(
      z.strictObject({
        fact: z.enum(RULE_FACTS),
        if: z.string().min(1),
        rate: Fraction.exactOptional(),
        as: z.enum(PRODUCT_TYPES.map(({ id }) => id)).exactOptional(),
      }),
    )
    .min(1)
    .optional(),
  source: PROVENANCE.source.exactOptional(),
  source_url: PROVENANCE.source_url.exactOptional(),
}

/** Product types that somebody checked: the default holds for them. */
const CheckedProducts = z.strictObject({ checked: ProductTypes, ...OF_EACH_RULE })

const ProductsWithRule = z.strictObject({
  product_types: ProductTypes,
  treatment: z.enum(TREATMENTS),
  rate_category: z.enum(RATE_CATEGORIES).nullable().default(null),
  rate: Fraction.nullable().default(null),
  taxable_fraction: Fraction.nullable().default(null),
  price_threshold: MinorUnits.nullable().default(null),
  price_rule: z.enum(PRICE_RULES).nullable().default(null),
  /** The rate of a price rule that takes another rate. */
  price_rate: Fraction.optional(),
  /** The tax that stands instead of the sales tax, with a return of its own. */
  levied_as: z.string().min(1).optional(),
  /** Whom an exemption binds: absent, as for the tax; null: not on file. */
  applies_to: z.enum(EXEMPTION_SCOPES).nullable().optional(),
  /** The product type that the law counts the products among. */
  as: z.enum(PRODUCT_TYPES.map(({ id }) => id)).optional(),
  ...OF_EACH_RULE,
})

/** One tax of a jurisdiction. Its default is: taxable at the standard rate. */
const TaxOfProducts = z.strictObject({
  jurisdiction_id: z.string(),
  tax_type: z.enum(TAX_TYPES),
  default: z.strictObject({
    rate: Fraction.nullable(),
    source: PROVENANCE.source,
    source_url: PROVENANCE.source_url,
  }),
  /** Whom the exemptions of the tax bind by the law that is named, unless a rule says otherwise. */
  exemptions: z.strictObject({ apply_to: z.enum(EXEMPTION_SCOPES), law: z.string().min(1) }).optional(),
  rules: z.array(z.union([CheckedProducts, ProductsWithRule])),
})

const TAXABLE = {
  treatment: 'taxable',
  rate_category: 'standard',
  taxable_fraction: null,
  price_threshold: null,
  price_rule: null,
} as const

type Source = { source: string; source_url: string }

/** What a rule, or a check, says of one product type. */
type ProductRuleRecord = Omit<z.output<typeof ProductsWithRule>, 'product_types' | keyof Source> &
  Omit<z.output<typeof TaxOfProducts>, 'default' | 'exemptions' | 'rules'> &
  Source & { product_type: z.output<typeof ProductTypes>[number] }

/** data/product-rules.json as a record for each product type of each line, also of those only checked. */
export const ProductRules = z.array(TaxOfProducts).transform((taxes) => taxes.flatMap(recordsOf))

function recordsOf({
  rules,
  exemptions,
  default: { rate, ...source },
  ...tax
}: z.output<typeof TaxOfProducts>): ProductRuleRecord[] {
  return rules.flatMap((rule): ProductRuleRecord[] => {
    if ('checked' in rule) {
      const { checked, ...each } = rule
      return checked.map((product_type) => ({ ...tax, ...source, ...TAXABLE, rate, ...each, product_type }))
    }
    const { product_types, ...each } = rule
    const usual = rule.treatment === 'exempt' ? exemptions?.apply_to : undefined
    const applies_to = each.applies_to === undefined ? usual : each.applies_to
    return product_types.map((product_type) => ({ ...tax, ...source, ...each, applies_to, product_type }))
  })
}
