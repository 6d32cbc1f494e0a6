import { type ErrorCode, type Reason, REASONS, STATUS_OF_CODE } from '../src/platform/errors.ts'
import { keysOf } from '../src/platform/kit/keys-of.ts'
import { ROUTES } from '../src/interfaces/routes.ts'

/** docs/errors.md, made from the reasons of the service and the routes that name them. */
export function errorsPage(): string {
  return [INTRODUCTION, ...keysOf(STATUS_OF_CODE).flatMap(sectionOf)].join('\n')
}

const INTRODUCTION = `# Errors

Each error says what is wrong, where, and whether to send the request again. All have the same body:

\`\`\`json
{
  "error_code": "VALIDATION_ERROR",
  "message": "line_items[0].ammount: is not a known field: did you mean amount?",
  "reason": "invalid_request",
  "errors": [{ "path": "line_items[0].ammount", "message": "is not a known field: did you mean amount?" }],
  "doc_url": "/docs/errors#invalid_request",
  "request_id": "req_01kb2m6yqpe6rb9v2g6zq4h5wn"
}
\`\`\`

- \`error_code\` is one of six words and decides the status; only \`maintenance\`, \`books_not_here\` and
  \`sign_in_unavailable\` have their own status, 503.
- \`reason\` is the word for programs, and a heading below. Some reasons name something after a
  colon, such as \`missing_scope: tax:write\`.
- \`message\` is for people, and may change. It begins with the first faulty field, if there is one, and ends
  with how many more there are.
- \`errors\` lists up to 20 faulty fields.
- \`request_id\` is the [id of the request](#request-id).

A request that was refused changed nothing.

## Request id

Every answer has the header \`X-Request-Id\`, such as \`req_01kb2m6yqpe6rb9v2g6zq4h5wn\`. Errors repeat it as
\`request_id\`. Quote it if you ask for help. The [log](operations.md#monitoring) of the service and the
events of the [audit log](audit.md) name each request by it.
`

function sectionOf(code: ErrorCode): string[] {
  const reasons = keysOf(REASONS).filter((reason) => REASONS[reason][0] === code)
  return [`## ${code}: status ${STATUS_OF_CODE[code]}\n`, ...reasons.map(describe)]
}

function describe(reason: Reason): string {
  const routes = ROUTES.filter(({ errors }) => errors.includes(reason))
  const named = routes.map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``)
  const where = named.length === 0 ? '' : `\n\nAnswered by ${named.join(', ')}.`
  return `### ${reason}\n\n${REASONS[reason][1].replaceAll('<', '\\<')}.${where}\n`
}
