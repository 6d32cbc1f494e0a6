import * as z from 'zod'
import { SaleReturn } from '../obligations/schemas.ts'
import { ExplainedTransaction } from '../../sales/transactions/sale/answers.ts'

/** A transaction, the returns that it is in, and with `explain=true` its reason. */
export const ExplainedTransactionAnswer = z.strictObject({
  ...ExplainedTransaction.shape,
  returns: z
    .array(SaleReturn)
    .describe(
      'The returns that the sale and its refunds are in: kept ones, and open ones that would declare ' +
        'them. Those that declare its tax come first. It is empty if no registration of the account ' +
        'files it, or its due dates are not in the data',
    ),
})
