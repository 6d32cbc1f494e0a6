import { expect, it } from 'vitest'
import { productTypes, UnknownProductError } from '../../client/src/shop/product-types.ts'

const TYPES = { 'SKU-1': 'books', apparel: 'clothing', soap: 'txcd_99999999' } as const

it('takes the type of the first code that is listed', () => {
  const typeOf = productTypes(TYPES, 'refuse')
  expect(typeOf('SKU-1', 'apparel')).toBe('books')
  expect(typeOf('SKU-9', null, undefined, '', 'apparel')).toBe('clothing')
  expect(typeOf('soap')).toBe('txcd_99999999')
})

it('refuses a product without a type, and names its codes', () => {
  const typeOf = productTypes(TYPES, 'refuse')
  expect(() => typeOf('SKU-9', 'toys')).toThrow('SKU-9, toys has no product type')
  expect(() => typeOf(null)).toThrow(UnknownProductError)
  expect(() => typeOf('constructor', '__proto__')).toThrow(UnknownProductError)
})

it('refuses a misspelt type when it is made', () => {
  expect(() => productTypes({ apparel: 'cloths' as never }, 'refuse')).toThrow(
    'cloths, of apparel, is not a product',
  )
  expect(() => productTypes({}, 'goods' as never)).toThrow('goods, of all others, is not a product type')
})

it('takes the type that the merchant chose for all others', () => {
  expect(productTypes(TYPES, 'physical_goods')('SKU-9')).toBe('physical_goods')
})
