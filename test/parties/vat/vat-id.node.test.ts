import { describe, expect, it } from 'vitest'
import { isFormOnly } from '../../../src/parties/vat/check-digits.ts'
import { FORMATS } from '../../../src/parties/vat/formats.ts'
import { readVatId, showsBusiness } from '../../../src/parties/vat/vat-id.ts'

const formats = [...FORMATS].map(([country, format]) => ({ country, ...format }))

describe('readVatId', () => {
  it.each(formats.map(({ country, example }) => [country, example]))(
    'takes the published example of %s, %s',
    (country, example) => {
      expect(readVatId(example, country)).toMatchObject({ country, format_valid: true })
    },
  )

  const with_check_digits = formats.filter(({ validators }) => validators.length > 0)
  it.each(with_check_digits.map(({ country, example }) => [country, example]))(
    'refuses that of %s with another digit in it, %s',
    (country, example) => {
      const at = example.search(/\d/) + 3
      const digit = /\d/.test(example[at] ?? '') ? at : at + 1
      const wrong = example.slice(0, digit) + ((Number(example[digit]) + 1) % 10) + example.slice(digit + 1)
      expect(readVatId(wrong, country).format_valid).toBe(false)
    },
  )

  it.each([
    ['CZ640903926', 'CZ', 'a Czech person without a birth number'],
    ['CZ 7103192745', 'CZ', 'a Czech birth number'],
    ['LV32000012345', 'LV', 'a Latvian personal code since 2017'],
    ['LV16117519997', 'LV', 'a Latvian personal code before'],
    ['BG7523169263', 'BG', 'a Bulgarian personal number'],
    ['BG7111042925', 'BG', 'a Bulgarian foreigner'],
    ['BG7153849522', 'BG', 'another Bulgarian id of 10 digits'],
    ['BG0000100153', 'BG', 'another Bulgarian id that begins with 0'],
    ['BG835014925', 'BG', 'a Bulgarian company whose number begins with 8'],
    ['FI 2077474-0', 'FI', 'a Finnish number with its hyphen'],
    ['EL 094259216', 'GR', 'Greece by EL'],
    ['094259216', 'GR', 'a number without prefix, by the country of the customer'],
    ['IE 6433435-OA', 'IE', 'a new Irish number'],
    ['IE8D79739I', 'IE', 'an old Irish number'],
    ['XI980780684', 'XI', 'Northern Ireland'],
    ['GBGD001', 'GB', 'a government department'],
    ['GBHA599', 'GB', 'a health authority'],
    ['CHE-107.787.577 IVA', 'CH', 'Switzerland with its tax'],
    ['CHE107787577', 'CH', 'Switzerland without'],
    ['NO 995 525 828 MVA', 'NO', 'Norway with its tax'],
    ['51 824 753 556', 'AU', 'an Australian business number'],
    ['AU51824753556', 'AU', 'an Australian business number after its country'],
    ['123026635', 'CA', 'a Canadian business number'],
    ['12302 6635 RT0001', 'CA', 'the GST/HST account of a Canadian business'],
    ['CA123026635', 'CA', 'a Canadian business number after its country'],
    ['sk2022749619', 'SK', 'lower case'],
    ['LI 12345', 'LI', 'Liechtenstein'],
    ['12345', 'LI', 'Liechtenstein without its prefix'],
    ['M90312345A', 'SG', 'the GST register of Singapore'],
    ['5835678256246', 'JP', 'a Japanese number without its T'],
    ['116-82-00276', 'KR', 'a Korean business'],
    ['76.086.428-5', 'CL', 'a Chilean number'],
    ['TR4540536920', 'TR', 'a Turkish number after its country'],
  ])('takes %s: %s %s', (text, country) => {
    expect(readVatId(text, country)).toMatchObject({ country, format_valid: true, scheme_number: false })
  })

  it.each([
    ['DE000000000', 'DE'],
    ['GBZZ100', 'GB'],
    ['GBAB123', 'GB'],
    ['GBGD500', 'GB'],
    ['BG835014926', 'BG'],
    ['BG7153849523', 'BG'],
    ['BG0000100154', 'BG'],
    ['BE2000000074', 'BE'],
    ['CY12259033P', 'CY'],
    ['SI00000000', 'SI'],
    ['CZ640903927', 'CZ'],
    ['SK2022749618', 'SK'],
    ['CHE107787578', 'CH'],
    ['NO995525829MVA', 'NO'],
    ['51824753557', 'AU'],
    ['123026636', 'CA'],
    ['123026635RT1', 'CA'],
    ['CA123026635', 'DE'],
    ['１２３４５６７８９', 'DE'],
    ['9'.repeat(5_000), 'DE'],
    ['', 'DE'],
    ['DE', 'DE'],
    ['constructor', 'DE'],
    ['123456789', 'US'],
    ['1234', 'LI'],
    ['310122393500004', 'SA'],
    ['OM110001234', 'OM'],
    ['27AAPFU0939F1ZW', 'IN'],
    ['5720125184', 'ZA'],
  ])('refuses %s of %s', (text, country) => {
    expect(readVatId(text, country).format_valid).toBe(false)
  })

  it.each(['EU372022452', 'EU 372 022 452', 'IM3720000224'])(
    'tells that %s names a seller in a one-stop shop',
    (text) => {
      expect(readVatId(text, 'DE')).toMatchObject({ format_valid: false, scheme_number: true })
    },
  )
})

describe('what a VAT id of a right form is worth', () => {
  it.each([
    ['LI', 'LI12345'],
    ['JP', 'T5835678256246'],
    ['AE', '100354321900003'],
    ['SA', '310122393500003'],
    ['IS', '00621'],
    ['BH', '200000898300002'],
    ['OM', 'OM1100012345'],
    ['ZA', '4720125184'],
    ['SG', 'M90312345A'],
  ])('%s publishes no check digits of %s', (country, text) => {
    expect(isFormOnly(country, readVatId(text, country).number)).toBe(true)
  })

  it.each([
    ['SG', '197401143C'],
    ['IN', '27AAPFU0939F1ZV'],
    ['DE', 'DE136695976'],
  ])('%s has check digits in %s', (country, text) => {
    expect(isFormOnly(country, readVatId(text, country).number)).toBe(false)
  })

  it.each([
    ['CL', '760864285', false],
    ['JP', 'T5835678256246', false],
    ['MX', 'MAB9307148T4', false],
    ['CH', 'CHE-107.787.577', false],
    ['CH', 'CHE-107.787.577 MWST', true],
    ['CH', 'CHE107787577TVA', true],
    ['NO', '995525828', true],
    ['NO', 'NO 995 525 828 MVA', true],
    ['LI', '12345', true],
    ['DE', 'DE136695976', true],
    ['US', '123456789', false],
  ])('an id of %s, %s, shows a business: %s', (country, text, shown) => {
    expect(showsBusiness(country, readVatId(text, country).number)).toBe(shown)
  })
})
