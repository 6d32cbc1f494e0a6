/** Exports of three providers, as the importer reads them. */

const csv = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

/** Euros and yen, a line with two taxes, and a refund in the next month. */
export const STRIPE = csv(
  'id,type,currency,transaction_date,tax_date,line_item_id,tax_code,subtotal,tax_amount,' +
    'destination_resolved_address_country,destination_resolved_address_state,customer_tax_id',
  'in_1,invoice,eur,2026-03-31,2026-03-31,li_1,txcd_10103001,100.00,19.00,DE,,',
  'in_2,invoice,eur,2026-04-01,2026-04-01,li_1,txcd_10103001,33.33,6.67,FR,,',
  'in_3,invoice,jpy,2026-04-02,2026-04-02,li_1,txcd_10103001,5000,500,JP,,',
  'in_4,invoice,usd,2026-04-03,2026-04-03,li_1,txcd_99999999,10.00,0.65,US,WA,',
  'in_4,invoice,usd,2026-04-03,2026-04-03,li_1,txcd_99999999,10.00,0.38,US,WA,',
  're_1,refund,eur,2026-05-02,2026-03-31,li_1,txcd_10103001,40.00,7.60,DE,,',
)

/** Quantities, discounts, the tax of shipping, and a refund that names its order. */
export const TAXJAR = csv(
  'provider,transaction_id,transaction_type,transaction_reference_id,transaction_date,to_country,to_zip,' +
    'to_state,to_city,from_country,from_state,from_zip,total_shipping,total_sales_tax,' +
    'item_product_identifier,item_description,item_quantity,item_unit_price,item_discount,item_sales_tax,' +
    'item_product_tax_code',
  'api,7,Order,,2026-04-01,US,90002,CA,Los Angeles,US,CA,94025,10.00,3.10,a,A shirt,3,5.555,1.00,1.50,20010',
  'api,7,Order,,2026-04-01,US,90002,CA,Los Angeles,US,CA,94025,10.00,3.10,b,A book,1,9.99,,0.95,81100',
  'api,8,Refund,7,2026-05-09,US,90002,CA,,US,CA,94025,0,-0.95,b,A book,1,-9.99,,-0.95,81100',
)

/** Prices with tax inside, a return, and rows that are no sale. */
export const AVALARA = csv(
  'ProcessCode,DocCode,DocType,DocDate,LineNo,TaxCode,TaxDate,Description,Qty,Amount,Discount,DestCity,' +
    'DestRegion,DestPostalCode,DestCountry,CurrencyCode,TaxIncluded,TotalTax,StateTax,CityTax,ReferenceCode',
  '1,INV-1,1,2026-03-31,1,P0000000,,A chair,2,200.00,,Seattle,WA,98101,US,USD,FALSE,20.70,,,',
  '1,INV-2,1,2026-04-30,1,P0000000,,A lamp,1,121.00,,Dublin,,,NL,EUR,TRUE,21.00,,,',
  '1,RET-1,5,2026-05-31,1,P0000000,2026-03-31,A chair,1,-100.00,,Seattle,WA,98101,US,USD,FALSE,-10.35,,,INV-1',
  '0,INV-9,1,2026-04-05,1,P0000000,,,1,77.00,,,WA,98101,US,USD,,7.00,,,',
)
