import * as z from 'zod'
import { FilingQuery } from '../forms/queries.ts'

export const DOCUMENT_FORMATS = [
  'csv',
  'bzst_oss_csv',
  'oss_xml',
  'hmrc_mtd_json',
  'ec_sales_list',
  'de_zm_csv',
  'saft_lines_csv',
  'datev_csv',
  'cz_oss_xml',
  'sst_ser_xml',
] as const

export const FileFormatName = z.enum(DOCUMENT_FORMATS)

const Pence = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be whole pence')
  .transform(Number)
  .refine(Number.isSafeInteger, 'is too large')
  .meta({ type: 'string' })

const digits = (pattern: RegExp, message: string) => z.string().regex(pattern, message)

/** What a return does not know and a file needs. */
const DETAILS = {
  period_key: digits(/^[0-9A-Za-z#]{4}$/, 'must be the four characters that HMRC gave to the period')
    .optional()
    .describe('For `hmrc_mtd_json`: the key of the obligation'),
  box_2: Pence.optional().describe('For `hmrc_mtd_json`: VAT due on acquisitions, in pence'),
  box_4: Pence.optional().describe('For `hmrc_mtd_json`: VAT reclaimed, in pence'),
  box_7: Pence.optional().describe('For `hmrc_mtd_json`: purchases without VAT, in pence'),
  box_9: Pence.optional().describe('For `hmrc_mtd_json`: acquisitions without VAT, in pence'),
  finalised: z
    .enum(['true'])
    .optional()
    .describe('For `hmrc_mtd_json`: the declaration that the return is final'),
  amends_apart: z
    .enum(['true'])
    .optional()
    .describe(
      'For `hmrc_mtd_json` and `sst_ser_xml`: the tax office gets the late entries in `amendments` apart',
    ),
  consultant: digits(/^[1-9]\d{3,6}$/, 'must be a number of 4 to 7 digits')
    .optional()
    .describe('For `datev_csv`: the number of the tax consultant'),
  client: digits(/^[1-9]\d{0,4}$/, 'must be a number of 1 to 5 digits')
    .optional()
    .describe('For `datev_csv`: the number of the client'),
  chart: z.enum(['skr03', 'skr04']).optional().describe('For `datev_csv`: the chart of accounts'),
  debtor_account: digits(/^[1-9]\d{4}$/, 'must be a number of 5 digits')
    .optional()
    .describe('For `datev_csv`: the account of all customers'),
  sst_id: digits(/^S\d{8}$/, 'must be S and 8 digits')
    .optional()
    .describe('For `sst_ser_xml`: the number of the central registration. Default: the number of the state'),
  tin: digits(/^\d{9}$/, 'must be a number of 9 digits')
    .optional()
    .describe('For `sst_ser_xml`: the federal number of the seller (EIN)'),
  tin_type: z
    .enum(['FEIN', 'SSN', 'Foreign'])
    .optional()
    .describe('For `sst_ser_xml`: what `tin` is. Left out: `FEIN`'),
  transmission: digits(/^\d{5}[0-9A-Za-z]{6}$/, 'must be year, day of the year and 6 letters or digits')
    .optional()
    .describe('For `sst_ser_xml`: two digits of the year, three of the day in it, and your own number'),
  sold_from: z
    .enum(['in_state', 'out_of_state'])
    .optional()
    .describe('For `sst_ser_xml`: where sales without a `ship_from` leave'),
}

export const ReturnFileQuery = z.strictObject({
  format: FileFormatName.optional().describe('The layout of the file. Left out: `csv`'),
  ...DETAILS,
})

export const FilingFileQuery = z.strictObject({ ...FilingQuery.shape, ...ReturnFileQuery.shape })

export type DocumentDetails = Omit<z.output<typeof ReturnFileQuery>, 'format'>

const money = z.number().multipleOf(0.01)
const pounds = z.int()

/** The body of HMRC's `POST /organisations/vat/{vrn}/returns`. */
export const HmrcVatReturn = z.strictObject({
  periodKey: z.string().length(4),
  vatDueSales: money,
  vatDueAcquisitions: money,
  totalVatDue: money,
  vatReclaimedCurrPeriod: money,
  netVatDue: money,
  totalValueSalesExVAT: pounds,
  totalValuePurchasesExVAT: pounds,
  totalValueGoodsSuppliedExVAT: pounds,
  totalAcquisitionsExVAT: pounds,
  finalised: z.literal(true),
})

/** RFC 4180, in UTF-8. */
export const CsvFile = z.string()

/** A return of the one-stop shop as an XML document. */
export const OssXml = z.string()
