import type { RateBook } from '../../../engine/book/rate-book.ts'
import { F0003, KIND_OF_REASON, REASON_CODES } from '../../../parties/exemptions/reason-codes.ts'
import { type NewExemptionBody, NewExemptionRequest } from '../../../parties/exemptions/schemas.ts'
import { DOCUMENT_BYTES_MAX, documentType } from '../../../platform/database/values/document-type.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { FileBytes } from '../../../platform/http/file-body.ts'
import { checkBySchema } from '../../../platform/http/check-body.ts'
import type { FormParts } from '../../../platform/http/multipart.ts'

const TYPED = ['certificate_number', 'jurisdiction_id', 'reason_code', 'valid_from', 'valid_to'] as const

/** What a customer typed, field by field. */
export type TypedFields = Readonly<Record<(typeof TYPED)[number], string>>

/** What is wrong, by the field. */
export type FormFaults = ReadonlyMap<string, string>

/** A choice of a list: its value and its words. */
export type FormChoice = readonly [value: string, words: string]

/** A text that is longer is cut, so that the page that shows it again stays small. */
const TYPED_MAX = 200

export const NOTHING_TYPED: TypedFields = {
  certificate_number: '',
  jurisdiction_id: '',
  reason_code: '',
  valid_from: '',
  valid_to: '',
}

/** What a form says in its fields, without its file. */
export function typedFields(parts: FormParts): TypedFields {
  const typed = TYPED.map((name) => [name, textOf(parts.get(name)).trim().slice(0, TYPED_MAX)] as const)
  return { ...NOTHING_TYPED, ...Object.fromEntries(typed) }
}

function textOf(bytes: FileBytes | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return ''
  }
}

/** The states that the form offers, by their names. */
export function statesOf(book: RateBook): FormChoice[] {
  return book.facts.jurisdictions
    .filter(({ parent_id }) => parent_id === F0003.country)
    .map(({ id, name }): FormChoice => [id, name])
    .toSorted(([, one], [, other]) => one.localeCompare(other))
}

export const REASONS: readonly FormChoice[] = REASON_CODES.map((code) => [
  code,
  `${code}: ${F0003.reasons[code]}`,
])

/** The certificate that a form describes, or all that is wrong with its fields. */
export async function readForm(
  typed: TypedFields,
  file: FileBytes | undefined,
  states: readonly FormChoice[],
): Promise<{ body: NewExemptionBody; file: FileBytes } | { faults: FormFaults }> {
  const { certificate_number, jurisdiction_id, valid_from, valid_to } = typed
  const reason = REASON_CODES.find((code) => code === typed.reason_code)
  const checked = await checkedBody({
    jurisdiction_id,
    exemption_type: KIND_OF_REASON[reason ?? 'L'],
    certificate_number,
    reason_code: reason,
    valid_from,
    ...(valid_to !== '' && { valid_to }),
  })
  const faults = new Map('faults' in checked ? checked.faults : [])
  if (certificate_number === '') faults.set('certificate_number', 'Type the number of the certificate')
  if (!states.some(([id]) => id === jurisdiction_id)) faults.set('jurisdiction_id', 'Choose the state')
  if (reason === undefined) faults.set('reason_code', 'Choose the reason')
  if (valid_from === '') faults.set('valid_from', 'Give the first day')
  else if (valid_to !== '' && valid_to < valid_from) faults.set('valid_to', 'This is before the first day')
  if (file === undefined || file.length === 0) faults.set('document', 'Choose the file of the certificate')
  else if (documentType(file) === null) faults.set('document', 'The file is not a PDF, PNG or JPEG')
  return faults.size > 0 || 'faults' in checked || file === undefined
    ? { faults }
    : { body: checked.body, file }
}

async function checkedBody(body: object): Promise<{ body: NewExemptionBody } | { faults: FormFaults }> {
  try {
    return { body: await checkBySchema(NewExemptionRequest, body) }
  } catch (thrown) {
    return { faults: faultsOf(thrown) }
  }
}

/** The faulty fields of a refusal. Throws what is none. */
export function faultsOf(thrown: unknown): FormFaults {
  if (!(thrown instanceof ApiError) || thrown.errors.length === 0) throw thrown
  return new Map(thrown.errors.map(({ path, message }) => [path, `This ${message}`]))
}

export const TOO_LARGE: FormFaults = new Map([
  ['document', `The file is larger than ${DOCUMENT_BYTES_MAX / 1_000_000} MB: send a smaller one`],
])
