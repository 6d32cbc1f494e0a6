import { expect, it } from 'vitest'
import page from '../../../docs/einvoice.md?raw'
import { taxTotal } from '../../../examples/ubl-tax-total.ts'
import { invariant } from '../../../src/engine/ground/invariant.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '')

it('answers the examples of the page as it says', async () => {
  const shown = blocks('json')
  expect(shown.length).toBe(8)
  for (let index = 0; index < shown.length; index += 2) {
    const body: object = JSON.parse(invariant(shown[index], 'a request'))
    const { body: answer, text } = await call('POST', '/v1/calculate', { key, body })
    expect(answer['einvoice'], text).toMatchObject(JSON.parse(invariant(shown[index + 1], 'an answer')))
  }
})

it('writes the UBL of the page from its first example', async () => {
  const body: object = JSON.parse(invariant(blocks('json')[0], 'a request'))
  const { body: answer } = await call('POST', '/v1/calculate', { key, body })
  const written = taxTotal(answer['einvoice'] as Parameters<typeof taxTotal>[0], 'EUR')
  expect(written.startsWith(invariant(blocks('xml')[0], 'an output').trim()), written).toBe(true)
})
