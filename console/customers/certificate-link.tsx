import { useState } from 'hono/jsx/dom'
import type {
  CertificateRequestAnswer,
  Customer,
  NewCertificateRequestAnswer,
} from '../../client/src/schema.ts'
import { read } from '../api.ts'
import { linkToCertificate } from '../certificates/certificate.tsx'
import { change, Deeds } from '../parts/changes.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Moment } from '../parts/parts.tsx'
import { SendOn } from '../parts/send-on.tsx'

const REPLACE = {
  title: 'Replace the link?',
  text: 'The customer can no longer use the old one.',
  yes: 'Replace',
}

const REVOKE = {
  title: 'Revoke the link?',
  text: 'The customer can no longer use it.',
  yes: 'Revoke',
}

/** The link by which a customer hands in a certificate, without a key. */
export function CertificateLink({ customer }: { customer: Customer }) {
  const { id } = customer
  const loading = useLoading(() => read('/v1/customers/{id}/certificate-request', { id }))
  const show = (answer: CertificateRequestAnswer) => (
    <Link of={answer.certificate_request} customer={customer} again={loading.again} />
  )
  return <Loaded of={loading} show={show} />
}

type Request = CertificateRequestAnswer['certificate_request']
type LinkProps = { of: Request; customer: Customer; again: () => Promise<void> }

function Link({ of, customer, again }: LinkProps) {
  const [address, setAddress] = useState<string | null>(null)
  const path = `/v1/customers/${customer.id}/certificate-request`
  const open = of?.state === 'open'
  const make = async () => {
    const ask = open ? { ask: REPLACE } : {}
    const made = await change<NewCertificateRequestAnswer>('POST', path, ask)
    if (made !== null) setAddress(made.url)
  }
  const revoke = async () => {
    await change('DELETE', path, { ask: REVOKE, told: 'The link is revoked' })
    await again()
  }
  const sent = () => {
    setAddress(null)
    void again()
  }
  const advice =
    'Send it to the customer. It takes one certificate within 30 days, and shows only your name. ' +
    'What comes waits for your approval.'
  if (address !== null)
    return (
      <SendOn
        title="The link for the customer: shown only once"
        subject="Your exemption certificate"
        to={customer.email}
        done={sent}
        {...{ address, advice }}
      />
    )
  return (
    <>
      <Told of={of} />
      <Deeds
        of={[
          { name: open ? 'Replace the link…' : 'Create the link', act: make },
          open && { name: 'Revoke…', act: revoke },
        ]}
      />
    </>
  )
}

/** What became of the newest link. */
function Told({ of }: { of: Request }) {
  if (of?.state === 'open')
    return (
      <p class="quiet">
        A link is open until <Moment at={of.expires_at} />. It was shown once, when it was created.
      </p>
    )
  if (of?.state === 'used' && of.exemption_id !== null)
    return (
      <p class="quiet">
        The customer used the last link: see{' '}
        <a href={linkToCertificate(of.customer_id, of.exemption_id)}>the certificate</a>.
      </p>
    )
  return <p class="quiet">By a link, the customer can send you a certificate with its file.</p>
}
