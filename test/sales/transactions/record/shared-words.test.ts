import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KeptReasons } from '../../../../src/sales/transactions/read/kept-reasons.ts'
import { stepsKept } from '../../../../src/sales/transactions/read/kept-reasons.ts'
import { readReasons } from '../../../../src/sales/transactions/read/reasons-store.ts'
import type { Context } from '../../../../src/platform/context.ts'
import { keepWordsWithSale, shareWords } from '../../../../src/sales/transactions/record/words-to-share.ts'
import { shareOldWords } from '../../../../src/sales/transactions/record/share-old-words.ts'
import { contextToStore, readSaleContext } from '../../../../src/sales/transactions/sale/sale-context.ts'
import { readSales } from '../../../../src/sales/transactions/sale/store.ts'
import { keepWords } from '../../../../src/sales/transactions/sale/words-store.ts'
import { salesWithoutWords } from '../../../../scripts/verify/words.ts'
import { newAccount } from '../../../support/account.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { created } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const LAMP = {
  seller: { country: 'DE', registrations: ['DE'] },
  customer: { address: { country: 'DE', postal_code: '10115' }, type: 'individual' },
  line_items: [{ amount: 18_900, product_type: 'physical_goods', description: 'Desk lamp' }],
  currency: 'EUR',
}

const storedOf = async (id: string) =>
  books.prepare('SELECT facts, reasons FROM transactions WHERE id = ?').bind(id).first<{
    facts: string
    reasons: string
  }>()

const counted = async () => books.prepare('SELECT count(*) AS n FROM words_of_sales').first<number>('n')

it('keeps the words of equal sales once, and shows them with each', async () => {
  const { key } = await newAccount()
  const first = await created(key, LAMP)
  const words = await counted()
  expect(words).toBeGreaterThan(3)
  const second = await created(key, LAMP)
  expect(await counted()).toBe(words)
  const path = (id: string) => `/v1/transactions/${id}?explain=true&einvoice=en`
  const [one, other] = await Promise.all(
    [first, second].map(async (id) => (await call('GET', path(id), { key })).body),
  )
  expect(one?.['explanation']).toMatchObject({ lines: [{ steps: { length: 3 } }] })
  expect(one?.['einvoice']).toEqual(other?.['einvoice'])
  const stored = await storedOf(second)
  expect(stored?.reasons.length).toBeLessThan(200)
  expect(stored?.facts).not.toContain('treatments')
})

it('never changes or deletes words', async () => {
  await expect(books.prepare("UPDATE words_of_sales SET words = ''").run()).rejects.toThrow('changed')
  await expect(books.prepare('DELETE FROM words_of_sales').run()).rejects.toThrow('deleted')
})

it('keeps all words with a sale while the service may be rolled back', async () => {
  const { key } = await newAccount()
  env.WORDS_WITH_SALES = 'on'
  const id = await created(key, LAMP)
  delete env.WORDS_WITH_SALES
  const stored = await storedOf(id)
  expect(JSON.parse(stored?.reasons ?? '')).toMatchObject({ sale: [0], lines: [[1, 2, 3]] })
  expect(JSON.parse(stored?.facts ?? '')).toHaveProperty('einvoice.treatments')
})

it('names a sale whose words are missing, and does not tell a part of its reasons', async () => {
  const { key, account_id } = await newAccount()
  await created(key, LAMP)
  const id = await created(key, LAMP)
  expect(await salesWithoutWords(books, account_id)).toEqual([])
  await books
    .prepare("UPDATE transactions SET reasons = json_set(reasons, '$.shared', ?) WHERE id = ?")
    .bind('A'.repeat(24), id)
    .run()
  expect(await salesWithoutWords(books, account_id)).toEqual([id])
  const context = { env, books, principal: { account_id } } as unknown as Context
  await expect(readReasons(context, [id])).rejects.toThrow('the words of a step are kept')
})

it('keeps what the caller chose with the sale', async () => {
  const { key } = await newAccount()
  const secret = 'said by the caller'
  await created(key, {
    ...LAMP,
    invoice_number: secret,
    metadata: { secret },
    line_items: [
      { amount: 18_900, product_type: 'physical_goods', description: secret, reference: secret },
      { amount: 100, taxable: false, exemption_reason: secret, product_type: 'physical_goods' },
    ],
  })
  const found = await books
    .prepare('SELECT count(*) AS n FROM words_of_sales WHERE words LIKE ?')
    .bind(`%${secret}%`)
    .first<number>('n')
  expect(found).toBe(0)
})

it('shares the words of old sales later, and shows them as before', async () => {
  const { key, account_id } = await newAccount()
  env.WORDS_WITH_SALES = 'on'
  const ids = [await created(key, LAMP), await created(key, { ...LAMP, invoice_number: 'I-1' })]
  delete env.WORDS_WITH_SALES
  ids.push(await created(key, LAMP))
  await books
    .prepare('UPDATE transactions SET reasons = NULL WHERE id = ?')
    .bind(ids[2] ?? '')
    .run()
  const read = () =>
    Promise.all(
      ids.map(async (id) => {
        const { status, body } = await call('GET', `/v1/transactions/${id}?explain=true&einvoice=en`, { key })
        const { queried_at: _, ...rest } = body
        return [status, rest]
      }),
    )
  const before = await read()
  const bytes = (await storedOf(ids[1] ?? ''))?.facts.length ?? 0
  await books.prepare("INSERT OR REPLACE INTO job_cursors (name, after) VALUES ('words_of_sales', '')").run()
  await shareOldWords(books)
  expect((await storedOf(ids[1] ?? ''))?.facts.length).toBeLessThan(bytes - 200)
  expect((await storedOf(ids[0] ?? ''))?.reasons).toContain('shared')
  expect(await read()).toEqual(before)
  expect(await salesWithoutWords(books, account_id)).toEqual([])
  expect(
    await books.prepare("SELECT after FROM job_cursors WHERE name = 'words_of_sales'").first(),
  ).toBeNull()
})

it('shares the words of old sales whose texts together are longer than a value of the database', async () => {
  const { key } = await newAccount()
  env.WORDS_WITH_SALES = 'on'
  const ids = await Promise.all(Array.from({ length: 25 }, () => created(key, LAMP)))
  delete env.WORDS_WITH_SALES
  await books
    .prepare("UPDATE transactions SET facts = json_set(facts, '$.metadata', json_object('note', ?))")
    .bind('"'.repeat(25_000))
    .run()
  await books.prepare("INSERT OR REPLACE INTO job_cursors (name, after) VALUES ('words_of_sales', '')").run()
  await shareOldWords(books)
  for (const id of ids) expect((await storedOf(id))?.reasons).toContain('shared')
})

const text = fc.string({ unit: 'binary', maxLength: 12 })
const step = fc.tuple(
  fc.constantFrom('where', 'product_rule', 'own_rate', 'bundle', 'registration', 'unheard'),
  text,
  text,
  fc.option(text),
)
const amount = fc.integer({ min: -1e15, max: 1e15 })
const reasons = fc
  .uniqueArray(step, { maxLength: 9, selector: (each) => JSON.stringify(each) })
  .chain((steps) => {
    const indexes = fc.array(fc.nat({ max: Math.max(0, steps.length - 1) }), {
      maxLength: steps.length === 0 ? 0 : 4,
    })
    return fc.record<KeptReasons>(
      {
        steps: fc.constant(steps),
        sale: indexes,
        lines: fc.array(indexes, { maxLength: 4 }),
        rounding: fc.constantFrom('line', 'document'),
        calculated: fc.array(
          fc.record({ tax_amount: amount, taxable_amount: amount, rate_millionths: amount }),
          { maxLength: 3 },
        ),
        places: fc.dictionary(text, text, { maxKeys: 2 }),
      },
      { requiredKeys: ['steps', 'sale', 'lines', 'rounding'] },
    )
  })
const treatment = fc.record(
  {
    category: fc.constantFrom('S', 'E', null),
    rate_millionths: fc.option(fc.nat()),
    made_of: text,
    code: fc.option(text),
    text: fc.constant(null),
    stated_reason: fc.option(text, { freq: 9 }).map((said) => said && null),
    warning: fc.constant(null),
    at_origin: fc.constant(null),
    numbers: fc.array(fc.nat(), { maxLength: 2 }),
  },
  { noNullPrototype: true },
)
const facts = fc.record(
  {
    invoice_number: fc.option(text),
    metadata: fc.dictionary(text, text, { maxKeys: 3 }),
    lines: fc.dictionary(fc.nat({ max: 9 }).map(String), fc.record({ reference: fc.option(text) })),
    einvoice: fc.record({
      tax_scheme: fc.constantFrom('VAT', 'GST', null),
      country: fc.constantFrom('DE', 'FR'),
      lines: fc.array(fc.oneof(fc.nat(), fc.constant([{ treatment: 0, taxable_amount: 1, tax_amount: 2 }]))),
      treatments: fc.array(treatment, { maxLength: 2 }),
      numbers: fc.constant([]),
      registration_numbers: fc.array(fc.option(text), { maxLength: 2 }),
    }),
  },
  { requiredKeys: ['invoice_number', 'metadata', 'lines'], noNullPrototype: true },
)

/** The reasons without the order of their steps, which says nothing. */
const said = (kept: KeptReasons) => ({
  ...kept,
  steps: kept.steps.map((each) => JSON.stringify(each)).toSorted(),
  sale: stepsKept(kept, null),
  lines: kept.lines.map((_, line) => stepsKept(kept, line)),
})

it('reads back what was given, field by field, in either form', async () => {
  const { key, account_id } = await newAccount()
  const id = await created(key, LAMP)
  const context = { env, books, principal: { account_id } } as unknown as Context
  await fc.assert(
    fc.asyncProperty(facts, reasons, fc.boolean(), async (given, kept, shares) => {
      const whole = contextToStore(given)
      const texts = shares ? await shareWords(whole, kept) : keepWordsWithSale(whole, kept)
      await books.batch([
        ...keepWords(books, texts.words),
        books
          .prepare('UPDATE transactions SET facts = ?, reasons = ? WHERE id = ?')
          .bind(texts.facts, texts.reasons, id),
      ])
      const [sale] = await readSales(context, [id])
      expect(sale?.row.facts).toBe(whole)
      expect(readSaleContext(sale?.row.facts ?? '')).toMatchObject(given)
      const read = (await readReasons(context, [id])).get(id)
      expect(read && said(read)).toEqual(said(JSON.parse(JSON.stringify(kept))))
    }),
    { numRuns: 300 },
  )
})
