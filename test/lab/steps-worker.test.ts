import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../lab/bench/ask.ts'
import { PATHS } from '../../lab/bench/steps-worker.ts'
import { ONE_LINE } from '../../lab/bench/targets.ts'
import { type RunningService, startService } from '../../lab/service.ts'
import { buildWorker } from '../../scripts/run-worker.ts'

let service: RunningService
beforeAll(async () => {
  const worker = await buildWorker('lab/bench/steps-worker.ts')
  service = await startService(worker)
}, 120_000)
afterAll(() => service.dispose())

const CHEAP = bodyOf(100)
const DEAR = bodyOf(9_000)
const WRONG = JSON.stringify({ currency: 'EUR' })

function bodyOf(amount: number): string {
  return JSON.stringify({
    ...JSON.parse(ONE_LINE.body ?? ''),
    line_items: [{ amount, product_type: 'saas' }],
  })
}

/** The answer at a path without the time at which it was written, which is given beside it. */
async function answerAt(path: string, body: string) {
  const { text } = await ask(service, { ...ONE_LINE, path, body })
  const { queried_at, ...answer }: { queried_at: string; tax_amount: number } = JSON.parse(text)
  return { queried_at, answer }
}

describe('the worker with fewer steps', () => {
  it('first answers as the service does, at each path', async () => {
    const { answer } = await answerAt(PATHS.service, CHEAP)
    expect(answer.tax_amount).toBe(20)
    for (const path of Object.values(PATHS)) expect((await answerAt(path, CHEAP)).answer).toEqual(answer)
  })

  it('then repeats what a step made, and still takes the others', async () => {
    const first = new Map<string, string>()
    for (const path of Object.values(PATHS)) first.set(path, (await answerAt(path, CHEAP)).queried_at)
    const again = async (path: string) => {
      const { answer, queried_at } = await answerAt(path, DEAR)
      return { tax: answer.tax_amount, written_again: queried_at !== first.get(path) }
    }
    expect(await again(PATHS.service)).toEqual({ tax: 1_800, written_again: true })
    expect(await again(PATHS.without_engine)).toEqual({ tax: 20, written_again: true })
    expect(await again(PATHS.without_writing)).toEqual({ tax: 20, written_again: false })
    expect(await again(PATHS.without_validation)).toEqual({ tax: 20, written_again: false })
  })

  it('refuses a wrong body if it validates', async () => {
    for (const path of [PATHS.service, PATHS.without_engine, PATHS.without_writing])
      await expect(answerAt(path, WRONG)).rejects.toThrow('answers 400')
    expect((await answerAt(PATHS.without_validation, WRONG)).answer.tax_amount).toBe(20)
  })
})
