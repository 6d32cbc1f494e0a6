import { Failure } from '../api.ts'
import { Copy } from './copy.tsx'

const NOT_FOUND = 'There is no such record in this account. It may be deleted.'

/**
 * An error for people: the message and the faulty fields. What the service answered has its reason and the id
 * of the request, for whoever asks for help. A refusal is the same a second time, so it has no button to try
 * again.
 */
export function FailureNotice({ thrown, retry }: { thrown: unknown; retry?: () => void }) {
  if (!(thrown instanceof Failure)) {
    console.error(thrown)
    return (
      <p class="failure" role="alert">
        The console failed. Reload the page.
      </p>
    )
  }
  const { status, message, errors, reason, request_id } = thrown
  const again = status >= 400 && status < 500 ? undefined : retry
  return (
    <div class="failure" role="alert">
      <p>{status === 404 && request_id !== null ? NOT_FOUND : message}</p>
      {errors.length > 1 && <List lines={errors.map((each) => `${each.path}: ${each.message}`)} />}
      {request_id !== null && <p class="quiet small">{`Reason: ${reason} · ${request_id}`}</p>}
      {(request_id !== null || again) && (
        <div class="actions">
          {again && (
            <button type="button" onClick={again}>
              Try again
            </button>
          )}
          {request_id !== null && <Copy text={request_id} name="Copy the request id" />}
        </div>
      )}
    </div>
  )
}

/** A list of texts, or nothing if there is none. */
export function List({ lines }: { lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <ul>
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  )
}
