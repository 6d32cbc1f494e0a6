import type * as z from 'zod'
import type { Context } from '../context.ts'
import { dateOf, PROVIDER } from './document.ts'
import type { DocumentKind } from './document-kinds.ts'
import { listDocuments } from './documents-store.ts'
import { TaxJarError } from './errors.ts'
import type { DocumentsQuery } from './schemas.ts'

const IDS_MAX = 5_000

/** The ids of the documents of a kind within some days. Throws 400 if there are more than 5,000. */
export async function idsOfDocuments(
  context: Context,
  kind: DocumentKind,
  query: z.output<typeof DocumentsQuery>,
): Promise<string[]> {
  const { transaction_date: day, from_transaction_date, to_transaction_date, provider } = query
  const [first, last] = [day ?? from_transaction_date, day ?? to_transaction_date]
  const ids = await listDocuments(
    context,
    { kind, provider: provider ?? PROVIDER },
    {
      from: first ? dateOf(first).slice(0, 10) : '',
      to: last ? `${dateOf(last).slice(0, 10)}T23:59:59.999Z` : '~',
      limit: IDS_MAX + 1,
    },
  )
  if (ids.length <= IDS_MAX) return ids
  throw new TaxJarError(400, `there are more than ${IDS_MAX} ${kind}s: give fewer days`)
}
