import type { Context as HonoContext, Hono } from 'hono'
import { type FoundLink, findLink, handIn } from '../../../parties/certificate-requests/hand-in.ts'
import { newId } from '../../../platform/database/ids.ts'
import { DOCUMENT_BYTES_MAX } from '../../../platform/database/values/document-type.ts'
import { ApiError } from '../../../platform/errors.ts'
import { statusOf, toApiError } from '../../../platform/http/error-response.ts'
import { takePlace } from '../../../platform/http/works-at-once.ts'
import { partsOf, readAtMost } from '../../../platform/http/multipart.ts'
import type { App } from '../../../platform/http/validate.ts'
import { bookFor } from '../../../tax-data/records/book-for.ts'
import type { RouteReply } from '../../request/dialect.ts'
import { limitAddress } from '../../request/rate-limit.ts'
import { readerOf } from '../../request/reader.ts'
import { errorReply, pageReply } from '../../request/replies.ts'
import { respond } from '../../request/respond.ts'
import {
  faultsOf,
  type FormFaults,
  NOTHING_TYPED,
  readForm,
  statesOf,
  TOO_LARGE,
  typedFields,
} from './fields.ts'
import { CertificateForm, CertificateSent, LinkFault, LinkGone } from './page.tsx'
import { readHeader } from '../../../platform/kit/header.ts'

const PATH = '/certificate/:token'

/** The file, and room for the other fields and for what stands between them. */
const FORM_BYTES_MAX = DOCUMENT_BYTES_MAX + 20_000

/** The page of a link by which a customer hands in a certificate, without a key. */
export function serveCertificatePage(app: Hono<App>): void {
  app.get(PATH, (c) => answer(c, showForm))
  app.post(PATH, (c) => answer(c, takeForm))
}

type LinkPage = { element: { toString: () => string | Promise<string> }; status: number }
type AskedOfLink = { link: FoundLink; request: Request }

/**
 * Answers at most 60 times a minute per address and method. No page is kept by a cache, no address goes to
 * another site, and the log has the pattern of the path alone.
 */
async function answer(
  c: HonoContext<App>,
  show: (asked: AskedOfLink) => LinkPage | Promise<LinkPage>,
): Promise<Response> {
  const asked = { request_id: newId('req'), now: new Date() }
  const route = { method: c.req.method, path: PATH }
  let reply: RouteReply
  try {
    await limitAddress(c.env, `${route.method} ${PATH}`, c.req.raw.headers)
    if (c.env.MAINTENANCE === 'on') throw new ApiError('maintenance')
    const link = await findLink(readerOf(c, asked.now), c.req.param('token') ?? '', asked.request_id)
    reply = privatePage(link === null ? gone(404) : await show({ link, request: c.req.raw }))
  } catch (thrown) {
    const error = errorReply(thrown, asked.request_id)
    const busy = error.reason === 'rate_limited'
    const page = privatePage({ element: <LinkFault busy={busy} request_id={asked.request_id} />, ...error })
    reply = { ...page, headers: { ...error.headers, ...page.headers }, reason: error.reason }
  }
  return respond(asked, route, null, reply)
}

const PRIVATE = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

function privatePage({ element, status }: LinkPage): RouteReply {
  const page = pageReply(`<!doctype html>${String(element)}`, status)
  return { ...page, headers: { ...page.headers, ...PRIVATE } }
}

const gone = (status: 404 | 410): LinkPage => ({ element: <LinkGone />, status })

const NO_FAULTS: FormFaults = new Map()

async function showForm({ link }: AskedOfLink): Promise<LinkPage> {
  if (!link.is_open) return gone(410)
  const states = statesOf(await bookFor(link.context))
  const form = (
    <CertificateForm seller={link.seller} {...{ states }} typed={NOTHING_TYPED} faults={NO_FAULTS} />
  )
  return { element: form, status: 200 }
}

/** Takes the form. Links of an account take few files at the same time, beside those that its keys send. */
async function takeForm({ link, request }: AskedOfLink): Promise<LinkPage> {
  // One that was used is answered too: the same certificate may be sent again.
  if (!link.is_open && link.request.used_at === null) return gone(410)
  const { principal, now, later } = link.context
  const endFile = await takePlace(`links of ${principal.account_id}`, 'takes_file', now, later)
  try {
    return await pageOfForm(link, request)
  } finally {
    endFile()
  }
}

async function pageOfForm(link: FoundLink, request: Request): Promise<LinkPage> {
  const { bytes, whole } = await readAtMost(request, FORM_BYTES_MAX)
  const parts = partsOf(bytes, readHeader(request.headers, 'Content-Type'))
  if (parts === null)
    throw new ApiError('invalid_request', { message: 'The form is not multipart/form-data' })
  const typed = typedFields(parts)
  const states = statesOf(await bookFor(link.context))
  const again = (faults: FormFaults, status = 400): LinkPage =>
    link.is_open
      ? { element: <CertificateForm seller={link.seller} {...{ states, typed, faults }} />, status }
      : gone(410)
  const file = parts.get('document')
  if (!whole || (file?.length ?? 0) > DOCUMENT_BYTES_MAX) return again(TOO_LARGE)
  const form = await readForm(typed, file, states)
  if ('faults' in form) return again(form.faults)
  try {
    const is_there = await handIn(link, form.body, form.file)
    return is_there ? { element: <CertificateSent seller={link.seller} />, status: 200 } : gone(410)
  } catch (thrown) {
    const error = toApiError(thrown)
    if (error.reason !== 'quota_exceeded') return again(faultsOf(thrown))
    return again(new Map([['', `${link.seller} can take no certificate now: tell them.`]]), statusOf(error))
  }
}
