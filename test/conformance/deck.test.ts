import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, describe, expect, it } from 'vitest'
import { parseCases } from '../../scripts/arithmetic-cases.ts'
import type { Adapter } from '../../scripts/conformance/adapter.ts'
import { arithmeticSales } from '../../scripts/conformance/arithmetic-sales.ts'
import { DECK_SCHEMA, deckSchemaText } from '../../scripts/conformance/deck-schema.ts'
import { parseDeck } from '../../scripts/conformance/deck.ts'
import { LAW_DECK, lawDeckText } from '../../scripts/conformance/law-cases.ts'
import { runDeck } from '../../scripts/conformance/run-deck.ts'
import { taxjarAdapter } from '../../scripts/conformance/taxjar-adapter.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const ARITHMETIC = join(PROJECT, 'test/conformance/arithmetic.json')
const law = parseDeck(JSON.parse(readFileSync(join(PROJECT, LAW_DECK), 'utf8')))

describe('the deck of law', () => {
  it('is made from the oracles: npm run generate', () => {
    expect(readFileSync(join(PROJECT, LAW_DECK), 'utf8')).toBe(lawDeckText())
    expect(readFileSync(join(PROJECT, DECK_SCHEMA), 'utf8')).toBe(deckSchemaText())
  })

  it('has a source and a day for each case, and ids that differ', () => {
    expect(law.cases.length).toBeGreaterThan(200)
    for (const { id, source, date } of law.cases) {
      expect(source.length, id).toBeGreaterThan(4)
      expect(source, id).not.toMatch(/^(same|before|arithmetic)$/)
      expect(date, id).toMatch(/^20\d\d-\d\d-\d\d$/)
    }
    expect(new Set(law.cases.map(({ kind }) => kind))).toEqual(new Set(['sale', 'registration']))
  })

  it('is valid by its JSON Schema, read by a reader that we did not write', () => {
    const ajv = new Ajv2020()
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(join(PROJECT, DECK_SCHEMA), 'utf8')))
    expect(validate(law), JSON.stringify(validate.errors)).toBe(true)
    const [first] = law.cases
    const { source: _, ...without } = first ?? { source: '' }
    expect(validate({ ...law, cases: [without] })).toBe(false)
  })

  it.each([
    ['an unknown format', { format: 'tax-conformance/2' }, /^format: /],
    ['two cases of one id', { cases: [law.cases[0], law.cases[0]] }, /^cases: two cases/],
    ['a case without a source', { cases: [{ ...law.cases[0], source: undefined }] }, /^cases\[0\]\.source: /],
    ['no cases', { cases: [] }, /^cases: /],
  ])('is refused with %s', (_, changes, message) => {
    expect(() => parseDeck({ ...law, ...changes })).toThrow(message)
  })
})

describe('the deck of arithmetic', () => {
  const cases = parseCases(readFileSync(ARITHMETIC, 'utf8'))

  it('has a source for each case, and the day on which they were read', () => {
    const file = JSON.parse(readFileSync(ARITHMETIC, 'utf8'))
    expect(file.as_of).toMatch(/^20\d\d-\d\d-\d\d$/)
    for (const { id, source } of file.cases) expect(source, id).toEqual(expect.any(String))
  })

  it('is asked as sales at places that have its rates', () => {
    const { deck, without_place } = arithmeticSales(cases)
    expect(deck.cases.length + without_place.length).toBe(cases.length)
    expect(deck.cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['QC-1', 'DC-1', 'NZ-1', 'SST-1']))
    expect(parseDeck(deck)).toEqual(deck)
  })
})

/** The cases of a deck with the expected answers of `changed`. */
async function resultsOf(adapter: Adapter, answer: (id: string) => { status: number; text: string }) {
  const ids = law.cases.slice(0, 3).map(({ id }) => id)
  const asked: string[] = []
  const results = []
  const send = async () => answer(asked.at(-1) ?? '')
  const spying: Adapter = {
    ...adapter,
    ask: (each, as_of) => {
      asked.push(each.id)
      return adapter.ask(each, as_of)
    },
  }
  for await (const result of runDeck({ ...law, cases: law.cases.slice(0, 3) }, spying, send))
    results.push(result)
  expect(results.map(({ id }) => id)).toEqual(ids)
  return results
}

describe('a run', () => {
  const always: Adapter = {
    name: 'always',
    headers: () => ({}),
    ask: () => ({ method: 'POST', path: '/tax' }),
    read: (body) => body as object,
  }

  it('compares what is told, and names what is not', async () => {
    const results = await resultsOf(always, () => ({ status: 200, text: '{"tax":2000,"rate":0.2}' }))
    expect(results[0]).toMatchObject({ ok: true, wrong: [], not_told: ['jurisdiction'] })
    expect(results[2]).toMatchObject({ ok: false, wrong: ['tax', 'rate'] })
  })

  it.each([
    ['an error', { status: 500, text: 'broken' }, '500: broken'],
    ['no JSON', { status: 200, text: '<html>' }, 'the answer is not JSON: <html>'],
    ['nothing that is expected', { status: 200, text: '{}' }, 'the answer tells nothing that is expected'],
  ])('fails a case whose answer is %s', async (_, answer, error) => {
    expect((await resultsOf(always, () => answer))[0]).toMatchObject({ ok: false, error })
  })

  it('leaves out what the form cannot say, with the reason', async () => {
    const cannot: Adapter = { ...always, ask: () => ({ cannot: 'it has no sales' }) }
    const results = await resultsOf(cannot, () => ({ status: 500, text: '' }))
    expect(results[0]).toMatchObject({ ok: null, cannot: 'it has no sales' })
  })
})

it('the form of TaxJar says a sale in its own words', () => {
  const found = law.cases.find(({ id }) => id === 'AU-023')
  if (found?.kind !== 'sale') throw new Error('there is such a sale')
  const asked = { ...found, seller: { country: 'AU' }, shipping: 1_050 }
  expect(taxjarAdapter.ask(asked, law.as_of)).toEqual({
    method: 'POST',
    path: '/v2/taxes',
    body: {
      from_country: 'AU',
      to_country: 'AU',
      amount: 100,
      shipping: 10.5,
      nexus_addresses: [{ id: '1', country: 'AU' }],
      line_items: [{ id: '1', quantity: 1, unit_price: 100 }],
    },
  })
  expect(taxjarAdapter.read({ tax: { amount_to_collect: 11.05, rate: 0.1 } }, asked)).toEqual({
    tax: 1_105,
    rate: 0.1,
  })
  expect(taxjarAdapter.ask({ ...asked, prices: 'inclusive' }, law.as_of)).toHaveProperty('cannot')
})

describe('the command', () => {
  let close = () => {}
  afterEach(() => close())

  /** A service that answers every sale with 20 % of its first line. */
  async function serve(): Promise<string> {
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        const { lines } = body as { lines: { amount: number }[] }
        response.end(JSON.stringify({ total: (lines[0]?.amount ?? 0) / 5, key: request.headers['x-key'] }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => void server.close()
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has a port')
    return `http://127.0.0.1:${address.port}`
  }

  async function run(...args: string[]) {
    const child = spawn(process.execPath, ['scripts/conformance.ts', ...args], {
      cwd: PROJECT,
      env: { ...process.env, TAX_API_KEY: 'secret' },
    })
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on('close', resolve)),
    ])
    return { out, err, code }
  }

  it('puts a deck to a service by an adapter in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deck-'))
    const adapter = join(folder, 'mine.ts')
    writeFileSync(
      adapter,
      `export const adapter = {
        name: 'mine',
        headers: (key) => ({ 'x-key': key }),
        ask: (asked) => asked.kind === 'sale'
          ? { method: 'POST', path: '/tax', body: { lines: asked.lines } }
          : { cannot: 'it only computes taxes' },
        read: (body) => body.key === 'secret' ? { tax: body.total } : {},
      }`,
    )
    const deck = join(folder, 'deck.json')
    const cases = law.cases.filter(({ id }) => ['EU-STD-001', 'EU-STD-012', 'DEC-001'].includes(id))
    writeFileSync(deck, JSON.stringify({ ...law, cases }))
    const badge = join(folder, 'badge.json')
    const args = ['--service', await serve(), '--adapter', adapter, '--badge', badge]
    const { out, err, code } = await run(deck, ...args)
    expect(JSON.parse(readFileSync(badge, 'utf8'))).toEqual({
      schemaVersion: 1,
      label: 'tax conformance',
      message: '1 of 2, 1 not asked',
      color: 'yellow',
    })
    const results = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results).toMatchObject([
      { id: 'EU-STD-001', ok: true },
      { id: 'EU-STD-012', ok: false, wrong: ['tax'] },
      { id: 'DEC-001', ok: null, cannot: 'it only computes taxes' },
    ])
    expect({ err: err.trim(), code }).toEqual({ err: '1 right, 1 wrong, 1 not asked', code: 1 })
  })

  it('runs as an action of GitHub, whose inputs reach it as variables', async () => {
    const action = readFileSync(join(PROJECT, '.github/actions/conformance/action.yml'), 'utf8')
    const [, command = ''] = /- run: (\$ROOT.*)/.exec(action) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'action-'))
    const adapter = join(folder, 'mine.ts')
    writeFileSync(
      adapter,
      `export const adapter = { name: 'mine', headers: () => ({}), ask: () => ({ cannot: 'no' }), read: () => ({}) }`,
    )
    const env = { ROOT: PROJECT, SERVICE: await serve(), ADAPTER: adapter, DECK: 'law', BADGE: 'badge.json' }
    const inputs = [...action.matchAll(/^ {8}(\w+): \$\{\{/gm)].map(([, name]) => name)
    expect(inputs.toSorted()).toEqual([...Object.keys(env), 'TAX_API_KEY'].toSorted())
    execFileSync('bash', ['-c', command], { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' })
    expect(JSON.parse(readFileSync(join(folder, 'badge.json'), 'utf8'))).toMatchObject({
      message: `0 of 0, ${law.cases.length} not asked`,
      color: 'red',
    })
  })

  it('runs arithmetic without a service, and says that law needs one', async () => {
    expect(await run('test/conformance/arithmetic.json')).toMatchObject({ code: 0, err: '' })
    const { err, code } = await run('test/conformance/law.json')
    expect({ err: err.trim(), code }).toEqual({
      err: 'test/conformance/law.json: its cases are sales: give --service',
      code: 2,
    })
  })
})
