import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from './wrangler.ts'

/** What looks like a path of this project: it begins with one of its folders, or it is a file of the root. */
const FOLDERS = /^(src|scripts|lab|client|public|test|data|docs|migrations|collectors|\.ci)\//
const ROOT_FILE = /^\.?[\w-]+\.(md|toml|json)$/

const wrong: string[] = []
for (const page of globSync(['*.md', 'docs/**/*.md', 'data/**/*.md', 'test/**/*.md'], { cwd: PROJECT })) {
  const text = readFileSync(join(PROJECT, page), 'utf8')
  for (const path of quotedPaths(text))
    if (!existsSync(join(PROJECT, path))) wrong.push(`${page}: ${path} does not exist`)
  for (const path of linkedPaths(text))
    if (!existsSync(join(PROJECT, dirname(page), path))) wrong.push(`${page}: the link to ${path} is broken`)
  for (const script of namedScripts(text))
    if (!scripts().has(script)) wrong.push(`${page}: there is no npm run ${script}`)
}
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0

/** Paths in backticks. `<name>`, `…` and `*` stand for something: such a path is checked up to there. */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, quoted = '']) => quoted)
    .filter((quoted) => !quoted.includes(' ') && (FOLDERS.test(quoted) || ROOT_FILE.test(quoted)))
    .flatMap(alternatives)
    .map((path) => path.replace(/[^/]*[<…*].*$/, ''))
    .filter((path) => path !== '')
}

/** `docs/{a,b}.md` is two paths. */
function alternatives(path: string): string[] {
  const [, before = '', list = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return list === '' ? [path] : list.split(',').map((each) => `${before}${each}${after}`)
}

function linkedPaths(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

function namedScripts(text: string): string[] {
  return [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name)
}

function scripts(): Set<string> {
  const { scripts: named }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8'),
  )
  return new Set(Object.keys(named))
}
