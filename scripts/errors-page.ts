import { type ErrorCode, type Reason, REASONS, STATUS_OF_CODE } from '../src/platform/errors.ts'
import { keysOf } from '../src/platform/kit/keys-of.ts'
import { ROUTES } from '../src/interfaces/routes.ts'

/** The sections of docs/errors.md, made from the reasons of the service and the routes that name them. */
export function errorSections(): string {
  return keysOf(STATUS_OF_CODE).flatMap(sectionOf).join('\n')
}

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
