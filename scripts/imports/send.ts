import type { ImportedSale } from './sale.ts'

/** The most transactions, and the most lines, of one request. */
const BATCH_MAX = 50
const LINES_MAX = 2_000

type Service = { url: string; key: string }

/** What became of the sales: `refused` has the id and the reason of each. */
export type Sent = { recorded: number; present: number; refused: { id: string; reason: string }[] }

/**
 * Records sales in batches. A sale whose id is on file already is left alone, so a command that was stopped
 * can be run again. Throws if the service refuses a whole batch.
 */
export async function send(sales: readonly ImportedSale[], service: Service): Promise<Sent> {
  return sendBatches(sales, (batch) => post(batch, service))
}

/** The same through a function that sends a batch. `told` is called with the counts after each batch. */
export async function sendBatches(
  sales: readonly ImportedSale[],
  sendBatch: (batch: readonly ImportedSale[]) => Promise<readonly Result[]>,
  told: (sent: Sent) => void = () => {},
): Promise<Sent> {
  const sent: Sent = { recorded: 0, present: 0, refused: [] }
  // A credit note is refused until its sale is on file.
  for (const notes of [false, true]) {
    const pass = sales.filter(({ credit_note_for }) => (credit_note_for !== undefined) === notes)
    for (const batch of batchesOf(pass)) {
      addResults(sent, batch, await sendBatch(batch))
      told(sent)
    }
  }
  return sent
}

function addResults(sent: Sent, batch: readonly ImportedSale[], results: readonly Result[]): void {
  for (const [index, sale] of batch.entries()) {
    const { success, error } = results[index] ?? { success: false }
    if (success) sent.recorded += 1
    else if (error?.reason === 'external_id_taken') sent.present += 1
    else sent.refused.push({ id: sale.external_id, reason: reasonOf(error) })
  }
}

/** Whether a sale is in the books, or null if the key may not read them. Throws for any other answer. */
export async function isInBooks(external_id: string, { url, key }: Service): Promise<boolean | null> {
  const path = `/v1/transactions/external/${encodeURIComponent(external_id)}`
  const response = await patiently(() =>
    fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } }),
  )
  if (response.ok) return true
  if (response.status === 404) return false
  if (response.status === 403) return null
  throw new Error(`The service answered ${response.status}: ${await response.text()}`)
}

/** The time zone of the account, in which a moment has its month; null: the key may not read it. */
export async function readZone({ url, key }: Service): Promise<string | null> {
  const response = await fetch(new URL('/v1/account', url), { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) return null
  const { time_zone } = (await response.json()) as { time_zone?: string }
  return time_zone ?? null
}

function* batchesOf(sales: readonly ImportedSale[]): Generator<ImportedSale[]> {
  let batch: ImportedSale[] = []
  let lines = 0
  for (const sale of sales) {
    const full = batch.length === BATCH_MAX || lines + sale.line_items.length > LINES_MAX
    if (full && batch.length > 0) {
      yield batch
      batch = []
      lines = 0
    }
    batch.push(sale)
    lines += sale.line_items.length
  }
  if (batch.length > 0) yield batch
}

type ErrorOfResult = { reason?: string; message?: string; errors?: { path: string; message: string }[] }
/** What became of a sale of a batch, as `POST /v1/transactions/batch` answers it. */
export type Result = { success: boolean; error?: ErrorOfResult }

function reasonOf(error: ErrorOfResult | undefined): string {
  const [first] = error?.errors ?? []
  return first === undefined ? (error?.message ?? 'unknown') : `${first.path} ${first.message}`
}

async function post(transactions: readonly ImportedSale[], { url, key }: Service): Promise<Result[]> {
  const response = await patiently(() =>
    fetch(new URL('/v1/transactions/batch', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ transactions }),
    }),
  )
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${await response.text()}`)
  const { results } = (await response.json()) as { results: Result[] }
  return results
}

/** Waits as long as the service asks if there are too many requests. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask()
    if (response.status !== 429) return response
    const seconds = Number(response.headers.get('retry-after') ?? '1')
    await new Promise((resolve) => setTimeout(resolve, Math.max(seconds, 1) * 1_000))
  }
}
