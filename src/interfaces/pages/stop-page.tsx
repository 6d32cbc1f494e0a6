import type { Bindings } from '../../platform/bindings.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import { ApiError } from '../../platform/errors.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { Layout } from './layout.tsx'
import type { PublicAnswer } from '../request/serve-public.ts'
import { oneLine } from '../../notices/messages/lines.ts'
import { GOES_ON, readStopLink, stopMessages } from '../../notices/messages/settings-store.ts'

const TOKEN = /^[\w-]{32}$/
const NAME_MAX = 80

type Markup = { toString: () => string | Promise<string> }

/**
 * The page of a link to stop. A read changes nothing, because scanners of mail follow links: the button does,
 * or the mail program by its one click. It tells neither an address nor a name of a person. Throws not_found
 * for a link that is unknown, or whose recipient was left out since.
 */
export async function stopPage(
  { env, now }: { env: Bindings; now: Date },
  token: string,
  { stops }: { stops: boolean },
): Promise<PublicAnswer> {
  const hash = TOKEN.test(token) ? await sha256(token) : null
  const link = hash === null ? null : await readStopLink(env.DB, hash)
  if (hash === null || link === null) throw new ApiError('not_found')
  if (stops)
    await commitSystemChange(env.DB, now, {
      changes: stopMessages(env.DB, link, hash, now.toISOString()),
      audit: [
        {
          account_id: link.account_id,
          action: 'messages.stopped',
          resource_id: link.person_id,
          changed: ['stopped_at'],
        },
      ],
      // A second click is no second event.
      only_if: { sql: GOES_ON, values: [] },
    })
  const name = oneLine(link.name, NAME_MAX)
  const content = stops || link.stopped_at !== null ? <Stopped name={name} /> : <Asked name={name} />
  return { ...page(content, 200), secret: true }
}

/** The page for a link that does not work. */
export function stopFault({ reason, message }: ApiError): string {
  const text = reason === 'not_found' ? 'The link is not valid any more. You get no messages by it.' : message
  return page(<Notice title="This link does not work" text={text} />, 404).body
}

function Asked({ name }: { name: string }) {
  return (
    <Layout title="Stop messages">
      <h1>Stop the daily messages?</h1>
      <p>{`You get messages of ${name} by mail. After this you get none.`}</p>
      <form method="post" class="filter">
        <button type="submit">Stop the messages</button>
      </form>
    </Layout>
  )
}

function Stopped({ name }: { name: string }) {
  const text = `You get no more messages of ${name}. Who manages the account can add you again.`
  return <Notice title="The messages are stopped" text={text} />
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <Layout title={title}>
      <h1>{title}</h1>
      <p>{text}</p>
    </Layout>
  )
}

function page(content: Markup, status: number): { body: string; status: number } {
  return { body: `<!doctype html>${String(content)}`, status }
}
