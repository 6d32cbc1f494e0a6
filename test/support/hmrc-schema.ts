import { Ajv2020 } from 'ajv/dist/2020.js'

/** HMRC, VAT (MTD) API 1.0: the schema VATReturnDeclaration, written down from its OpenAPI document. */
const POUNDS_MAX = 9_999_999_999_999
const money = { type: 'number', multipleOf: 0.01, minimum: -(POUNDS_MAX + 0.99), maximum: POUNDS_MAX + 0.99 }
const pounds = { type: 'integer', minimum: -POUNDS_MAX, maximum: POUNDS_MAX }
const VAT_RETURN_DECLARATION = {
  type: 'object',
  properties: {
    periodKey: { type: 'string', minLength: 4, maxLength: 4 },
    vatDueSales: money,
    vatDueAcquisitions: money,
    totalVatDue: money,
    vatReclaimedCurrPeriod: money,
    netVatDue: { ...money, minimum: 0, maximum: 99_999_999_999.99 },
    totalValueSalesExVAT: pounds,
    totalValuePurchasesExVAT: pounds,
    totalValueGoodsSuppliedExVAT: pounds,
    totalAcquisitionsExVAT: pounds,
    finalised: { type: 'boolean' },
  },
}

// Without a precision, 200.3 is no multiple of 0.01 in binary fractions.
const ajv = new Ajv2020({ multipleOfPrecision: 6, allErrors: true })
const validate = ajv.compile({
  ...VAT_RETURN_DECLARATION,
  required: Object.keys(VAT_RETURN_DECLARATION.properties),
  additionalProperties: false,
})

/** What is wrong with the body of a VAT return by HMRC's schema. */
export function faultsOfVatReturn(body: unknown): string[] {
  return validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
