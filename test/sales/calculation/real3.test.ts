import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import gaps from '../../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../../data/us-local/jurisdictions.csv?raw'
import main_cities from '../../../data/us-local/main-cities.csv?raw'
import own_taxes from '../../../data/us-local/own-taxes.csv?raw'
import states from '../../../data/us-local/states.json?raw'
import zip_counties from '../../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../../scripts/shipped-data/local-data.ts'
import real3 from '../../engine/oracles/real3.json'
import { newAccount } from '../../support/account.ts'
import { type Answer, call, send } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

type Step = {
  method: string
  path: string
  body?: object
  /** The name of its answer, where it is not the `external_id` of its body. */
  as?: string
  expect: Record<string, unknown>
}

/** A public report of billing systems, marketplaces, shops and accounting as requests, with its source. */
type Case = { id: string; theme: string; why: string; shared?: boolean; steps: Step[] }

/** The day on which the reports were tried. */
const DAY = '2026-11-29'

await loadTestData()
const now = new Date('2026-11-20T00:00:00Z')
const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
await applyLocalData(env, localDataOf(files, now.toISOString()), now)
const shared = (await newAccount({ tier: 'enterprise' })).key

const cases = (real3 as unknown as Case[]).map((each) => [each.id, each.theme, each] as const)

it.each(cases)('%s: %s', async (_id, _theme, asked) => {
  const key = asked.shared ? shared : (await newAccount({ tier: 'enterprise' })).key
  const answers = new Map<string, unknown>()
  const unmet: string[] = []
  for (const [at, step] of asked.steps.entries()) {
    const answer = await answerTo(key, step, answers)
    for (const [path, wanted] of Object.entries(step.expect)) {
      const fault = faultOf(answer, path, wanted)
      if (fault !== null) unmet.push(`step ${at}: ${fault}\n${answer.text.slice(0, 1500)}`)
    }
  }
  expect(unmet, asked.why).toEqual([])
})

async function answerTo(key: string, step: Step, answers: Map<string, unknown>): Promise<Answer> {
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)([\w.]*)\}/g, (_, name: string, path: string) =>
      String(fieldAt(answers.get(name), path === '' ? 'id' : path.slice(1))),
    )
  const body = step.body && onDay(step.path, JSON.parse(fill(JSON.stringify(step.body))) as object)
  const ask = step.path.startsWith('/v1/') ? call : send
  const answer = await ask(step.method, fill(step.path), { key, ...(body && { body }) })
  const name = step.as ?? (body as { external_id?: string } | undefined)?.external_id
  if (name !== undefined) answers.set(name, answer.body)
  return answer
}

/** A calculation without a day of its own would bear other taxes later. */
function onDay(path: string, body: object): object {
  if (path === '/v1/calculate') return { transaction_date: DAY, ...body }
  if (path !== '/v1/calculate/batch') return body
  const { calculations } = body as { calculations: object[] }
  return { ...body, calculations: calculations.map((each) => ({ transaction_date: DAY, ...each })) }
}

/** `~` asks for a pattern, `!~` for none of it, and `$text` is the whole answer. */
function faultOf({ status, body, text }: Answer, path: string, wanted: unknown): string | null {
  if (path === 'status') return status === wanted ? null : `status is ${status}, want ${String(wanted)}`
  const [, name = '', how] = /^(.*?)(!?~)?$/.exec(path) ?? []
  const found = name === '$text' ? text : fieldAt(body, name)
  const said = typeof found === 'string' ? found : JSON.stringify(found)
  const matches = () => new RegExp(String(wanted), 'i').test(said ?? '')
  const met = how === undefined ? Object.is(found, wanted) : matches() === (how === '~')
  return met ? null : `${path} is ${said}, want ${String(wanted)}`
}

/** `results.0.data.tax_amount`, or `boxes.[box=48].amount`. */
function fieldAt(answered: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => {
    const [, key, value] = /^\[(\w+)=(.*)\]$/.exec(name) ?? []
    if (key === undefined) return (found as Record<string, unknown> | null | undefined)?.[name]
    return (found as Record<string, unknown>[] | undefined)?.find((each) => String(each[key]) === value)
  }, answered)
}
