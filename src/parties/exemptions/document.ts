import { fromBase64, toBase64 } from '../../platform/kit/base64.ts'
import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { newId } from '../../platform/database/ids.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { FileBytes } from '../../platform/http/file-body.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import {
  dropDocuments,
  eraseSoon,
  type ErasureRow,
  type ExemptionOnFile,
  insertErasure,
  insertPart,
  keepFile,
  readExemptionOnFile,
  readPart,
  replaceDocument,
} from './document-store.ts'
import { documentType, type DocumentType, EXTENSIONS } from '../../platform/database/values/document-type.ts'
import { bucketKey } from './erase-documents.ts'
import { NO_DOCUMENT, type StoredExemption } from './exemption.ts'
import { hashedFields } from './exemptions.ts'

/** Bytes of a part in the books: 1.2 MB in base64, below the 2 MB of a row in D1. */
const PART_BYTES = 900_000

/** Bytes that are read and sent at once. Whole groups of base64, so that each slice is decoded by itself. */
const SLICE_BYTES = 240_000

/** How long an upload may take, before a job deletes its file. */
const UPLOAD_MS = 3_600_000

/**
 * Stores the file of an exemption, or replaces it, in three steps: (1) a row that lets a job delete the file,
 * which also reserves its bytes in the quota; (2) the file, in the bucket or in the books; (3) one batch that
 * removes the row, gives the file to the exemption, and drops its old file. After a crash, the job deletes
 * what step 3 did not take over. Throws not_found, invalid_request, quota_exceeded.
 */
export async function storeDocument(context: Context, id: string, file: FileBytes): Promise<StoredExemption> {
  const type = documentType(file)
  const owned = await readExemptionOnFile(context, id)
  if (type === null) throw fieldError('invalid_request', 'document', wrongContent(file))
  const document_sha256 = await sha256(file)
  if (owned.document_sha256 === document_sha256) return withoutOwner(owned)
  return withStoredFile(context, { file, type, document_sha256 }, (stored, keep) =>
    change(context, id, 'exemption.document_stored', keep, stored),
  )
}

/** A file with its type and its hash. */
type CheckedFile = { file: FileBytes; type: DocumentType; document_sha256: string }

/**
 * Stores a file, and lets `take` write the exemption that has it. The batch of `take` must contain `keep`;
 * if it fails, a job deletes the file.
 */
export async function withStoredFile<Taken>(
  context: Context,
  { file, type, document_sha256 }: CheckedFile,
  take: (stored: StoredFile, keep: readonly D1PreparedStatement[]) => Promise<Taken>,
): Promise<Taken> {
  const erasure = await beginUpload(context, file.length)
  const { document_id } = erasure
  try {
    await storeContent(context, document_id, file, type)
    const stored = { document_id, document_type: type, document_bytes: file.length, document_sha256 }
    return await take(stored, keepFile(context, document_id))
  } catch (thrown) {
    await commit(context, { changes: [eraseSoon(context, erasure)], audit: [], answer: {} }).catch((fault) =>
      logFault({ step: 'end an upload' }, fault),
    )
    throw thrown
  }
}

/** Deletes the file. If there is none, nothing changes. Throws not_found. */
export async function deleteDocument(context: Context, id: string): Promise<StoredExemption> {
  const owned = await readExemptionOnFile(context, id)
  if (owned.document_id === null) return withoutOwner(owned)
  return change(context, id, 'exemption.document_deleted', [], { document_id: null, ...NO_DOCUMENT })
}

type FileFields = Pick<
  ExemptionOnFile,
  'document_id' | 'document_type' | 'document_bytes' | 'document_sha256'
>
type StoredFile = { [Field in keyof FileFields]: NonNullable<FileFields[Field]> }

async function change(
  context: Context,
  id: string,
  action: string,
  first: readonly D1PreparedStatement[],
  fields: FileFields,
): Promise<StoredExemption> {
  const read = () => readExemptionOnFile(context, id)
  return changeRow(context, read, async (before, updated_at) => {
    const after = { ...before, ...fields, updated_at }
    const answer = withoutOwner(after)
    const hashed = await hashedFields(context, before.customer_id)
    await commit(context, {
      changes: [...first, ...dropDocuments(context, 'id', id), ...replaceDocument(context, before, after)],
      audit: {
        action,
        resource_id: id,
        changed: ['document_type', 'document_bytes', 'document_sha256'],
        values: await valuesOf(withoutOwner(before), answer, hashed),
      },
      answer,
    })
    return answer
  })
}

/** The file as an attachment, which no browser runs or guesses a type of. Throws not_found. */
export async function readDocument(context: Context, id: string): Promise<Response> {
  const { document_id, document_type, document_bytes, certificate_number } = await readExemptionOnFile(
    context,
    id,
  )
  if (document_id === null || document_type === null || document_bytes === null)
    throw new ApiError('not_found', { message: 'This exemption has no document' })
  const name = `certificate-${certificate_number.replaceAll(/[^\w.-]+/g, '-')}.${EXTENSIONS[document_type]}`
  return new Response(await readContent(context, document_id, document_bytes), {
    headers: {
      'Content-Type': document_type,
      'Content-Length': String(document_bytes),
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'no-store',
    },
  })
}

async function beginUpload(context: Context, bytes: number): Promise<ErasureRow> {
  const { env, principal, now } = context
  const erasure: ErasureRow = {
    account_id: principal.account_id,
    document_id: newId('doc'),
    due_at: new Date(now.getTime() + UPLOAD_MS).toISOString(),
    in_bucket: env.CERTIFICATES === undefined ? 0 : 1,
    bytes,
  }
  await commit(context, {
    changes: [insertErasure(context, erasure)],
    stores: { document_bytes: bytes },
    audit: [],
    answer: {},
  })
  return erasure
}

async function storeContent(
  context: Context,
  document_id: string,
  file: FileBytes,
  type: DocumentType,
): Promise<void> {
  const { env, principal } = context
  if (env.CERTIFICATES !== undefined) {
    const key = bucketKey({ account_id: principal.account_id, document_id })
    await env.CERTIFICATES.put(key, file, { httpMetadata: { contentType: type } })
    return
  }
  for (let position = 0; position * PART_BYTES < file.length; position += 1) {
    const part = file.subarray(position * PART_BYTES, (position + 1) * PART_BYTES)
    // One batch for each part, because the size of a batch is bounded too.
    await commit(context, {
      changes: [insertPart(context, document_id, position, toBase64(part))],
      audit: [],
      answer: {},
    })
  }
}

/** From the books if they have it, else from the bucket. Files from before the bucket stay in the books. */
async function readContent(context: Context, document_id: string, bytes: number): Promise<ReadableStream> {
  const first = await readSlice(context, document_id, 0)
  return first === null
    ? readFromBucket(context, document_id)
    : streamOfSlices(context, { document_id, first, bytes })
}

/** A slice of a file in the books that begins at this byte, in base64; null: there is none. */
function readSlice(context: Context, document_id: string, from: number): Promise<string | null> {
  return readPart(context, document_id, {
    position: Math.floor(from / PART_BYTES),
    begin: ((from % PART_BYTES) / 3) * 4,
    length: (SLICE_BYTES / 3) * 4,
  })
}

/** Sends slice by slice, so that no other request of this isolate waits for a whole file. */
function streamOfSlices(
  context: Context,
  { document_id, first, bytes }: { document_id: string; first: string; bytes: number },
): ReadableStream {
  let sent = 0
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const slice = sent === 0 ? first : await readSlice(context, document_id, sent)
      const decoded = fromBase64(invariant(slice || null, 'a stored file has all of its parts'))
      controller.enqueue(decoded)
      sent += decoded.length
      if (sent >= bytes) controller.close()
    } catch (thrown) {
      logFault({ step: 'send a file' }, thrown)
      throw thrown
    }
  }
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
}

async function readFromBucket({ env, principal }: Context, document_id: string): Promise<ReadableStream> {
  const key = bucketKey({ account_id: principal.account_id, document_id })
  const stored = await env.CERTIFICATES?.get(key)
  if (!stored) throw new ApiError('not_found', { message: 'The file is not in the bucket any more' })
  return stored.body
}

function wrongContent(file: FileBytes): string {
  return file.length === 0
    ? 'the body is empty: send the bytes of the file'
    : 'must be a PDF, PNG or JPEG file by its first bytes'
}

function withoutOwner({
  customer_id: _owner,
  document_id: _file,
  ...rest
}: ExemptionOnFile): StoredExemption {
  return rest
}
