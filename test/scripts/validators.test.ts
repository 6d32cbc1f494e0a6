import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildModules } from '../../scripts/worker-modules.ts'
import { isKnownIssuer, passesCheckDigits } from '../../src/parties/vat/check-digits.ts'
import { FORMATS } from '../../src/parties/vat/formats.ts'

it('the Worker checks VAT ids as the tests do, although it contains another form of the library', async () => {
  const { modules } = await buildModules('src/parties/vat/check-digits.ts')
  expect(modules).toHaveLength(1)
  const code = `data:text/javascript,${encodeURIComponent(modules[0].contents)}`
  const built: { passesCheckDigits: typeof passesCheckDigits } = await import(/* @vite-ignore */ code)
  const countries = [...FORMATS].filter(([country]) => isKnownIssuer(country))
  const accepted = new Set<string>()
  let refused = 0
  for (const [country, { pattern, prefix, example }] of countries) {
    // Numbers in the form of the country: its example with other digits.
    const written = fc
      .infiniteStream(fc.nat(9))
      .map((digits) => example.replaceAll(/\d/g, () => String(digits.next().value)))
      .filter((text) => pattern.test(text))
    const sameAnswer = fc.property(fc.oneof(fc.constant(example), written), (text) => {
      const number = text.slice(prefix.length)
      const passes = passesCheckDigits(country, number)
      if (passes) accepted.add(country)
      else refused += 1
      expect(built.passesCheckDigits(country, number)).toBe(passes)
    })
    fc.assert(sameAnswer, { numRuns: 500 })
  }
  expect(accepted.size).toBeGreaterThan(25)
  expect(refused).toBeGreaterThan(1_000)
})
