import { Failure } from '../api.ts'
import { Copy } from './copy.tsx'

/**
 * An error for people: the message and the faulty fields. What the service answered has its reason and the id
 * of the request, for whoever asks for help.
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
  const { message, errors, reason, request_id } = thrown
  return (
    <div class="failure" role="alert">
      <p>{message}</p>
      {errors.length > 1 && <List lines={errors.map((each) => `${each.path}: ${each.message}`)} />}
      {request_id !== null && <p class="quiet small">{`Reason: ${reason} · ${request_id}`}</p>}
      {(request_id !== null || retry) && (
        <div class="actions">
          {retry && (
            <button type="button" onClick={retry}>
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
