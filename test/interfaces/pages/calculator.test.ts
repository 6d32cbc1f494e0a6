import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { minorUnits } from '../../../src/interfaces/pages/calculator.ts'
import { shipData } from '../../collectors/collecting.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeEach(async () => {
  await shipData()
  forgetAll()
})

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(new Request(`https://tax.example${path}`, { headers }))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const PARIS = '/try?country=FR&from=DE&amount=19.99&currency=EUR&product_type=saas'

describe('the calculator', () => {
  it('answers a link without a key, and keeps the fields in the form', async () => {
    const { status, text } = await read(PARIS)
    expect(status).toBe(200)
    expect(text).toContain('VAT 20 %, France')
    expect(text).toContain('€4.00')
    expect(text).toContain('€23.99')
    expect(text).toContain('CGI, art. 278')
    expect(text).toContain('<option value="FR" selected="">France</option>')
    expect(text).toContain('<option value="saas" selected="">Software as a service</option>')
  })

  it('folds the fields that few visitors change, unless one of them was changed or is wrong', async () => {
    const open = '<details open=""><summary>More'
    for (const path of ['/', `/try?country=GB&from=DE&amount=10`])
      expect((await read(path)).text, path).toContain('<details><summary>More')
    for (const path of ['/try?country=GB', `${PARIS}&buyer=business`, '/try?country=US&from=DE&region=DE-BY'])
      expect((await read(path)).text, path).toContain(open)
  })

  it('names each source, and the taxes that a rate is made of', async () => {
    const { text } = await read('/try?country=CA&region=QC&amount=10&product_type=physical_goods')
    expect(text).not.toContain('multiple')
    expect(text).toMatch(/Sources: <a href="https[^>]*>[^<]+<\/a>; <a href/)
    const ghana = (await read('/try?country=GH&from=DE&amount=100&product_type=saas')).text
    expect(ghana).toContain('of which GETFund levy 2.5 %')
    expect((await read('/jurisdictions/GH')).text).toContain('VAT 15 % + NHIL 2.5 % + GETFund levy 2.5 %')
  })

  it('tells why in words, with names and money, and folds the steps', async () => {
    for (const path of [PARIS, '/']) {
      const { text } = await read(path)
      expect(text, path).toMatch(
        /<span class="badge">Standard rate<\/span> Software as a service · €19\.99 · 20 % VAT of France = €4\.00 · standard rate, [^<]*\([^)]*art\. 58/,
      )
      expect(text).toContain('<details><summary>All steps, with the law</summary>')
      expect(text).not.toContain('400 on 1999')
    }
  })

  it('says that a business abroad is charged like a consumer without an id', async () => {
    const ID = 'A business is recognised by its VAT or GST id'
    expect((await read(`${PARIS}&buyer=business`)).text).toContain(ID)
    expect((await read(PARIS)).text).not.toContain(ID)
    // At home, and in a state of the United States, no id changes the tax.
    for (const path of ['country=DE&from=DE', 'country=US&region=NY&from=DE'])
      expect((await read(`/try?${path}&amount=10&buyer=business`)).text, path).not.toContain(ID)
  })

  it('takes a price with a comma, and a price that contains its tax', async () => {
    const { text } = await read('/try?country=DE&amount=119,00&price=gross&product_type=physical_goods')
    expect(text).toContain('€100.00')
    expect(text).toContain('€19.00')
  })

  it('uses the currency of the place if the link names none', async () => {
    const { text } = await read('/try?country=GB&amount=10&product_type=saas')
    expect(text).toContain('£2.00')
    expect(text).toContain('<option value="GBP" selected="">GBP</option>')
  })

  it('takes a region by its id, its code and its name', async () => {
    for (const region of ['CA-ON', 'ON', 'Ontario']) {
      const { text } = await read(`/try?country=CA&region=${region}&amount=100&product_type=saas`)
      expect(text, region).toContain('HST 13 %, Ontario')
    }
  })

  it.each([
    ['amount=1,999.00', 'amount', 'must be a price such as 19.99'],
    ['amount=10.5&currency=JPY', 'amount', 'must be a price such as 1999'],
    ['amount=-5', 'amount', 'must be a price such as 19.99'],
    ['country=Atlantis', 'country', 'choose a country of the list'],
    ['currency=GOLD', 'currency', 'must be a currency code such as EUR'],
    ['product_type=magic', 'product_type', 'choose a product of the list'],
    ['price=free', 'price', 'must be one of net, gross'],
    ['country=CA&region=US-CA', 'region', 'is in another country'],
    ['country=US', 'region', 'is required'],
  ])('names the field that is wrong in %s', async (query, field, says) => {
    const { status, text } = await read(`/try?${query}`)
    expect(status).toBe(400)
    expect(text).toContain(`id="${field}-error"`)
    expect(text).toMatch(new RegExp(`<label for="${field}">([^<]+)</label>.*<a href="#${field}">\\1</a>`))
    expect(text).toContain(`aria-describedby="${field}-error"`)
    expect(text).toContain(says)
  })

  it('shows hostile fields as text', async () => {
    const { text } = await read('/try?amount=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E')
    expect(text).not.toContain('<script')
  })

  it('is limited by address', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.91' }
    let answer = await read(PARIS, headers)
    for (let index = 0; index < 130 && answer.status !== 429; index += 1) answer = await read(PARIS, headers)
    expect(answer.status).toBe(429)
  })

  it('is on the home page with an example, and the home page is up without tax data', async () => {
    const { text } = await read('/')
    expect(text).toContain('action="/try"')
    expect(text).toContain('€23.99')
    await env.DB.prepare('ALTER TABLE facts RENAME TO facts_away').run()
    const pointers = ['ratebook5:current', 'ratebook5:now']
    const stored = await Promise.all(pointers.map((key) => env.KV.get(key)))
    await Promise.all(pointers.map((key) => env.KV.delete(key)))
    forgetAll()
    try {
      const without = await read('/')
      expect(without.status).toBe(200)
      expect(without.text).toContain('action="/try"')
      expect(without.text).not.toContain('€23.99')
    } finally {
      await env.DB.prepare('ALTER TABLE facts_away RENAME TO facts').run()
      for (const [index, key] of pointers.entries()) await env.KV.put(key, stored[index] ?? '')
    }
  })

  it('reads prices exactly', () => {
    expect(minorUnits('0.07', 'EUR')).toBe(7)
    expect(minorUnits('1999', 'JPY')).toBe(1999)
    expect(minorUnits('1.5', 'KWD')).toBe(1500)
    expect(minorUnits('999999999.99', 'USD')).toBe(99_999_999_999)
  })
})

describe('an unknown path', () => {
  it('is a page for a browser, and JSON for other callers and for the API', async () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const page = await read('/nope', browser)
    expect(page.status).toBe(404)
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('Cache-Control')).toBe('no-store')
    expect(page.text).toContain('This page does not exist')
    expect(JSON.parse((await read('/nope')).text)).toMatchObject({ reason: 'route_not_found' })
    for (const path of ['/v1/nope', '/V1/nope', '/v2/nope', '/taxjar/v2/nope'])
      expect((await read(path, browser)).headers.get('Content-Type'), path).toBe('application/json')
  })
})
