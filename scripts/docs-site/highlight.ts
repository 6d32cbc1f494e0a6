import { escapeHtml } from './escape.ts'

/**
 * The class that colours a word: c comment, s string, k keyword, d digits, n name. It is short, because pages
 * have thousands of them.
 */
type Rule = readonly [kind: string, pattern: RegExp]

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
const NUMBER = /\b\d[\d_]*(?:\.\d+)?\b/
const words = (list: string) => new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`)

const SCRIPT: readonly Rule[] = [
  ['c', /\/\/.*|\/\*[\s\S]*?\*\//],
  ['s', new RegExp(`${STRING.source}|\`(?:[^\`\\\\]|\\\\.)*\``)],
  ['k', words('import export from const let async await function return new for of if else throw type')],
  ['k', words('try catch switch case default break instanceof true false null undefined as class')],
  ['d', NUMBER],
]

const JSON_RULES: readonly Rule[] = [
  ['n', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ['s', STRING],
  ['k', words('true false null')],
  ['d', /-?\b\d+(?:\.\d+)?\b/],
]

const LANGUAGES: Readonly<Record<string, readonly Rule[]>> = {
  json: JSON_RULES,
  ts: SCRIPT,
  js: SCRIPT,
  sh: [
    ['c', /(?<=^|\s)#.*/],
    ['s', /"(?:[^"\\]|\\.)*"|'[^']*'/],
    ['k', words('curl for do done if then fi echo printf node npm npx cd export')],
    ['n', /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  python: [
    ['c', /#.*/],
    ['s', new RegExp(`f?(?:${STRING.source})`)],
    ['k', words('import from def return for in while if else elif try except raise with as yield class')],
    ['k', words('True False None not and or print')],
    ['d', NUMBER],
  ],
}

/** Code as HTML with an element around each word that has a colour. Other languages have none. */
export function highlighted(code: string, language: string): string {
  const rules = LANGUAGES[language]
  if (rules === undefined) return escapeHtml(code)
  const pattern = new RegExp(rules.map(([, each]) => `(${each.source})`).join('|'), 'gm')
  let html = ''
  let end = 0
  for (const found of code.matchAll(pattern)) {
    const kind = rules[found.slice(1).findIndex((each) => each !== undefined)]?.[0] ?? ''
    html += `${escapeHtml(code.slice(end, found.index))}<i class="${kind}">${escapeHtml(found[0])}</i>`
    end = found.index + found[0].length
  }
  return html + escapeHtml(code.slice(end))
}
