import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PROJECT } from './wrangler.ts'

/** A fenced block of a page, with the line that it begins on. */
type Block = { language: string; text: string; line: number }

/** A block of commands with curl, and the JSON that the page shows as the last answer, if it does. */
type Example = { name: string; commands: string; shown: string | null }

/** `date` with the clock of `npm run test:days`. */
const DATE_AHEAD = 'date() { command date -d "@$(($(command date +%s) + CLOCK_AHEAD_MS / 1000))" "$@"; }'

/** Divides the output of one example from the next. */
const MARK = '\u001e'

/** The pages that are run, README first. */
export const PAGES = ['README.md', ...globSync('docs/*.md', { cwd: PROJECT }).toSorted()]

export function blocksOf(page: string): Block[] {
  const source = readFileSync(join(PROJECT, page), 'utf8')
  return [...source.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((found) => ({
    language: found[1] ?? '',
    text: found[2] ?? '',
    line: source.slice(0, found.index).split('\n').length,
  }))
}

export function examplesOf(page: string): Example[] {
  const blocks = blocksOf(page)
  return blocks.flatMap((block, index) => {
    if (!['', 'sh'].includes(block.language) || !/^[^#]*\bcurl /m.test(block.text)) return []
    const after = blocks[index + 1]
    return [
      {
        name: `line ${block.line}`,
        commands: block.text,
        shown: after?.language === 'json' ? after.text : null,
      },
    ]
  })
}

/**
 * What a shell says that runs all examples of a page in order, up to the first that fails. An HTTP status of
 * 400 or more is a failure.
 */
export type Run = { outputs: string[]; errors: string }

/** Variables carry on from one example to the next, as in a reader's terminal, which stands in `folder`. */
export async function runExamples(
  examples: readonly Example[],
  folder: string,
  env: Record<string, string>,
): Promise<Run> {
  const script = [
    'set -eo pipefail',
    // A shell in `$( )` forgets -e otherwise.
    'shopt -s inherit_errexit 2>/dev/null || true',
    'curl() { command curl --fail-with-body --show-error "$@"; }',
    ...(process.env['CLOCK_AHEAD_MS'] === undefined ? [] : [DATE_AHEAD]),
    ...examples.map(({ commands }) => `${commands}\nprintf '${MARK}'`),
  ].join('\n')
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return { outputs: output.split(MARK), errors }
}

/**
 * Where an answer differs from what a page shows; empty when it does not. What is not shown may be anything.
 * `…` stands for any text, and `"…"` for any value; as the last of a list it says that there may be more.
 */
export function differences(shown: unknown, answer: unknown, path = 'answer'): string[] {
  if (shown === '…') return answer === undefined ? [`${path} is missing`] : []
  if (Array.isArray(shown)) return differencesOfLists(shown, answer, path)
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answer !== 'object' || answer === null) return [`${path} is ${JSON.stringify(answer)}`]
    const values = new Map(Object.entries(answer))
    return Object.entries(shown).flatMap(([name, value]) =>
      differences(value, values.get(name), `${path}.${name}`),
    )
  }
  const same =
    typeof shown === 'string' && typeof answer === 'string' ? patternOf(shown).test(answer) : shown === answer
  return same ? [] : [`${path} is ${JSON.stringify(answer)}, and the page shows ${JSON.stringify(shown)}`]
}

function differencesOfLists(shown: readonly unknown[], answer: unknown, path: string): string[] {
  if (!Array.isArray(answer)) return [`${path} is ${JSON.stringify(answer)}`]
  const open = shown.at(-1) === '…'
  const listed = open ? shown.slice(0, -1) : shown
  if (answer.length < listed.length || (!open && answer.length > listed.length))
    return [`${path} has ${answer.length} elements, and the page shows ${listed.length}`]
  return listed.flatMap((each, index) => differences(each, answer[index], `${path}[${index}]`))
}

function patternOf(shown: string): RegExp {
  return new RegExp(
    `^${shown
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )
}
