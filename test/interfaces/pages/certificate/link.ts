import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../../../src/service/app.ts'
import type { Bindings } from '../../../../src/platform/bindings.ts'
import { newAccount } from '../../../support/account.ts'
import { call, newAddress } from '../../../support/service.ts'

/** The bytes of a text. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new TextEncoder().encode(text))

export const PDF = bytesOf('%PDF-1.4\nA certificate\n')

/** What a customer types. */
export const TYPED = {
  certificate_number: 'TX-1001',
  jurisdiction_id: 'US-TX',
  reason_code: 'G',
  valid_from: '2026-01-01',
  valid_to: '',
}

/** A customer with an open link. */
export async function newLink(account: { key: string; account_id: string } | null = null) {
  const { key, account_id } = account ?? (await newAccount())
  const body = { name: 'Hidden Buyer', email: 'buyer@example.com' }
  const id = String((await call('POST', '/v1/customers', { key, body })).body['id'])
  const request = `/v1/customers/${id}/certificate-request`
  const made = (await call('POST', request, { key })).body
  return {
    key,
    account_id,
    id,
    request,
    request_id: String(made['id']),
    url: new URL(String(made['url'])).pathname,
  }
}

/** The body of a form, in the order of the page. */
export function formOf(
  typed: Readonly<Record<string, string>> = TYPED,
  file: Uint8Array<ArrayBuffer> | null = PDF,
  name = 'certificate.pdf',
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(typed)) form.set(field, value)
  if (file !== null) form.set('document', new Blob([file]), name)
  return form
}

type Page = { status: number; headers: Headers; text: string }

/** Asks for a page without a key. */
export async function ask(
  method: string,
  path: string,
  {
    body,
    headers = {},
    bindings = env,
  }: { body?: BodyInit; headers?: Record<string, string>; bindings?: Bindings } = {},
): Promise<Page> {
  const request = new Request(`https://service.test${path}`, {
    method,
    headers: { 'CF-Connecting-IP': newAddress(), Accept: 'text/html', ...headers },
    ...(body !== undefined && { body }),
  })
  const response = await app.fetch(request, bindings, createExecutionContext())
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Hands in a certificate. */
export function handIn(url: string, form: FormData = formOf(), bindings: Bindings = env): Promise<Page> {
  return ask('POST', url, { body: form, bindings })
}

/** The certificates of a customer. */
export async function certificatesOf(key: string, id: string): Promise<Record<string, unknown>[]> {
  return (await call('GET', `/v1/customers/${id}/exemptions`, { key })).body['exemptions'] as Record<
    string,
    unknown
  >[]
}
