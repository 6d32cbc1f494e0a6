import { feature, route } from '../../platform/http/route.ts'
import { createExampleBooks, deleteExampleBooks } from './example-books.ts'
import { ExampleBooksAdded, ExampleBooksRemoved } from './schemas.ts'

const shared = { tag: 'Account', path: '/v1/account/example-books', scope: '*' } as const

const serves = ['/v1/account/example-books']

export const exampleRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    operation: 'createExampleBooks',
    client: 'account.createExampleBooks',
    summary: 'Fill an empty account for tests with a year of example books',
    description:
      'A seller in Germany with customers, sales, refunds and registrations. Only accounts for tests. ' +
      'No webhook is sent. A second request adds nothing.',
    errors: ['sandbox_only', 'books_not_empty', 'quota_exceeded', 'concurrent_change'],
    status: 201,
    idempotent: true,
    answer: ExampleBooksAdded,
    handle: (context) => createExampleBooks(context),
  }),
  route({
    ...shared,
    method: 'delete',
    operation: 'deleteExampleBooks',
    client: 'account.deleteExampleBooks',
    summary: 'Remove the example books, with their refunds',
    description: 'All else stays. A second request removes nothing. Reopen returns with example sales first.',
    errors: ['sandbox_only', 'period_already_filed', 'transaction_not_replaceable', 'concurrent_change'],
    answer: ExampleBooksRemoved,
    handle: (context) => deleteExampleBooks(context),
  }),
])
