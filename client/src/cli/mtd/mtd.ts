import { ApiError } from '../../api-error.ts'
import type { TaxClient } from '../../client.ts'
import type { Fetch } from '../../retrying-fetch.ts'
import type { ReturnAnswer } from '../../schema.ts'
import type { Environment } from '../environment.ts'
import { UsageError } from '../usage-error.ts'
import { thisDevice } from './device.ts'
import { fraudHeaders } from './fraud-headers.ts'
import {
  type Business,
  type Days,
  LIVE,
  type Obligation,
  readObligations,
  type Receipt,
  SANDBOX,
  submitReturn,
} from './hmrc.ts'
import { tokenOf } from './sign-in.ts'

/** What is asked of HMRC. `declared`: the user declares that the return is true and complete. */
export type MtdQuestion = {
  vrn: string | null
  sandbox: boolean
  json: boolean
  url: string | null
} & (
  | { verb: 'obligations'; days: Days }
  | { verb: 'submit'; return_id: string; declared: boolean; amends_apart: boolean }
)

/** How the command reaches the outside. `now` is read for each request. */
export type MtdSurroundings = {
  tax: () => TaxClient
  env: Environment
  fetch: Fetch
  out: (text: string) => void
  error: (text: string) => void
  now: () => Date
}

/** What HMRC has software for businesses show before a return is sent, in its own words. */
const DECLARATION =
  'When you submit this VAT information you are making a legal declaration that the information is true ' +
  'and complete. A false declaration can result in prosecution.'

/** Asks HMRC for obligations, or submits a return of the service and keeps the receipt with it. */
export async function runMtd(question: MtdQuestion, around: MtdSurroundings): Promise<0 | 1> {
  if (question.verb === 'submit') return submit(question, around)
  const business = await businessOf(question, around)
  const obligations = await readObligations(business, question.days)
  around.out(question.json ? JSON.stringify(obligations, null, 2) : obligationsText(obligations))
  return 0
}

async function businessOf({ vrn, sandbox }: MtdQuestion, around: MtdSurroundings): Promise<Business> {
  const { env, fetch, error, now } = around
  const [, number] = /^(?:GB)?(\d{9})$/.exec((vrn ?? env['HMRC_VRN'] ?? '').replaceAll(/\s/g, '')) ?? []
  if (number === undefined)
    throw new UsageError('--vrn is missing: give the VAT registration number of 9 digits')
  const hosts = sandbox ? SANDBOX : LIVE
  const product = env['HMRC_PRODUCT_NAME'] ?? 'tax-compliance'
  return {
    api: hosts.api,
    vrn: number,
    token: await tokenOf({ hosts, env, fetch, told: error }),
    fetch,
    headers: () => fraudHeaders(thisDevice(env, now()), product, now()),
  }
}

type Submission = MtdQuestion & { verb: 'submit' }

async function submit(question: Submission, around: MtdSurroundings): Promise<0 | 1> {
  const tax = around.tax()
  const filed = await tax.returns.get(question.return_id)
  refuseUnready(filed)
  const business = await businessOf(question, around)
  const { periodKey: period_key } = obligationOf(filed, await readObligations(business, null))
  const { text } = await tax.returns.file(question.return_id, {
    format: 'hmrc_mtd_json',
    period_key,
    finalised: 'true',
    ...(question.amends_apart && { amends_apart: 'true' }),
  })
  if (!question.declared) {
    around.out(`${text}\n${DECLARATION}\nNothing was sent. To send it, run the command again with --declare`)
    return 0
  }
  const receipt = await submitReturn(business, text)
  around.out(question.json ? JSON.stringify(receipt, null, 2) : receiptText(receipt))
  return keep(tax, filed, receipt, around.error)
}

/** Refuses what HMRC has already, and what the service would not keep as filed afterwards. */
function refuseUnready({ id, type, status, submission }: ReturnAnswer): void {
  if (type !== 'uk_vat100') throw new UsageError(`${id} is a return ${type}: HMRC takes uk_vat100`)
  if (status !== 'filed') throw new UsageError(`${id} is an old version: submit the one that replaced it`)
  if (submission.state === 'paid' || submission.number !== null)
    throw new UsageError(`${id} is at HMRC already: ${submission.number ?? submission.state}`)
  if (submission.state === 'open') throw new UsageError(`${id} is open: record first that it was reviewed`)
}

/** The open obligation with the days of the return. */
function obligationOf({ from_date, to_date }: ReturnAnswer, open: readonly Obligation[]): Obligation {
  const found = open.find(({ start, end }) => start === from_date && end === to_date)
  if (found !== undefined) return found
  throw new Error(
    `HMRC expects no return for ${from_date} to ${to_date}. Open are:\n${obligationsText(open)}`,
  )
}

/** Keeps the receipt with the return. If that fails, HMRC has the return all the same. */
async function keep(
  tax: TaxClient,
  { id, submission }: ReturnAnswer,
  receipt: Receipt,
  error: (text: string) => void,
): Promise<0 | 1> {
  const { formBundleNumber: number, processingDate } = receipt
  const note = [submission.note, receiptText(receipt)].filter(Boolean).join('\n').slice(0, NOTE_MAX)
  try {
    await tax.returns.submit(id, { state: 'filed', number, day: processingDate.slice(0, 10), note })
    return 0
  } catch (thrown) {
    const reason = thrown instanceof ApiError || thrown instanceof Error ? thrown.message : String(thrown)
    error(`HMRC has the return, but the receipt is not kept with ${id}: ${reason}. Keep it by hand`)
    return 1
  }
}

/** The longest note of a return. */
const NOTE_MAX = 1_000

const PAYMENTS: Readonly<Record<string, string>> = {
  DD: 'direct debit',
  BANK: 'to the bank account that HMRC has',
}

function receiptText({ formBundleNumber, processingDate, paymentIndicator, ...more }: Receipt): string {
  return [
    `HMRC has the return: form bundle ${formBundleNumber}, received ${processingDate}`,
    ...(more.receipt_id === null ? [] : [`receipt ${more.receipt_id}`]),
    ...(more.chargeRefNumber === undefined ? [] : [`charge ${more.chargeRefNumber}`]),
    ...(paymentIndicator === undefined ? [] : [`payment ${PAYMENTS[paymentIndicator] ?? paymentIndicator}`]),
  ].join(', ')
}

function obligationsText(obligations: readonly Obligation[]): string {
  if (obligations.length === 0) return 'HMRC expects no return'
  return obligations
    .map(({ periodKey, start, end, due, status, received }) => {
      const state = status === 'O' ? `open, due ${due}` : `received ${received ?? ''}`.trim()
      return `${start} to ${end}  ${periodKey}  ${state}`
    })
    .join('\n')
}
