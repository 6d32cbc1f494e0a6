import type { Adapter, CaseRequest, Told } from './adapter.ts'
import type { Deck, LawCase } from './deck.ts'

/**
 * The result of a case. `ok`: whether all that the service tells is as expected; null: its form cannot say
 * the case, and `cannot` has the reason. `wrong` names what differs, `not_told` what the form does not tell.
 */
export type LawResult = {
  id: string
  ok: boolean | null
  wrong: string[]
  not_told: string[]
  told?: Told
  cannot?: string
  error?: string
}

/** Sends a request, and returns its status and its body as text. */
type Send = (request: CaseRequest) => Promise<{ status: number; text: string }>

/** Puts every case to a service, one after the other. */
export async function* runDeck(deck: Deck, adapter: Adapter, send: Send): AsyncGenerator<LawResult> {
  for (const asked of deck.cases) {
    const request = adapter.ask(asked, deck.as_of)
    if ('cannot' in request) yield { id: asked.id, ok: null, wrong: [], not_told: [], cannot: request.cannot }
    else yield resultOf(asked, adapter, await send(request))
  }
}

function resultOf(asked: LawCase, adapter: Adapter, answer: { status: number; text: string }): LawResult {
  const failed = (error: string) => ({ id: asked.id, ok: false, wrong: [], not_told: [], error })
  if (answer.status !== 200) return failed(`${answer.status}: ${answer.text.slice(0, 300)}`)
  let body: unknown
  try {
    body = JSON.parse(answer.text)
  } catch {
    return failed(`the answer is not JSON: ${answer.text.slice(0, 300)}`)
  }
  const told = adapter.read(body, asked)
  const expected = Object.entries(asked.expected)
  const names = expected.map(([name]) => name)
  const not_told = names.filter((name) => said(told, name) === undefined)
  if (not_told.length === names.length) return failed('the answer tells nothing that is expected')
  const wrong = expected.filter(([name, value]) => differs(value, said(told, name))).map(([name]) => name)
  return { id: asked.id, ok: wrong.length === 0, wrong, not_told, told }
}

function said(told: Told, name: string): unknown {
  return (told as Readonly<Record<string, unknown>>)[name]
}

/** A rate is expected as a text, and told as a number. What is not told does not differ. */
function differs(expected: unknown, found: unknown): boolean {
  if (found === undefined) return false
  if (typeof expected === 'string' && typeof found === 'number')
    return Math.round(Number(expected) * 1e6) !== Math.round(found * 1e6)
  return JSON.stringify(expected) !== JSON.stringify(found)
}

/** Sends requests over HTTP. Waits as long as the service asks if there are too many of them. */
export function sendOver(url: string, headers: Record<string, string>): Send {
  return async ({ method, path, body }) => {
    for (;;) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.status !== 429) return { status: response.status, text: await response.text() }
      const seconds = Math.max(Number(response.headers.get('retry-after') ?? '1') || 1, 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    }
  }
}
