import type { DocumentType, Exemption } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { callApi, download, mistake, openPdf, readFile } from '../api.ts'
import { change, Deeds, toast } from '../parts/changes.tsx'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { useInPlace } from '../parts/in-place.tsx'
import { Loaded, recordsChanged, useLoading } from '../parts/load.tsx'
import { Part } from '../parts/parts.tsx'

const NAMES: Readonly<Record<DocumentType, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
}

const BYTES_MAX = 5_000_000

/** The field that chooses the file of a certificate. */
export function FileField({ label, required = false }: { label: string; required?: boolean }) {
  return (
    <Input label={label} name="file" type="file" accept={Object.keys(NAMES).join()} required={required}>
      PDF, PNG or JPEG, at most 5 MB
    </Input>
  )
}

/** The chosen file; null: none. Throws a Failure if it is too large, before it is sent. */
export function chosenFile(typed: Typed): File | null {
  const file = typed.file('file')
  if (file !== null && file.size > BYTES_MAX) throw mistake('file: it is larger than 5 MB')
  return file
}

/** Stores the file of a certificate. Throws a Failure. */
export async function storeFile(id: string, file: File): Promise<void> {
  await callApi('PUT', `/v1/exemptions/${id}/document`, { file })
}

/** The file of a certificate: what it shows, and what can be done with it. */
export function Document({ of }: { of: Exemption }) {
  const upload = (close: () => void) => async (typed: Typed) => {
    const file = chosenFile(typed)
    if (file === null) throw mistake('file: choose one')
    await storeFile(of.id, file)
    close()
    recordsChanged()
    toast('The file is stored')
  }
  const { document_type: type } = of
  const form = (name: string, close = () => {}) => (
    <Form name={name} send={upload(close)} first={false}>
      <FileField label="File of the certificate" required />
    </Form>
  )
  const replace = useInPlace('Replace…', (close) => form('Replace the file', close))
  return (
    <Part title="File">
      {type === null && <p class="quiet">No file is stored.</p>}
      {type !== null && <Stored of={of} type={type} replace={replace.form === null && replace.open} />}
      {type === null && may('customers:write') && form('Store the file')}
      {replace.form}
    </Part>
  )
}

function Stored({ of, type, replace }: { of: Exemption; type: DocumentType; replace: false | (() => void) }) {
  const path = `/v1/exemptions/${of.id}/document`
  const is_pdf = type === 'application/pdf'
  const changes = may('customers:write')
  const text = 'The file is deleted for good. The certificate stays.'
  const ask = { title: 'Delete the file?', text, yes: 'Delete the file' }
  const remove = () => change('DELETE', path, { ask, told: 'The file is deleted' })
  return (
    <>
      <p>{`${NAMES[type]}, ${sizeOf(of.document_bytes ?? 0)}`}</p>
      {!is_pdf && <Preview path={path} of={of} />}
      <Deeds
        of={[
          is_pdf && { name: 'Open in a new tab', act: () => openPdf(path) },
          { name: 'Download', act: () => download(path, {}, 'certificate') },
          changes && replace !== false && { name: 'Replace…', act: async () => replace() },
          changes && { name: 'Delete the file…', act: remove, kind: 'dangerous' },
        ]}
      />
    </>
  )
}

/**
 * An image of a certificate. The key is in a header, so the console reads it and shows a `data:` address,
 * which the content policy allows for images.
 */
function Preview({ path, of }: { path: string; of: Exemption }) {
  const loading = useLoading(async () => dataAddress((await readFile(path, {})).file), [of.document_sha256])
  const alt = `Certificate ${of.certificate_number}`
  return <Loaded of={loading} show={(src) => <img class="certificate" src={src} alt={alt} />} />
}

function dataAddress(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(mistake('The image cannot be read'))
    reader.readAsDataURL(file)
  })
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
