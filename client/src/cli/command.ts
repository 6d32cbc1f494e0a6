import { ApiError } from '../api-error.ts'
import { createClient, type TaxClient } from '../client.ts'
import { TaxConnectionError } from '../connection-error.ts'
import type { Fetch } from '../retrying-fetch.ts'
import type { CalculateAnswer, FilingType, ProductTypeOrCode } from '../schema.ts'
import { VERSION } from '../version.ts'
import { answerText } from './answer-text.ts'
import { type Question, readArguments, type ReturnsToCheck } from './arguments.ts'
import type { Environment } from './environment.ts'
import { minorUnits } from './money.ts'
import { runMtd } from './mtd/mtd.ts'
import { reconcile, reconcileText } from './reconcile.ts'
import { UsageError } from './usage-error.ts'

const LOCAL = 'http://127.0.0.1:8787'

const HELP = `Asks the Tax Compliance Service. Only mtd submit records something.

calculate: the tax of a sale

  tax-compliance calculate --to FR 19.99 saas
  tax-compliance calculate --from US-NY --registered US-CA --to US-CA --postal-code 94105 49 physical_goods

Give prices with their product types, one after the other.

  --to PLACE            the customer: a country such as FR, or a country and a region, US-CA (required)
  --postal-code CODE    the customer's postal code; --city NAME the city
  --from PLACE          the seller; left out: the seller of your account
  --registered LIST     where that seller is registered, such as DE,oss_union; left out: nowhere
  --currency CODE       the currency of the prices; left out: the currency of the customer's country
  --inclusive           the prices contain the tax

reconcile: whether each sale of your filed days is in exactly one return

  tax-compliance reconcile
  tax-compliance reconcile --type us_state --jurisdiction US-TX

Compares the books with filed returns and late entries, and computes all hashes again.

  --type TYPE           only returns of this form; left out: all, and their chain
  --jurisdiction PLACE  only returns of this jurisdiction

mtd: Making Tax Digital, the United Kingdom's VAT return, with your own application at HMRC

  tax-compliance mtd obligations
  tax-compliance mtd submit ret_… --declare

Submits a filed return to HMRC as it is, and keeps the receipt with it. Without --declare it only shows what
it would send.

  --vrn NUMBER          your VAT registration number; left out: $HMRC_VRN
  --from, --to DAY      obligations of these days, also fulfilled ones; left out: all open ones
  --declare             you declare that the return is true and complete
  --amends-apart        HMRC gets late entries apart, by form VAT652
  --sandbox             HMRC's place for tests

$HMRC_CLIENT_ID and $HMRC_CLIENT_SECRET are those of your application. You sign in at HMRC with a browser;
$HMRC_ACCESS_TOKEN in their place needs none. $HMRC_PRODUCT_NAME is the name that you gave to HMRC.

For all:

  --json                print the answer of the service as JSON
  --url URL             the service; left out: $TAX_API_URL or ${LOCAL}
  --help                print this text; --version the version of this command

The key is read from $TAX_API_KEY. It needs the scope tax:read, or reports:read to reconcile and to submit,
and reports:write to keep a receipt.
Exit codes: 0 done, 1 the service refused or did not answer, or a return differs, 2 the command was wrong.`

/** The surroundings of the command: where it prints, and how it reaches the service. */
export type Surroundings = {
  out: (text: string) => void
  error: (text: string) => void
  fetch: Fetch
}

/** Runs the command, and returns its exit code. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  { out, error, fetch }: Surroundings,
): Promise<0 | 1 | 2> {
  try {
    const command = readArguments(args)
    if (command.name === 'reconcile')
      return await checkReturns(clientOf(command.returns, env, fetch), command.returns, out)
    if (command.name === 'mtd') {
      const tax = () => clientOf(command.mtd, env, fetch)
      return await runMtd(command.mtd, { tax, env, fetch, out, error, now: () => new Date() })
    }
    if (command.name === 'calculate') {
      const { question } = command
      const answer = await ask(clientOf(question, env, fetch), question)
      out(question.json ? JSON.stringify(answer, null, 2) : answerText(answer))
      return 0
    }
    out(command.name === 'version' ? VERSION : HELP)
    return 0
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      error(`${thrown.message}\nSee tax-compliance --help`)
      return 2
    }
    error(faultText(thrown))
    return 1
  }
}

function clientOf({ url }: { url: string | null }, env: Environment, fetch: Fetch): TaxClient {
  const { TAX_API_KEY: apiKey = '', TAX_API_URL = LOCAL } = env
  if (apiKey === '') throw new UsageError('TAX_API_KEY is not set: put an API key of the service into it')
  const baseUrl = url ?? TAX_API_URL
  if (!URL.canParse(baseUrl)) throw new UsageError(`--url ${baseUrl}: give an address such as ${LOCAL}`)
  return createClient({ baseUrl, apiKey, fetch, retries: 1 })
}

async function checkReturns(
  tax: TaxClient,
  { type, jurisdiction_id, json }: ReturnsToCheck,
  out: (text: string) => void,
): Promise<0 | 1> {
  const checked = await reconcile(tax, {
    // The service checks the word.
    ...(type !== null && { type: type as FilingType }),
    ...(jurisdiction_id !== null && { jurisdiction_id }),
  })
  out(json ? JSON.stringify(checked, null, 2) : reconcileText(checked))
  return checked.faults.length === 0 && checked.returns.every(({ faults }) => faults.length === 0) ? 0 : 1
}

async function ask(tax: TaxClient, question: Question): Promise<CalculateAnswer> {
  const { to, seller, items, inclusive } = question
  const currency = question.currency ?? (await currencyOf(tax, to.country))
  return tax.calculate({
    currency,
    customer: { address: to },
    ...(seller !== null && { seller }),
    ...(inclusive && { tax_behavior: 'inclusive' as const }),
    line_items: items.map(({ price, product_type }) => ({
      amount: minorUnits(price, currency),
      // The service checks the word, and names the nearest product type.
      product_type: product_type as ProductTypeOrCode,
    })),
  })
}

async function currencyOf(tax: TaxClient, country: string): Promise<string> {
  try {
    return (await tax.metadata.jurisdiction(country)).currency
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw new UsageError(`--currency is missing: the service knows no currency of ${country}`)
    throw error
  }
}

function faultText(thrown: unknown): string {
  if (thrown instanceof ApiError) {
    const fields = thrown.errors.map(({ path, message }) => `  ${path}: ${message}`)
    const quoted = thrown.request_id === null ? '' : ` (${thrown.request_id})`
    return [`${thrown.message}${quoted}`, ...(fields.length > 1 ? fields : [])].join('\n')
  }
  if (thrown instanceof TaxConnectionError) return `${thrown.message}. Does --url name the service?`
  return thrown instanceof Error ? thrown.message : String(thrown)
}
