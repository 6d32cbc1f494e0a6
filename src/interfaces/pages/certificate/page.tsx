import type { Child } from 'hono/jsx'
import { DOCUMENT_TYPES } from '../../../platform/database/values/document-type.ts'
import { type FormChoice, type FormFaults, REASONS, type TypedFields } from './fields.ts'

/** The frame of the page of a link. It leads nowhere else, and no search engine lists it. */
function Frame({ title, children }: { title: string; children: Child }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex, nofollow" />
        <link rel="stylesheet" href="/pages.css" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        <main id="content">{children}</main>
      </body>
    </html>
  )
}

type FormPage = {
  seller: string
  states: readonly FormChoice[]
  typed: TypedFields
  faults: FormFaults
}

/** The form by which a customer hands in a certificate. It needs no script, and posts to its own address. */
export function CertificateForm({ seller, states, typed, faults }: FormPage) {
  const of = (name: keyof TypedFields) => ({ name, value: typed[name], fault: faults.get(name) })
  return (
    <Frame title={`Exemption certificate for ${seller}`}>
      <h1>Send your exemption certificate to {seller}</h1>
      <p>
        {seller} asks for the certificate by which your purchases are exempt from sales tax. A person there
        checks it. Until it is approved, tax is charged.
      </p>
      {faults.size > 0 && (
        <div role="alert">
          <p>
            <strong>Not sent.</strong> {faults.get('') ?? 'Correct the fields that are marked.'} Choose the
            file again: your browser does not keep it.
          </p>
        </div>
      )}
      <form class="calculator certificate" method="post" enctype="multipart/form-data" autocomplete="off">
        <Text label="Number of the certificate" {...of('certificate_number')} maxlength={100} required />
        <Choice label="State" {...of('jurisdiction_id')} choices={states} />
        <Choice label="Reason" {...of('reason_code')} choices={REASONS} />
        <Text label="Valid from" {...of('valid_from')} type="date" required />
        <Text label="Valid to, if it has an end" {...of('valid_to')} type="date" />
        <Field label="File: PDF, PNG or JPEG, at most 5 MB" name="document" fault={faults.get('document')}>
          <input
            type="file"
            accept={DOCUMENT_TYPES.join()}
            required
            {...marked('document', faults.get('document'))}
          />
        </Field>
        <button type="submit">Send the certificate</button>
      </form>
    </Frame>
  )
}

type FieldOfForm = { label: string; name: string; fault: string | undefined }

function Field({ label, name, fault, children }: FieldOfForm & { children: Child }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      {fault !== undefined && (
        <p class="field-error" id={`${name}-error`}>
          {fault}
        </p>
      )}
    </div>
  )
}

/** The attributes of the control of a field. */
function marked(name: string, fault: string | undefined) {
  const described = fault !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }
  return { id: name, name, ...described }
}

type TextOfForm = FieldOfForm & { value: string; type?: string; maxlength?: number; required?: boolean }

function Text({ label, name, fault, ...own }: TextOfForm) {
  return (
    <Field {...{ label, name, fault }}>
      <input {...own} {...marked(name, fault)} />
    </Field>
  )
}

type ChoiceOfForm = FieldOfForm & { value: string; choices: FormPage['states'] }

function Choice({ label, name, fault, value, choices }: ChoiceOfForm) {
  return (
    <Field {...{ label, name, fault }}>
      <select required {...marked(name, fault)}>
        <option value="">Choose…</option>
        {choices.map(([each, words]) => (
          <option value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** What a customer sees after the certificate was sent. */
export function CertificateSent({ seller }: { seller: string }) {
  return (
    <Frame title="The certificate was sent">
      <h1>The certificate was sent</h1>
      <p>{seller} checks it next. You can close this page: the link cannot be used again.</p>
    </Frame>
  )
}

/** The page of every link that takes no certificate, whatever the cause. */
export function LinkGone() {
  return (
    <Frame title="This link cannot be used">
      <h1>This link cannot be used</h1>
      <p>It is not complete, was used already, or has ended. Ask the company that sent it for a new one.</p>
    </Frame>
  )
}

/** The page of a request that failed. */
export function LinkFault({ busy, request_id }: { busy: boolean; request_id: string }) {
  return (
    <Frame title="Not available now">
      <h1>{busy ? 'Too many requests' : 'This page cannot be shown now'}</h1>
      <p>
        Wait a minute, then try again. If you were sending a certificate, go back and send it again: the same
        certificate is taken only once.
      </p>
      <p class="quiet">
        Id of the request: <code>{request_id}</code>
      </p>
    </Frame>
  )
}
