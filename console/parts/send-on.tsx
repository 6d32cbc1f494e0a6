import { Copy, Press } from './parts.tsx'

type SendOnProps = {
  title: string
  address: string
  advice: string
  /** The e-mail address of who needs it, if it is known. */
  to: string | null
  subject: string
  done?: () => void
}

/** An address that somebody else needs: to be copied, shared from a phone, or written in an e-mail. */
export function SendOn({ title, address, advice, to, subject, done }: SendOnProps) {
  const share = () => void navigator.share({ title: subject, url: address }).catch(() => {})
  const mail = new URLSearchParams({ subject, body: address }).toString().replaceAll('+', '%20')
  return (
    <section class="secret-once stack" aria-label={title}>
      <h3>{title}</h3>
      <code>{address}</code>
      <p class="quiet">{advice}</p>
      <div class="actions">
        <Copy text={address} first />
        {'share' in navigator && <Press name="Share…" act={share} />}
        {to !== null && (
          <a class="button" href={`mailto:${encodeURIComponent(to)}?${mail}`}>
            Write an e-mail
          </a>
        )}
        {done && <Press name="Done" act={done} />}
      </div>
    </section>
  )
}
