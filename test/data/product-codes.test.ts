import { expect, it } from 'vitest'
import { ProductTypeOrCode } from '../../src/platform/http/tax-enums.ts'
import { CODES } from '../../src/tax-data/product-codes/code-list.ts'
import records from '../../data/product-codes.json' with { type: 'json' }

const codes = [...CODES.values()]

it('lists each code once, in a form that requests may have', () => {
  expect(codes.length).toBe(records.flatMap((record) => record.codes).length)
  expect(codes.filter(({ code }) => !ProductTypeOrCode.safeParse(code).success)).toEqual([])
  const count = (system: string) => codes.filter((each) => each.system === system).length
  // TaxJar lists 846 categories; 99999 left its list in 2019 and is still sent.
  expect([count('taxjar'), count('stripe'), count('avalara')]).toEqual([847, 653, 3_019])
})

it('has a type exactly for the codes that are mapped, and tells why others are not', () => {
  for (const { code, product_type, certainty, suggest, note } of codes) {
    const mapped = ['exact', 'near', 'broader'].includes(certainty)
    expect(product_type !== null, code).toBe(mapped)
    if (suggest !== null) expect(certainty, code).toBe('none')
    if (certainty === 'broader' || certainty === 'none') expect(note, code).not.toBeNull()
  }
})

it('frees no product by a code that is only close to a type', () => {
  // Of a broader code, the tax may be wrong. Only types that are taxed like goods, services that nobody else
  // would tax as goods, and general codes of the services themselves may be wrong in this way.
  const close = codes.filter(({ certainty }) => certainty === 'broader')
  expect(new Set(close.map(({ product_type }) => product_type))).toEqual(
    new Set([
      'candy',
      'digital_goods',
      'physical_goods',
      'professional_services',
      'saas',
      'shipping',
      'soft_drinks',
      'software_download',
    ]),
  )
})

it.each([
  ['51183603A0000', 'prescription_drugs'],
  ['51350000A0000', 'prescription_drugs'],
  ['55101504A0000', 'newspapers'],
  ['53102305A0000', 'diapers'],
  ['19009', 'physical_goods'],
  ['40020', 'dietary_supplements'],
  ['txcd_30011000', 'clothing'],
  ['txcd_20030000', 'professional_services'],
  ['txcd_10201000', 'software_download'],
  ['txcd_00000000', null],
  ['99999', null],
  // Adult diapers are free in some of the states that free diapers for children, not in California.
  ['53102306A0000', null],
])('takes %s as %s', (code, product_type) => {
  expect(CODES.get(code)?.product_type).toBe(product_type)
})
