import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { hasExamples } from '../example-books/example-books.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { allows } from '../../platform/http/scopes.ts'
import type { OverviewAnswer, OverviewExamples, SetupStep } from './schemas.ts'

/** Whether the key may fill the account with example books, and whether they are there. */
export async function examplesOf(context: Context): Promise<Answer<typeof OverviewExamples>> {
  const { sandbox, scopes } = context.principal
  const possible = sandbox && allows(scopes, '*')
  if (!possible) return { possible, there: false }
  try {
    return { possible, there: await hasExamples(context) }
  } catch (thrown) {
    // Nothing is offered that may not work, and the rest of the overview stands.
    logFault({ account_id: context.principal.account_id, step: 'look for example books' }, thrown)
    return { possible: false, there: false }
  }
}

/** The steps that make an account useful, and which of them are done; null: the key may not read it. */
export function setupOf(
  { principal }: Context,
  { webhooks, transactions }: Pick<Answer<typeof OverviewAnswer>, 'webhooks' | 'transactions'>,
): Answer<typeof SetupStep>[] {
  return [
    { step: 'profile', done: principal.seller !== null },
    { step: 'registration', done: principal.registrations.length > 0 },
    { step: 'first_sale', done: transactions === null ? null : transactions.length > 0 },
    { step: 'webhook', done: webhooks === null ? null : webhooks.total > 0 },
  ]
}
