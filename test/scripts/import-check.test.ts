import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readAvalara } from '../../scripts/imports/avalara.ts'
import { checkSales, type InBooks } from '../../scripts/imports/check.ts'
import { refusedFile } from '../../scripts/imports/refused.ts'
import { PLAIN } from '../../scripts/imports/rows.ts'
import type { Imported, ImportOptions } from '../../scripts/imports/sale.ts'
import { isInBooks } from '../../scripts/imports/send.ts'
import { readStripe } from '../../scripts/imports/stripe.ts'
import { readTaxJar } from '../../scripts/imports/taxjar.ts'
import { readTemplate, TEMPLATE } from '../../scripts/imports/template.ts'
import { controlTotals } from '../../scripts/imports/totals.ts'
import { AVALARA, STRIPE, TAXJAR } from '../support/import-files.ts'

const OPTIONS: ImportOptions = {
  currency: 'USD',
  product_type: null,
  map: new Map(),
  skip_bad_rows: true,
  format: PLAIN,
}
const NOW = new Date('2026-06-01T12:00:00Z')
const EMPTY: InBooks = async () => false
const HEAD = 'id,date,currency,country,vat_id,product_type,amount,tax_amount,credit_note_for'
const csv = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

afterEach(() => vi.unstubAllGlobals())

function check(rows: readonly string[], in_books: InBooks = EMPTY): Promise<Imported> {
  return checkSales(readTemplate(csv(HEAD, ...rows), OPTIONS), in_books, NOW)
}

const reasons = (of: readonly { reason: string }[]) => of.map(({ reason }) => reason)

describe('the check of a file', () => {
  it.each([
    ['A,2026-03-02,EUR,XX,,saas,1.00,0,', 'country: "XX" is not the code of a country, such as DE'],
    [
      'A,2026-03-02,EUR,Germany,,saas,1.00,0,',
      'country: "Germany" is not the code of a country, such as DE: did you mean DE?',
    ],
    ['A,2026-03-02,EUR,,,saas,1.00,0,', 'country: is empty'],
    ['A,2026-03-02,EURO,DE,,saas,1.00,0,', 'currency: "EURO" is not a currency'],
    ['A,2026-03-02,ABC,DE,,saas,1.00,0,', 'currency: "ABC" is not a currency'],
    [',2026-03-02,EUR,DE,,saas,1.00,0,', 'id: is empty'],
    ['..,2026-03-02,EUR,DE,,saas,1.00,0,', 'id: ".." is no id'],
    ['A,2026-02-30,EUR,DE,,saas,1.00,0,', 'date: "2026-02-30" is not a date'],
    ['A,2026-02-30T10:00:00Z,EUR,DE,,saas,1.00,0,', 'date: "2026-02-30T10:00:00Z" is no day and time'],
    [
      'A,2026-03-02,EUR,DE,,saas,-1.00,0,B',
      'credit_note_for: "B" is neither in the books nor a sale of this file without',
    ],
    ['A,31.02.2026,EUR,DE,,saas,1.00,0,', 'date: "31.02.2026" is no day'],
    ['A,2026-03-02,USD,US,,saas,1.00,0,', 'region: is empty, and US alone does not decide the tax'],
    ['A,2026-03-02,USD,CA,,saas,1.00,0,', 'region: is empty, and CA alone'],
    ['A,2026-03-02,EUR,DE,,saas,1.00,-0.19,', 'tax_amount: has not the sign of the amount'],
    ['A,2026-03-02,EUR,DE,,saas,1.00,1.90,', 'tax_amount: is larger than the amount'],
    ['A,2026-03-02,EUR,DE,,Software,1.00,0,', 'did you mean saas or software_download? The list is in'],
    ['A,2026-03-02,EUR,DE,,sas,1.00,0,', 'did you mean saas?'],
    ['A,2026-03-02,EUR,DE,,zzzzzz,1.00,0,', 'this service. The list is in docs/product-types'],
  ])('refuses %s', async (row, reason) => {
    const { sales, bad } = await check([row])
    expect(sales).toEqual([])
    expect(reasons(bad)).toEqual([expect.stringContaining(reason)])
    expect(bad[0]?.reason).toMatch(/^Row 2, /)
  })

  it('reads EL and UK as the countries that they are', async () => {
    const { sales, bad } = await check(['A,2026-03-02,EUR,EL,,saas,1,0,', 'B,2026-03-02,GBP,uk,,saas,1,0,'])
    expect(bad).toEqual([])
    expect(sales).toHaveLength(2)
  })

  it('names all faults of a file at once, in the order of its rows', async () => {
    const { sales, bad } = await check([
      'A,2026-03-02,EUR,XX,,saas,1.00,0,',
      'B,2026-03-02,EUR,DE,,saas,ten,0,',
      'C,2026-03-02,EUR,DE,,saas,1.00,0,',
      'D,2026-03-02,XXX,ZZ,,saas,1.00,0,',
    ])
    expect(sales.map(({ external_id }) => external_id)).toEqual(['C'])
    expect(bad.map(({ row }) => row)).toEqual([2, 3, 5])
    expect(bad[2]?.reason).toMatch(/^Row 5, currency: .*; country: /)
  })

  it('looks a credit note up in the file, and then in the books, each sale once', async () => {
    const asked: string[] = []
    const in_books: InBooks = async (id) => {
      asked.push(id)
      return id === 'OLD' ? true : id === 'HIDDEN' ? null : false
    }
    const { sales, bad, notes } = await check(
      [
        'A,2026-03-02,EUR,DE,,saas,5.00,0,',
        'A-C,2026-03-03,EUR,DE,,saas,-1.00,0,A',
        'OLD-C,2026-03-03,EUR,DE,,saas,-1.00,0,OLD',
        'OLD-D,2026-03-03,EUR,DE,,saas,-1.00,0,OLD',
        'GONE-C,2026-03-03,EUR,DE,,saas,-1.00,0,GONE',
        'HIDDEN-C,2026-03-03,EUR,DE,,saas,-1.00,0,HIDDEN',
        'WRONG,2026-03-02,EUR,XX,,saas,5.00,0,',
        'WRONG-C,2026-03-03,EUR,DE,,saas,-1.00,0,WRONG',
      ],
      in_books,
    )
    expect(asked).toEqual(['OLD', 'GONE', 'HIDDEN', 'WRONG'])
    expect(sales.map(({ external_id }) => external_id)).toEqual(['A', 'A-C', 'OLD-C', 'OLD-D', 'HIDDEN-C'])
    expect(bad.map(({ row }) => row)).toEqual([6, 8, 9])
    expect(reasons(notes)).toEqual([
      'Row 7, credit_note_for: "HIDDEN" is not in this file, so the books need it',
    ])
  })

  it('refuses a credit note that credits nothing, or that is before its sale', async () => {
    const positive = await check(['A,2026-03-02,EUR,DE,,saas,1,0,', 'B,2026-03-02,EUR,DE,,saas,1,0,A'])
    expect(reasons(positive.bad)).toEqual(['Row 3, amount: a credit note needs negative amounts'])
    const header = STRIPE.split('\r\n')[0] ?? ''
    const early = csv(header, 're_1,refund,eur,2026-05-02,2026-06-01,li_1,txcd_10103001,40.00,7.60,DE,,')
    const { bad } = await checkSales(readStripe(early, OPTIONS), EMPTY, NOW)
    expect(reasons(bad)).toEqual(['Row 2, date: the credit note is before its sale of 2026-06-01'])
  })

  it('refuses the second of two documents with one id', async () => {
    const [header = '', first = ''] = AVALARA.split('\r\n')
    const file = csv(header, first, first.replace('INV-1,1,', 'INV-1,5,').replace('200.00', '-200.00'))
    const { sales, bad } = await checkSales(readAvalara(file, OPTIONS), EMPTY, NOW)
    expect(sales).toHaveLength(1)
    expect(reasons(bad)).toEqual([expect.stringContaining('id: "INV-1" is already that of row 2')])
  })

  it('notes rows of one id that can be two sales, and lines that are there twice', async () => {
    const line = 'A,2026-03-02,EUR,DE,,saas,1.00,0,'
    const apart = await check([line, 'B,2026-03-02,EUR,DE,,saas,1.00,0,', line.replace('1.00', '2.00')])
    expect(reasons(apart.notes)).toEqual([
      'Row 4 has the id of row 2, and other sales are between: both are one sale',
    ])
    const twice = await check([line, line])
    expect(reasons(twice.notes)).toEqual(['Row 3 is the same as row 2: both are lines of the sale'])
  })

  it('notes VAT ids that are not of the form of their country, and days to come', async () => {
    const { sales, bad, notes } = await check([
      'A,2026-03-02,GBP,GB,GB123,saas,1.00,0,',
      'B,2026-03-02,GBP,GB,GB980780684,saas,1.00,0,',
      'C,2026-03-02,USD,HK,12-3456789,saas,1.00,0,',
      'D,2026-03-02,EUR,DE,EU372022452,saas,1.00,0,',
      'E,2026-06-03,EUR,DE,,saas,1.00,0,',
      'F,2026-06-02,EUR,DE,,saas,1.00,0,',
    ])
    expect(bad).toEqual([])
    expect(sales).toHaveLength(6)
    expect(reasons(notes)).toEqual([
      expect.stringMatching(/^Row 2, vat_id: "GB123" is no VAT id of GB, such as GB\d+\. The sale is/),
      expect.stringMatching(/^Row 5, vat_id: "EU372022452" is the number of a seller/),
      'Row 6, date: 2026-06-03 is in the future',
    ])
  })

  it('finds nothing in sound files of each layout', async () => {
    for (const read of [
      readTemplate(TEMPLATE, OPTIONS),
      readStripe(STRIPE, OPTIONS),
      readTaxJar(TAXJAR, OPTIONS),
      readAvalara(AVALARA, OPTIONS),
    ])
      expect(await checkSales(read, EMPTY, NOW)).toEqual(read)
  })

  it.each([
    ['stripe', () => readStripe(STRIPE.replaceAll(',DE,', ',XX,'), OPTIONS)],
    ['taxjar', () => readTaxJar(TAXJAR.replaceAll(',US,90002', ',XX,90002'), OPTIONS)],
    ['avalara', () => readAvalara(AVALARA.replaceAll(',US,USD', ',XX,USD'), OPTIONS)],
  ])('is the same for the layout of %s', async (_, read) => {
    const { bad } = await checkSales(read(), EMPTY, NOW)
    expect(reasons(bad)).toContainEqual(expect.stringContaining('country: "XX" is not the code'))
  })
})

describe('the template', () => {
  it('says where goods leave from', () => {
    const head = 'id,date,currency,country,product_type,amount,tax_amount,ship_from_country,ship_from_region'
    const { sales } = readTemplate(csv(head, 'A,2026-03-02,EUR,FR,books,1.00,0,IE,'), OPTIONS)
    expect(sales[0]?.ship_from).toEqual({ country: 'IE' })
    expect(readTemplate(TEMPLATE, OPTIONS).sales[0]?.ship_from).toMatchObject({ country: 'DE' })
  })
})

describe('the file of refused rows', () => {
  it('has each row as it was, with a column of reasons, and is read again once it is corrected', async () => {
    const rows = ['A,2026-03-02,EUR,XX,,saas,1.00,0,', 'A,,,,,books,"1,000.00",0,']
    const { bad } = await check(rows)
    const file = refusedFile(bad)
    expect(file.split('\r\n')).toEqual([
      `\uFEFF${HEAD},reason`,
      expect.stringMatching(/^A,2026-03-02,EUR,XX,,saas,1\.00,0,,"Row 2, country: /),
      expect.stringMatching(/^A,,,,,books,"1,000\.00",0,,"Row 2, country: /),
      '',
    ])
    const again = await checkSales(readTemplate(file.replace('XX', 'DE'), OPTIONS), EMPTY, NOW)
    expect(again.bad).toEqual([])
    expect(again.sales[0]?.line_items.map(({ amount }) => amount)).toEqual([100, 100_000])
    const twice = await checkSales(readTemplate(file, OPTIONS), EMPTY, NOW)
    expect(refusedFile(twice.bad).split('\r\n')[0]).toBe(`\uFEFF${HEAD},reason`)
  })

  it('keeps cells that a row has too many, and the semicolons of a file with decimal commas', async () => {
    const format = { ...PLAIN, decimal_comma: true }
    const read = readTemplate(csv(HEAD.replaceAll(',', ';'), 'A;2026-03-02;EUR;DE;;saas;1,00;0;;extra'), {
      ...OPTIONS,
      format,
    })
    const { bad } = await checkSales(read, EMPTY, NOW)
    expect(refusedFile(bad)).toMatch(/\r\nA;2026-03-02;EUR;DE;;saas;1,00;0;;.*Too many fields.*;extra\r\n$/)
  })

  it('is empty if nothing was refused', () => expect(refusedFile([])).toBe(''))
})

describe('any file', () => {
  const row = fc
    .record({
      id: fc.constantFrom('A', 'B', 'C', 'D', 'E', ''),
      country: fc.constantFrom('DE', 'FR', 'XX', ''),
      vat_id: fc.constantFrom('', 'DE136695976', 'DE1', 'x'),
      type: fc.constantFrom('saas', 'books', 'Software'),
      units: fc.integer({ min: -100_000, max: 100_000 }),
      credits: fc.constantFrom('', '', 'A', 'OLD', 'GONE'),
    })
    .map(({ id, country, vat_id, type, units, credits }) => {
      const digits = String(Math.abs(units)).padStart(3, '0')
      const amount = `${units < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
      return `${id},2026-03-02,EUR,${country},${vat_id},${type},${amount},0.00,${credits}`
    })
  const in_books: InBooks = async (id) => id === 'OLD'

  it('has each row either among the sales or among those that come back, and no money is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const read = readTemplate(csv(HEAD, ...rows), OPTIONS)
        const { sales, bad, rows: rows_of } = await checkSales(read, in_books, NOW)
        const numbers = [...sales.map((sale) => rows_of.get(sale) ?? []), ...bad.map((each) => each.rows)]
          .flat()
          .map(({ number }) => number)
        expect(numbers.toSorted((a, b) => a - b)).toEqual(rows.map((_, index) => index + 2))
        const net = (of: Imported['sales']) =>
          controlTotals(of, 'UTC').reduce((sum, each) => sum + each.net, 0)
        const refused = read.sales.filter((sale) => !sales.includes(sale))
        expect(net(sales) + net(refused)).toBe(net(read.sales))
      }),
    )
  })

  it('comes back whole: the file of refused rows has the same errors again, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const first = await checkSales(readTemplate(csv(HEAD, ...rows), OPTIONS), in_books, NOW)
        if (first.bad.length === 0) return
        const recorded: InBooks = async (id) =>
          id === 'OLD' || first.sales.some(({ external_id }) => external_id === id)
        const again = await checkSales(readTemplate(refusedFile(first.bad), OPTIONS), recorded, NOW)
        const unnumbered = (of: Imported['bad']) =>
          reasons(of).map((reason) => reason.replaceAll(/ow \d+/g, 'ow'))
        expect(again.sales).toEqual([])
        expect(unnumbered(again.bad)).toEqual(unnumbered(first.bad))
      }),
    )
  })
})

describe('the books', () => {
  it.each([
    [200, true],
    [404, false],
    [403, null],
  ])('that answer %i say %s', async (status, found) => {
    const fetched = vi.fn(async (_url: URL) => new Response('{}', { status }))
    vi.stubGlobal('fetch', fetched)
    expect(await isInBooks('A/1', { url: 'https://tax.test', key: 'k' })).toBe(found)
    expect(String(fetched.mock.calls[0]?.[0])).toBe('https://tax.test/v1/transactions/external/A%2F1')
  })

  it('that fail end the check', async () => {
    vi.stubGlobal('fetch', async () => new Response('no', { status: 500 }))
    await expect(isInBooks('A', { url: 'https://tax.test', key: 'k' })).rejects.toThrow('answered 500: no')
  })
})
