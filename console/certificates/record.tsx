import { useState } from 'hono/jsx/dom'
import { F0003 } from '../../src/exemptions/reason-codes.ts'
import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { type Customer, customerName } from '../customers/customer.ts'
import { formatDay } from '../format.ts'
import { placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Field } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts, Part } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { recordsChanged, useChanges } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { may } from '../scopes.ts'
import { toast } from '../parts/toast.tsx'
import { Button, useWork } from '../parts/work.tsx'
import type { RecordProps } from '../view-module.ts'
import { sentence, withSpaces } from '../words.ts'
import { AddCertificate } from './add.tsx'
import { Document } from './document.tsx'
import { Expiry } from './expiry.tsx'
import { SalesOf } from './sales.tsx'
import { type Certificate, stateOf } from './state.ts'

type Move = { to: Certificate['status']; name: string; done: string }

/** What a person may do with a certificate of each status. */
const MOVES: Readonly<Record<Certificate['status'], readonly Move[]>> = {
  pending: [
    { to: 'verified', name: 'Approve', done: 'approved' },
    { to: 'rejected', name: 'Reject', done: 'rejected' },
  ],
  verified: [
    { to: 'rejected', name: 'Reject', done: 'rejected' },
    { to: 'expired', name: 'End now', done: 'ended' },
  ],
  rejected: [{ to: 'pending', name: 'Review again', done: 'open for review' }],
  expired: [{ to: 'pending', name: 'Review again', done: 'open for review' }],
}

/** One that has ended by its last day cannot be ended again. */
function movesOf(certificate: Certificate): readonly Move[] {
  const moves = MOVES[certificate.status]
  return stateOf(certificate) === 'expired' ? moves.filter(({ to }) => to !== 'expired') : moves
}

/** The drawer of a certificate. Its id is what `certificateAddress` makes. */
export function Record(props: RecordProps) {
  if (props.id !== 'new') return <Existing {...props} />
  return (
    <div class="drawer-body">
      <AddCertificate />
    </div>
  )
}

function Existing({ id }: RecordProps) {
  const [customer_id = '', certificate_id = ''] = id.split('~')
  const read = () =>
    Promise.all([callApi<Customer>('GET', `/v1/customers/${encodeURIComponent(customer_id)}`), placeNames()])
  const loading = useLoading(read, [id])
  useChanges(() => void loading.again())
  return (
    <div class="drawer-body">
      <Loaded
        of={loading}
        lines={8}
        show={([customer, names]) => {
          const certificate = customer.exemptions.find((each) => each.id === certificate_id)
          if (certificate === undefined) return <p>The certificate does not exist any more.</p>
          const place = names.get(certificate.jurisdiction_id) ?? certificate.jurisdiction_id
          return (
            <Inside
              key={`${certificate.id} ${certificate.updated_at}`}
              customer={customer}
              certificate={certificate}
              place={place}
            />
          )
        }}
      />
    </div>
  )
}

type InsideProps = { customer: Customer; certificate: Certificate; place: string }

function Inside({ customer, certificate, place }: InsideProps) {
  useTitle(certificate.certificate_number, <Badge word={stateOf(certificate)} />)
  const { certificate_url } = certificate
  return (
    <>
      <Facts
        of={[
          ['Customer', <a href={linkTo('customers', { id: customer.id })}>{customerName(customer)}</a>],
          ['Frees sales in', place],
          ['Kind', sentence(withSpaces(certificate.exemption_type))],
          ['Reason on the form', reasonOf(certificate.reason_code)],
          ['Valid from', formatDay(certificate.valid_from)],
          ['Valid to', <Expiry of={certificate} />],
          // The service accepts only https addresses of documents.
          [
            'Address of the document',
            certificate_url && (
              <a href={certificate_url} rel="noreferrer noopener" target="_blank">
                Open it in a new tab
              </a>
            ),
          ],
          ['Notes of the review', certificate.verification_notes],
          ['Added', <Moment at={certificate.created_at} />],
        ]}
      />
      <Document of={certificate} />
      {may('customers:write') && <Review customer={customer} certificate={certificate} />}
      <SalesOf customer_id={customer.id} of={certificate} />
      <History of={certificate.id} changes={certificate.updated_at} />
    </>
  )
}

/** Only a review has a first choice: nothing asks to end or reject a certificate that is approved. */
function kindOf({ to }: Move): 'first' | 'dangerous' | undefined {
  if (to === 'rejected') return 'dangerous'
  return to === 'verified' ? 'first' : undefined
}

function reasonOf(code: string | null): string | null {
  if (code === null) return null
  const reason = new Map<string, string>(Object.entries(F0003.reasons)).get(code)
  return reason === undefined ? code : `${code}: ${reason} (F0003)`
}

function Review({ customer, certificate }: Omit<InsideProps, 'place'>) {
  const { id, certificate_number, status } = certificate
  const [notes, setNotes] = useState('')
  const work = useWork()
  const typed = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) setNotes(target.value)
  }
  const move = async ({ to, done }: Move) => {
    const body = { status: to, verification_notes: notes || null }
    await callApi('PUT', `/v1/customers/${customer.id}/exemptions/${id}`, { body })
    recordsChanged()
    toast(`${certificate_number} is ${done}`)
  }
  return (
    <Part title="Review">
      {status === 'pending' && <p class="quiet">The certificate frees no sale until it is approved.</p>}
      <Field
        label="Notes"
        hint="Why you decide so. Stored with the certificate"
        control={(bound) => (
          <input {...bound} value={notes} maxlength={2000} autocomplete="off" onInput={typed} />
        )}
      />
      <div class="actions">
        {movesOf(certificate).map((each) => (
          <Button of={work} act={() => move(each)} kind={kindOf(each)}>
            {each.name}
          </Button>
        ))}
      </div>
      {work.notice}
    </Part>
  )
}
