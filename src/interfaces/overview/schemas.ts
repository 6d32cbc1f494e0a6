import * as z from 'zod'
import { Account } from '../../parties/accounts/schemas.ts'
import { CustomerExemption } from '../../parties/exemptions/schemas.ts'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { NexusExposure } from '../../sales/nexus/schemas.ts'
import { Obligation, TaxSoFar } from '../../returns/obligations/schemas.ts'
import { ListedTransaction } from '../../sales/transactions/sale/answers.ts'
import { ListedWebhook } from '../../notices/subscriptions/schemas.ts'

const MONTHS = ['3', '6', '12', '24'] as const

export const OverviewQuery = z.strictObject({
  months: z
    .enum(MONTHS, `must be one of ${MONTHS.join(', ')}`)
    .transform(Number)
    .optional()
    .describe('The months of `tax_by_month`, this one the last. Left out: 12'),
})
export type OverviewQuery = z.output<typeof OverviewQuery>

export const OverviewPart = z.enum([
  'account',
  'returns',
  'nexus',
  'certificates',
  'webhooks',
  'tax_by_month',
  'transactions',
])
export type OverviewPart = z.output<typeof OverviewPart>

/** A part of the overview that is null, and why. */
export const MissingPart = z.strictObject({
  part: OverviewPart,
  reason: z.string().describe('`missing_scope`, or why the part could not be read'),
  message: z.string(),
})

/** The returns of the account as they are due. Only periods that have ended are owed. */
export const OverviewReturns = z.strictObject({
  overdue: z.int(),
  due: z.int().describe('The period has ended, and the last day has not'),
  open: z.int().describe('The period has not ended'),
  to_file: z.array(TaxSoFar).describe('The tax of the overdue and due returns, by currency'),
  to_file_of: z
    .int()
    .describe(
      'The returns that `to_file` adds up: all that are overdue or due, but at most the first 300, and of ' +
        'those with sales in other currencies or late entries the first 100',
    ),
  first: z
    .array(Obligation)
    .describe('The first 100 that are neither filed nor set aside, by their due dates'),
  from: z.iso.date().describe('The first day on which one can have been due: the begin of the books'),
  to: z.iso.date().describe('The last due date'),
})

export const OverviewNexus = z.strictObject({
  exceeded: z.int(),
  approaching: z
    .int()
    .describe('With those whose threshold of the next year the sales of this one reach, or pass'),
  first: z.array(NexusExposure).describe('The 100 that are closest, or over their threshold'),
})

export const OverviewCertificates = z.strictObject({
  pending: z.int().describe('Those that wait for a review, at most 100'),
  has_more: z.boolean(),
  first: z.array(CustomerExemption),
  ended: z
    .array(CustomerExemption)
    .describe('Those whose last day was in the last 30 days, and that none follows; at most 100'),
  expires_soon: z
    .array(CustomerExemption)
    .describe('Those whose last day is in the next 30 days, and that none follows; at most 100'),
})

export const OverviewWebhooks = z.strictObject({
  total: z.int(),
  disabled: z.int().describe('Those that are not active'),
  failing: z.int().describe('Active ones whose last delivery failed'),
  troubled: z
    .array(ListedWebhook)
    .describe('The first 100 that are disabled or failing, disabled ones first'),
})

/** Tax collected less tax refunded, of one place or group of places in one month and currency. */
export const TaxOfMonth = z.strictObject({
  month: z.string(),
  group: z.string().describe('The name of a law, or of a place if all tax is under one law'),
  currency: z.string(),
  net_tax: Amount,
})

export const OverviewTax = z.strictObject({
  months: z.array(z.string()).describe('All months, also those without sales'),
  rows: z.array(TaxOfMonth),
})

/** What an account needs before it is of use, and whether it is there. Null: the key may not read it. */
export const SetupStep = z.strictObject({
  step: z.enum(['profile', 'registration', 'first_sale', 'webhook']),
  done: z.boolean().nullable(),
})

/** Whether the account can be filled with example books, and whether it is. */
export const OverviewExamples = z.strictObject({ possible: z.boolean(), there: z.boolean() })

export const OverviewAnswer = z.strictObject({
  as_of: z.iso.date().describe('Today in the time zone of the account'),
  account: Account.nullable(),
  currency: z.string().nullable().describe("That of the account's country; null: it is unknown"),
  returns: OverviewReturns.nullable(),
  nexus: OverviewNexus.nullable(),
  certificates: OverviewCertificates.nullable(),
  webhooks: OverviewWebhooks.nullable(),
  tax_by_month: OverviewTax.nullable(),
  transactions: z.array(ListedTransaction).nullable().describe('The latest 5'),
  setup: z.array(SetupStep),
  example_books: OverviewExamples,
  names: z.record(z.string(), z.string()).describe('The names of the jurisdictions in this answer'),
  missing: z.array(MissingPart),
  queried_at: Timestamp,
})
