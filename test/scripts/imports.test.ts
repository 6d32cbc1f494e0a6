import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { readAvalara } from '../../scripts/imports/avalara.ts'
import { controlTotals } from '../../scripts/imports/totals.ts'
import { minorUnits } from '../../scripts/imports/decimals.ts'
import { dateOfText, isoDay, PLAIN } from '../../scripts/imports/rows.ts'
import { columnsOf, datesOf, mapOf } from '../../scripts/imports/options.ts'
import type { ImportedSale, ImportOptions } from '../../scripts/imports/sale.ts'
import { send } from '../../scripts/imports/send.ts'
import { readStripe } from '../../scripts/imports/stripe.ts'
import { readTaxJar } from '../../scripts/imports/taxjar.ts'
import { readTemplate, TEMPLATE } from '../../scripts/imports/template.ts'

const OPTIONS: ImportOptions = {
  currency: 'USD',
  product_type: null,
  map: new Map(),
  skip_bad_rows: false,
  format: PLAIN,
}
const csv = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

describe('an amount', () => {
  it.each([
    ['19.99', 'EUR', '1', 1_999],
    ['-0.005', 'USD', '1', -1],
    ['1,234.5', 'USD', '1', 123_450],
    ['500', 'JPY', '1', 500],
    ['1.234', 'KWD', '1', 1_234],
    ['0.333', 'USD', '3', 100],
    ['.5', 'USD', '1', 50],
  ])('of %s %s, %s times, is exact in minor units', (text, currency, count, units) => {
    expect(minorUnits(text, currency, count)).toBe(units)
  })

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), (units) => {
        const digits = String(Math.abs(units)).padStart(3, '0')
        const written = `${units < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
        expect(minorUnits(written, 'USD')).toBe(units)
      }),
    )
  })

  it.each(['19,99', '1.234,56', '1,23,456', ',5', '12,3456', '1234,567'])(
    'with a decimal comma is refused: "%s" is not a hundredfold',
    (text) => {
      expect(() => minorUnits(text, 'EUR')).toThrow('Save the file with a decimal point')
    },
  )

  it.each(['', 'ten', '1.2.3', '1e5'])('is not read from "%s"', (text) => {
    expect(() => minorUnits(text, 'USD')).toThrow('is not a decimal number')
  })
})

describe('the template', () => {
  it('is read as it is written: two sales and a credit note', () => {
    const { sales, rows, bad } = readTemplate(TEMPLATE, OPTIONS)
    expect(bad).toEqual([])
    expect(sales.map((sale) => [sale.external_id, rows.get(sale)?.[0]?.number])).toEqual([
      ['A-1001', 2],
      ['A-1002', 4],
      ['A-1001-C', 5],
    ])
    expect(sales.map(({ credit_note_for }) => credit_note_for)).toEqual([
      undefined,
      undefined,
      { external_id: 'A-1001' },
    ])
    expect(controlTotals(sales, 'UTC')).toEqual([
      { month: '2026-03', currency: 'EUR', documents: 2, net: 7_000, tax: 1_090 },
      { month: '2026-03', currency: 'USD', documents: 1, net: 9_600, tax: 0 },
    ])
  })

  it.each([
    ['A,2026-03-02,EUR,DE,shirt,1.00,0', 'Row 2, product_type: "shirt" is not a product type'],
    ['A,2.3.2026,EUR,DE,saas,1.00,0', 'Row 2, date: "2.3.2026" can be two days'],
    ['A,2026-03-02,EUR,DE,saas,,0', 'Row 2, amount: is empty'],
    ['A,2026-03-02,EUR,DE,saas,1.00,', 'Row 2, tax_amount: is empty'],
  ])('names the row and the column of %s', (row, reason) => {
    const file = csv('id,date,currency,country,product_type,amount,tax_amount', row)
    const { sales, bad } = readTemplate(file, { ...OPTIONS, skip_bad_rows: true })
    expect(sales).toEqual([])
    expect(bad[0]?.reason).toContain(reason)
  })

  it.each([
    ['A,2026-03-02,USD,DE,saas,1.00,0', 'Row 3, currency: "USD" is not "EUR", as on row 2 of the sale'],
    ['A,2026-04-02,EUR,DE,saas,1.00,0', 'Row 3, date: "2026-04-02" is not "2026-03-02"'],
    ['A,2026-03-02,EUR,FR,saas,1.00,0', 'Row 3, country: "FR" is not "DE"'],
  ])('reads no sale whose rows differ, as with %s', (row, reason) => {
    const head = 'id,date,currency,country,product_type,amount,tax_amount'
    const file = csv(head, 'A,2026-03-02,EUR,DE,saas,1.00,0', row)
    const { sales, bad } = readTemplate(file, { ...OPTIONS, skip_bad_rows: true })
    expect(sales).toEqual([])
    expect(bad[0]?.reason).toContain(reason)
  })

  it('reads nothing if a quote takes the rows after it, also where bad rows may be left out', () => {
    const head = 'id,date,currency,country,product_type,amount,tax_amount,description'
    const sale = (id: string, text: string) => `${id},2026-03-02,EUR,DE,saas,1.00,0,${text}`
    const options = { ...OPTIONS, skip_bad_rows: true }
    for (const text of ['"19 inch', '"19" inch'])
      expect(() => readTemplate(csv(head, sale('A', text), sale('B', 'x')), options)).toThrow(
        'Row 2: a quote in it takes the rows after it',
      )
    const inches = csv(head, sale('A', '19" wide'), sale('B', '"19"" wide"'))
    expect(readTemplate(inches, options).sales).toHaveLength(2)
  })

  it('takes what a sale has once from its first row, if the others are empty there', () => {
    const head = 'id,date,currency,country,product_type,amount,tax_amount'
    const file = csv(head, 'A,2026-03-02,EUR,DE,saas,1.00,0', 'A,,,,books,2.00,0')
    expect(readTemplate(file, OPTIONS).sales).toMatchObject([{ currency: 'EUR', line_items: [{}, {}] }])
  })
})

describe('an itemized tax report of Stripe', () => {
  const HEADER =
    'id,type,currency,transaction_date,tax_date,line_item_id,tax_code,subtotal,tax_amount,' +
    'destination_resolved_address_country,destination_resolved_address_state,customer_tax_id,jurisdiction_name'
  const invoice = (line: string, code: string, subtotal: string, tax: string, place: string) =>
    `in_1,invoice,usd,2026-03-31 22:10:05,2026-03-31,${line},${code},${subtotal},${tax},US,WA,,${place}`

  it('becomes sales: the taxes of a line are added, its price is not', () => {
    const file = csv(
      HEADER,
      invoice('li_1', 'txcd_10103001', '100.00', '6.50', 'Washington'),
      invoice('li_1', 'txcd_10103001', '100.00', '3.75', 'Seattle'),
      invoice('li_2', 'txcd_92010001', '5.00', '0.51', 'Washington'),
    )
    expect(readStripe(file, OPTIONS).sales).toEqual([
      {
        external_id: 'in_1',
        currency: 'USD',
        transaction_date: '2026-03-31',
        customer: { address: { country: 'US', region: 'WA' } },
        line_items: [
          {
            reference: 'li_1',
            amount: 10_000,
            product_type: 'saas',
            tax_behavior: 'exclusive',
            tax_amount: 1_025,
          },
          {
            reference: 'li_2',
            amount: 500,
            product_type: 'shipping',
            tax_behavior: 'exclusive',
            tax_amount: 51,
          },
        ],
        metadata: { imported_from: 'stripe' },
      },
    ])
  })

  it.each(['10.00', '-10.00'])('becomes a credit note for a refund of %s', (amount) => {
    const tax = amount.replace('10.00', '1.90')
    const row = `re_1,refund,eur,2026-04-02,2026-03-31,li_1,,${amount},${tax},DE,,"eu_vat:DE136695976",Germany`
    expect(readStripe(csv(HEADER, row), OPTIONS).sales[0]).toMatchObject({
      customer: { vat_id: 'DE136695976', type: 'business' },
      credit_note_for: { date: '2026-03-31' },
      line_items: [{ amount: -1_000, tax_amount: -190 }],
    })
  })

  it('is refused if the rows of a line disagree on its price', () => {
    const rows = [invoice('li_1', '', '100.00', '6.50', 'A'), invoice('li_1', '', '60.00', '1.00', 'B')]
    expect(() => readStripe(csv(HEADER, ...rows), OPTIONS)).toThrow('Row 3, subtotal: differs')
  })

  it('is refused if a code is not mapped, unless a type for such codes is given', () => {
    const file = csv(HEADER, invoice('li_1', 'txcd_77777777', '1.00', '0.10', 'A'))
    expect(() => readStripe(file, OPTIONS)).toThrow('Row 2, tax_code: the code txcd_77777777 is not mapped')
    const { sales } = readStripe(file, { ...OPTIONS, product_type: 'physical_goods' })
    expect(sales[0]?.line_items[0]?.product_type).toBe('physical_goods')
  })

  it('is refused if it lacks columns, which it names', () => {
    expect(() => readStripe(csv('id,type'), OPTIONS)).toThrow('lacks the columns line_item_id, currency')
  })
})

describe('line items of TaxJar', () => {
  const HEADER =
    'provider,transaction_id,transaction_type,transaction_reference_id,transaction_date,to_country,to_zip,' +
    'to_state,to_city,from_country,from_state,from_zip,total_shipping,total_sales_tax,item_product_identifier,' +
    'item_description,item_quantity,item_unit_price,item_discount,item_sales_tax,item_product_tax_code'
  const order = 'api,7,Order,,2026-05-01T00:00:00Z,US,90002,CA,Los Angeles,US,CA,94025,10.00,3.10'

  it('become sales: quantity times price, and what the lines leave is the tax of shipping', () => {
    const file = csv(
      HEADER,
      `${order},sku-1,A shirt,3,5.555,1.00,1.50,20010`,
      `${order},sku-2,A book,1,9.99,,0.95,81100`,
    )
    expect(readTaxJar(file, OPTIONS).sales).toEqual([
      {
        external_id: '7',
        currency: 'USD',
        transaction_date: '2026-05-01',
        customer: { address: { country: 'US', region: 'CA', city: 'Los Angeles', postal_code: '90002' } },
        ship_from: { country: 'US', region: 'CA', postal_code: '94025' },
        line_items: [
          {
            reference: 'sku-1',
            amount: 1_667,
            quantity: 3,
            product_type: 'clothing',
            description: 'A shirt',
            discount: 100,
            tax_behavior: 'exclusive',
            tax_amount: 150,
          },
          {
            reference: 'sku-2',
            amount: 999,
            quantity: 1,
            product_type: 'books',
            description: 'A book',
            tax_behavior: 'exclusive',
            tax_amount: 95,
          },
        ],
        shipping_cost: { amount: 1_000, tax_behavior: 'exclusive', tax_amount: 65 },
        metadata: { imported_from: 'taxjar' },
      },
    ])
  })

  it('become a credit note that names its order, for a refund', () => {
    const row = 'api,8,Refund,7,2026-05-09,US,90002,CA,,,,,0,-1.50,sku-1,A shirt,1,-16.67,,-1.50,20010'
    expect(readTaxJar(csv(HEADER, row), OPTIONS).sales[0]).toMatchObject({
      external_id: '8',
      credit_note_for: { external_id: '7' },
      line_items: [{ amount: -1_667, tax_amount: -150 }],
    })
  })

  it('are refused if the tax of the order is not that of its lines', () => {
    const row = order.replace('10.00,3.10', '0,9.00')
    const file = csv(HEADER, `${row},sku-1,A shirt,1,5.00,,0.50,`)
    expect(() => readTaxJar(file, OPTIONS)).toThrow('Row 2, total_sales_tax')
  })
})

describe('the orders template of TaxJar', () => {
  const HEADER =
    'provider,order_id,transaction_type,transaction_reference_id,completed_at,shiptocity,shiptostate,shiptozip,' +
    'shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type'

  it('becomes a sale of one line for each order', () => {
    const file = csv(HEADER, 'web,o-1,Order,,2026-05-01,Austin,TX,78701,US,5.00,105.00,8.66,')
    expect(readTaxJar(file, OPTIONS).sales).toEqual([
      {
        external_id: 'o-1',
        currency: 'USD',
        transaction_date: '2026-05-01',
        customer: { address: { country: 'US', region: 'TX', city: 'Austin', postal_code: '78701' } },
        line_items: [
          { amount: 10_000, product_type: 'physical_goods', tax_behavior: 'exclusive', tax_amount: 866 },
        ],
        shipping_cost: { amount: 500, tax_behavior: 'exclusive', tax_amount: 0 },
        metadata: { imported_from: 'taxjar' },
      },
    ])
  })

  it('becomes a credit note for a refund, and keeps why no tax was charged', () => {
    const { sales } = readTaxJar(
      csv(
        HEADER,
        'web,o-2,Order,,2026-05-02,,TX,78701,US,,50.00,0,wholesale',
        'amazon,o-3,Order,,2026-05-02,,TX,78701,US,,20.00,0,marketplace',
        'web,r-1,Refund,o-2,2026-05-03,,TX,78701,US,,-50.00,0,wholesale',
      ),
      OPTIONS,
    )
    const exemption = { exemption_type: 'resale', jurisdictions: ['US-TX'] }
    expect(sales[0]?.line_items).toMatchObject([{ amount: 5_000, exemption }])
    expect(sales[1]?.marketplace).toEqual({ role: 'facilitated' })
    expect(sales[2]).toMatchObject({
      credit_note_for: { external_id: 'o-2' },
      line_items: [{ amount: -5_000 }],
    })
  })

  it('is refused if an order is there twice', () => {
    const row = 'web,o-1,Order,,2026-05-01,Austin,TX,78701,US,5.00,105.00,8.66,'
    expect(() => readTaxJar(csv(HEADER, row, row), OPTIONS)).toThrow('Row 3, order_id: is already in row 2')
  })
})

describe('a file from Europe', () => {
  const HEADER =
    '\uFEFFid;type;currency;transaction_date;line_item_id;tax_code;subtotal;tax_amount;' +
    'destination_resolved_address_country'
  const row = (day: string, amount: string) => `in_1;invoice;eur;${day};li_1;txcd_10103001;${amount};19,00;DE`
  const format = { ...PLAIN, decimal_comma: true }

  it('has semicolons, decimal commas, points between thousands, and days with points', () => {
    const file = csv(HEADER, row('31.03.2026', '1.100,00'))
    expect(readStripe(file, { ...OPTIONS, format }).sales).toMatchObject([
      { transaction_date: '2026-03-31', line_items: [{ amount: 110_000, tax_amount: 1_900 }] },
    ])
  })

  it('is refused without the option, and if a number has a decimal point after all', () => {
    expect(() => readStripe(csv(HEADER, row('31.03.2026', '100,00')), OPTIONS)).toThrow('--decimal-comma')
    expect(() => readStripe(csv(HEADER, row('31.03.2026', '100.00')), { ...OPTIONS, format })).toThrow(
      'is not a number with a decimal comma',
    )
  })

  it('names the cause if commas divide both cells and decimals', () => {
    const file = csv(HEADER.slice(1).replaceAll(';', ','), row('31.03.2026', '100,00').replaceAll(';', ','))
    expect(() => readStripe(file, OPTIONS)).toThrow(/^Row 2: Too many fields.*separated by semicolons/)
  })
})

describe('a day of three numbers', () => {
  it.each([
    ['03/04/2026', null, '2026-03-04'],
    ['03/04/2026', 'dmy', '2026-04-03'],
    ['03.04.2026', 'dmy', '2026-04-03'],
    ['31.3.2026', null, '2026-03-31'],
    ['04.04.2026', null, '2026-04-04'],
    ['2026-03-04', 'dmy', '2026-03-04'],
  ] as const)('%s with the order %s is %s', (text, order, day) => {
    expect(isoDay(text, order)).toBe(day)
  })

  it('is refused if it can be two days, or none', () => {
    expect(() => isoDay('03.04.2026', null)).toThrow('can be two days: give --dates')
    expect(() => isoDay('31/03/2026', null)).toThrow('is no day. If the day is first, give --dates dmy')
    for (const [none, order] of [
      ['31/02/2026', null],
      ['31.02.2026', null],
      ['31.02.2026', 'dmy'],
    ] as const)
      expect(() => isoDay(none, order)).toThrow(/is no day$/)
    expect(() => datesOf('ymd')).toThrow('--dates must be')
  })
})

describe('a file of another layout', () => {
  const codes = (...rows: string[]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'codes-')), 'codes.csv')
    writeFileSync(file, csv(...rows))
    return file
  }

  it('is read with the names of its columns, and with the codes of the shop', () => {
    const file = csv(
      'Order,Kind,currency,Date,line_item_id,Code,subtotal,tax_amount,destination_resolved_address_country',
      'o-1,invoice,eur,2026-03-31,1,SHIRT,10.00,1.90,DE',
    )
    const columns = columnsOf('id=Order, type=Kind, transaction_date=Date, tax_code=Code')
    const map = mapOf(codes('code,product_type', 'SHIRT,clothing'))
    expect(readStripe(file, { ...OPTIONS, map, format: { ...PLAIN, columns } }).sales).toMatchObject([
      { external_id: 'o-1', line_items: [{ product_type: 'clothing' }] },
    ])
    expect(() => readStripe(file, { ...OPTIONS, format: { ...PLAIN, columns } })).toThrow('give --map')
    expect(() => readStripe(file, OPTIONS)).toThrow('give --columns')
  })

  it('is refused if a map names no product type of ours, or a column has no name', () => {
    expect(() => mapOf(codes('SHIRT,shirt'))).toThrow('row 1: "shirt" is not a product type')
    expect(() => columnsOf('id=')).toThrow('"id=" is not "name=name in the file"')
  })
})

it('a document with a row that cannot be read is left out with its row, and the others are read', () => {
  const file = csv(
    'id,type,currency,transaction_date,line_item_id,tax_code,subtotal,tax_amount,' +
      'destination_resolved_address_country',
    'in_1,invoice,eur,2026-03-31,li_1,txcd_10103001,10.00,1.90,DE',
    'in_2,invoice,eur,2026-03-31,li_1,txcd_10103001,10.00,1.90,DE',
    'in_2,invoice,eur,2026-03-31,li_2,txcd_10103001,ten,1.90,DE',
    'in_3,invoice,eur,2026-03-31,li_1,txcd_10103001,10.00,1.90,DE,too,many',
    'in_4,invoice,eur,2026-03-31,li_1,txcd_10103001,10.00,1.90,DE',
  )
  const { sales, bad } = readStripe(file, { ...OPTIONS, skip_bad_rows: true })
  expect(sales.map(({ external_id }) => external_id)).toEqual(['in_1', 'in_4'])
  expect(bad.map(({ reason }) => reason)).toEqual([
    'Row 4, subtotal: "ten" is not a decimal number',
    expect.stringMatching(/^Row 5: Too many fields/),
  ])
  expect(() => readStripe(file, OPTIONS)).toThrow('Row 4, subtotal')
})

describe('transactions of AvaTax', () => {
  const HEADER =
    'ProcessCode,DocCode,DocType,DocDate,LineNo,TaxCode,TaxDate,Description,Qty,Amount,Discount,DestCity,' +
    'DestRegion,DestPostalCode,DestCountry,CurrencyCode,TaxIncluded,TotalTax,StateTax,CityTax,ReferenceCode'

  it('become sales and credit notes, without orders, purchases and void documents', () => {
    const file = csv(
      HEADER,
      '1,INV-1,1,03/31/2026,1,P0000000,,A chair,2,200.00,,Seattle,WA,98101,US,USD,FALSE,20.70,,,',
      '1,INV-1,1,03/31/2026,2,FR020100,,,1,10.00,,Seattle,WA,98101,US,USD,FALSE,,0.65,0.39,',
      '1,RET-1,5,2026-04-05,1,P0000000,2026-03-31,A chair,1,-100.00,,Seattle,WA,98101,US,USD,FALSE,-10.35,,,INV-1',
      '0,INV-2,1,2026-04-05,1,P0000000,,,1,1.00,,,WA,98101,US,USD,,0,,,',
      '3,ORD-1,0,2026-04-05,1,P0000000,,,1,1.00,,,WA,98101,US,USD,,0,,,',
    )
    const { sales, skipped } = readAvalara(file, OPTIONS)
    expect(
      sales.map(({ external_id, line_items }) => [external_id, line_items.map((line) => line.tax_amount)]),
    ).toEqual([
      ['INV-1', [2_070, 104]],
      ['RET-1', [-1_035]],
    ])
    expect(sales[0]).toMatchObject({
      transaction_date: '2026-03-31',
      customer: { address: { country: 'US', region: 'WA', city: 'Seattle', postal_code: '98101' } },
      line_items: [
        { amount: 20_000, quantity: 2, product_type: 'physical_goods' },
        { product_type: 'shipping' },
      ],
    })
    expect(sales[1]?.credit_note_for).toEqual({ external_id: 'INV-1' })
    expect(skipped).toEqual([
      { row: 5, reason: 'the document is void' },
      { row: 6, reason: 'DocType 0 is no invoice for a sale' },
    ])
  })

  it.each([
    ['a discount, which cannot be read', '100.00,5.00', '9.00', 'Row 2, Discount'],
    ['no tax', '100.00,', '', 'Row 2, TotalTax: is empty'],
    ['a word as amount', 'many,', '9.00', 'Row 2, amount: "many" is not a decimal number'],
  ])('are refused with %s', (_, amounts, tax, message) => {
    const row = `1,INV-1,1,2026-04-05,1,P0000000,,,1,${amounts},,WA,98101,US,USD,,${tax},,,`
    expect(() => readAvalara(csv(HEADER, row), OPTIONS)).toThrow(message)
  })
})

describe('the date of a row', () => {
  it.each([
    ['2026-06-30T23:30:00Z', '2026-06-30T23:30:00.000Z'],
    ['2026-06-30 23:30:00+02:00', '2026-06-30T21:30:00.000Z'],
    ['2026-06-30 23:30:00', '2026-06-30'],
    ['2026-06-30T00:00:00Z', '2026-06-30'],
    ['06/30/2026', '2026-06-30'],
  ])('%s is recorded as %s', (text, recorded) => {
    expect(dateOfText(text)).toBe(recorded)
  })
})

describe('control totals', () => {
  const line = { product_type: 'saas', tax_behavior: 'exclusive' as const }
  const sold = (transaction_date: string, more: Partial<ImportedSale>): ImportedSale => ({
    external_id: 'a',
    currency: 'EUR',
    transaction_date,
    customer: { address: { country: 'DE' } },
    line_items: [],
    metadata: { imported_from: 'stripe' },
    ...more,
  })

  it('add up net and tax by currency and month, in the days of the account', () => {
    const sales = [
      sold('2026-06-30T23:30:00.000Z', {
        line_items: [{ ...line, amount: 11_900, tax_behavior: 'inclusive', tax_amount: 1_900 }],
      }),
      sold('2026-07-02', {
        line_items: [{ ...line, amount: -1_000, discount: 100, tax_amount: -190 }],
        shipping_cost: { amount: 500, tax_behavior: 'exclusive', tax_amount: 95 },
      }),
      sold('2026-06-01', { currency: 'JPY', line_items: [{ ...line, amount: 500, tax_amount: 50 }] }),
    ]
    const totals = controlTotals(sales, 'Europe/Berlin')
    expect(totals).toEqual([
      { currency: 'JPY', month: '2026-06', documents: 1, net: 500, tax: 50 },
      { currency: 'EUR', month: '2026-07', documents: 2, net: 9_400, tax: 1_805 },
    ])
    expect(controlTotals(sales, 'UTC')[0]).toMatchObject({ month: '2026-06', net: 10_000 })
  })
})

describe('sending', () => {
  const sale = (external_id: string, lines = 1): ImportedSale => ({
    external_id,
    currency: 'USD',
    transaction_date: '2026-01-01',
    customer: { address: { country: 'US', region: 'WA' } },
    line_items: Array.from({ length: lines }, () => ({
      amount: 1,
      product_type: 'saas',
      tax_behavior: 'exclusive' as const,
      tax_amount: 0,
    })),
    metadata: { imported_from: 'stripe' },
  })
  let close = () => {}
  afterEach(() => close())

  /** A service that answers the given statuses first, and takes all but `taken` and `wrong` then. */
  async function serve(statuses: number[]): Promise<{ url: string; batches: number[]; ids: string[] }> {
    const batches: number[] = []
    const ids: string[] = []
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const { transactions } = (await json(request)) as { transactions: ImportedSale[] }
      const status = statuses.shift() ?? 200
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
      if (status === 200) {
        batches.push(transactions.length)
        ids.push(...transactions.map(({ external_id }) => external_id))
      }
      const results = transactions.map(({ external_id }) =>
        external_id === 'taken'
          ? { success: false, error: { reason: 'external_id_taken' } }
          : external_id === 'wrong'
            ? { success: false, error: { reason: 'x', errors: [{ path: 'currency', message: 'is wrong' }] } }
            : { success: true },
      )
      response.end(JSON.stringify({ results }))
    }
    const server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => void server.close()
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has a port')
    return { url: `http://127.0.0.1:${address.port}`, batches, ids }
  }

  it('counts what is recorded, on file already and refused', async () => {
    const { url } = await serve([])
    const sent = await send([sale('a'), sale('taken'), sale('wrong')], { url, key: 'k' })
    expect(sent).toEqual({
      recorded: 1,
      present: 1,
      refused: [{ id: 'wrong', reason: 'currency is wrong' }],
    })
  })

  it('records sales before the credit notes that name them, in a request of their own', async () => {
    const { url, batches, ids } = await serve([])
    const note = { ...sale('note'), credit_note_for: { external_id: 'sold' } }
    await send([note, sale('sold')], { url, key: 'k' })
    expect(batches).toEqual([1, 1])
    expect(ids).toEqual(['sold', 'note'])
  })

  it('keeps to 50 sales and 2,000 lines a request', async () => {
    const { url, batches } = await serve([])
    const many = Array.from({ length: 60 }, (_, index) => sale(`s${index}`))
    await send([...many, ...Array.from({ length: 5 }, (_, index) => sale(`l${index}`, 500))], {
      url,
      key: 'k',
    })
    expect(batches).toEqual([50, 13, 2])
  })

  it('waits if the service asks it to, and stops at any other error', async () => {
    const { url } = await serve([429])
    expect((await send([sale('a')], { url, key: 'k' })).recorded).toBe(1)
    close()
    const failing = await serve([500])
    await expect(send([sale('a')], { url: failing.url, key: 'k' })).rejects.toThrow('answered 500')
  })
})
