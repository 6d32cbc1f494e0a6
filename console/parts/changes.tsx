import type { Child } from 'hono/jsx/dom'
import { callApi } from '../api.ts'
import { confirmed, type Question } from './dialog.tsx'
import { Loaded, useLoading } from './load.tsx'
import { recordsChanged, useChanges } from './table.tsx'
import { toast } from './toast.tsx'
import { Button, type Deed, useWork } from './work.tsx'

/** Reads, shows what was read, and reads again when a record has changed or one of `of` differs. */
export function Read<Value>({
  read,
  of = [],
  ...shown
}: {
  read: () => Promise<Value>
  of?: readonly unknown[]
  show: (value: Value) => Child
  lines?: number
}) {
  const loading = useLoading(read, of)
  useChanges(() => void loading.again())
  return <Loaded of={loading} {...shown} />
}

/** When records are read again after a change that only starts something. */
const SOON_MS = [1_500, 5_000]

/**
 * `ask` is confirmed before, `told` is said afterwards, and `leave` is the address that follows. `starts`:
 * what it starts ends a moment later, such as a delivery.
 */
type ChangeOptions<Answer> = {
  ask?: Question
  told?: string | ((answer: Answer) => string)
  leave?: string | ((answer: Answer) => string)
  body?: object
  idempotency_key?: string
  starts?: true
}

/**
 * Changes something by the API, and lets lists and drawers read again. Null if the user does not confirm.
 * Throws a Failure.
 */
export async function change<Answer>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  { ask, told, leave, starts, ...request }: ChangeOptions<Answer>,
): Promise<Answer | null> {
  if (ask !== undefined && !(await confirmed(ask))) return null
  const answer = await callApi<Answer>(method, path, request)
  if (told !== undefined) toast(typeof told === 'string' ? told : told(answer))
  if (leave !== undefined) await follow(typeof leave === 'string' ? leave : leave(answer))
  recordsChanged()
  if (starts) for (const later of SOON_MS) setTimeout(recordsChanged, later)
  return answer
}

/** Leaves a view before its record is read again, which may be deleted. */
async function follow(href: string): Promise<void> {
  if (location.hash === href) return
  const followed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
  location.hash = href
  await followed
}

/** Buttons side by side, after `children`, and one notice of what failed. What is not offered is false. */
export function Deeds({ of, children }: { of: readonly (Deed | false)[]; children?: Child }) {
  const work = useWork()
  const offered = of.filter((deed) => deed !== false)
  return (
    <div>
      <div class={offered.length > 1 || children ? 'actions' : undefined}>
        {children}
        {offered.map(({ name, ...deed }) => (
          <Button key={name} of={work} {...deed}>
            {name}
          </Button>
        ))}
      </div>
      {work.notice}
    </div>
  )
}
