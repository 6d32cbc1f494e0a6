import { PUBLIC_ROUTES, ROUTES } from '../../src/interfaces/routes.ts'
import { clientNames, isList } from '../client-types/client-methods.ts'
import type { Operation } from '../openapi/types.ts'
import { escapeHtml } from './escape.ts'
import { codeHtml } from './markdown.ts'

const METHODS = clientNames([...ROUTES, ...PUBLIC_ROUTES])

const QUARTER = { from_date: '2026-07-01', to_date: '2026-09-30' }
const RETURN = { type: 'oss_union', period: '2026-Q3' }

/** What the sample of an operation asks for, where a call without a query would be refused. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getRates: { jurisdiction: 'FR' },
  getSummaryReport: QUARTER,
  getTaxVarianceReport: QUARTER,
  listReportedTransactions: QUARTER,
  listReportedLines: QUARTER,
  listOssRecords: { scheme: 'oss_union', ...QUARTER },
  getFilingReport: RETURN,
  downloadFilingFile: { ...RETURN, format: 'csv' },
  exportReport: { report: 'transactions', ...QUARTER },
  downloadReturnFile: { format: 'csv' },
  checkVatIdFormat: { vat_id: 'DE136695976' },
  checkExemption: { jurisdiction_id: 'US-CA' },
  getProductTypeSuggestions: { description: 'Ceramic coffee mug, 350 ml' },
}

/** Parts of a path that need no id of the reader's own. */
const PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getJurisdiction: { id: 'FR' },
  listJurisdictionRates: { id: 'FR' },
  listRegions: { country: 'US' },
}

/** The query of an operation's samples; empty: none. */
function sampleQuery({ operationId }: Operation): Readonly<Record<string, string>> {
  return QUERIES[operationId] ?? {}
}

/** The value of a part of the path; null: the reader sets the variable with its name in capitals. */
function sampleOfPath({ operationId }: Operation, name: string): string | null {
  return PLACES[operationId]?.[name] ?? null
}

/** An operation of the document, with its method in capitals. */
export type Endpoint = { method: string; path: string; operation: Operation }

const LANGUAGES = [
  { id: 'curl', name: 'curl', syntax: 'sh', write: curlOf },
  { id: 'typescript', name: 'TypeScript', syntax: 'ts', write: typescriptOf },
  { id: 'python', name: 'Python', syntax: 'python', write: pythonOf },
] as const

/** The sample of an operation in each language, as a reader copies it. */
export function sampleTexts(endpoint: Endpoint): { language: string; text: string }[] {
  return LANGUAGES.map(({ id, write }) => ({ language: id, text: write(endpoint) }))
}

/**
 * The same call in each language. Without scripts the first one is shown, and radio buttons change it: the
 * style sheet hides the others.
 */
export function samplesHtml(endpoint: Endpoint): string {
  const { operationId } = endpoint.operation
  const choices = LANGUAGES.map(({ id, name }, index) => {
    const checked = index === 0 ? ' checked' : ''
    const radio = `<input type="radio" name="language-${operationId}" value="${id}"${checked}>`
    return `<label>${radio} ${name}</label>`
  })
  const samples = LANGUAGES.map(
    ({ id, syntax, write }) => `<div class="sample ${id}">${codeHtml(write(endpoint), syntax)}</div>`,
  )
  return `<div class="samples"><fieldset><legend>Language</legend>${choices.join('')}</fieldset>
${samples.join('')}</div>`
}

/** The data from which a script makes the form "Try it" of an operation: a field for each parameter. */
export function trialHtml({ method, path, operation }: Endpoint): string {
  // The form has no field for a file, and shows no file.
  if (sendsFile(operation) || answersFile(operation)) return ''
  const values = sampleQuery(operation)
  const fields = (operation.parameters ?? []).map(({ name, in: place, required }) => ({
    name,
    in: place,
    ...(required && { required }),
    value: values[name] ?? sampleOfPath(operation, name) ?? '',
  }))
  const example = exampleOf(operation)
  const body = example === undefined ? '' : escapeHtml(JSON.stringify(example, null, 2))
  const marks = [
    needsKey(operation) ? ' data-keyed' : '',
    operation.requestBody === undefined ? '' : ' data-bodied',
    writes(method, operation) ? ' data-writes' : '',
  ]
  const data = `data-method="${method}" data-address="${escapeHtml(path)}"${marks.join('')}`
  const given = fields.length === 0 ? '' : ` data-fields="${escapeHtml(JSON.stringify(fields))}"`
  return `<div class="trial" ${data}${given}><template>${body}</template></div>`
}

/** The command that calls an operation, with the variables of the guides. */
function curlOf({ method, path, operation }: Endpoint): string {
  const filled = filledPath(operation, path, (name) => `$${name.toUpperCase()}`)
  const address = `"$URL${filled}${queryOf(operation)}"`
  const key = needsKey(operation) ? ` \\\n  -H "Authorization: Bearer $KEY"` : ''
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const text = JSON.stringify(exampleOf(operation), null, 2)?.replaceAll("'", `'\\''`)
  const body = sendsFile(operation)
    ? ` -H 'Content-Type: application/pdf' --data-binary @${FILE}`
    : text === undefined
      ? ''
      : ` -H 'Content-Type: application/json' -d '${text}'`
  if (answersFile(operation)) return `curl -s ${address}${key} -o ${FILE}`
  return `curl -s${verb} ${address}${key}${body}`
}

/** The call by the method of the client, which the page /docs/client explains. */
function typescriptOf({ path, operation }: Endpoint): string {
  const names = namesIn(path)
  const open = names.filter((name) => sampleOfPath(operation, name) === null)
  const variables = open.map((name) => `, ${name.toUpperCase()}: ${name} = ''`).join('')
  const places = names.map((name) => {
    const value = sampleOfPath(operation, name)
    return value === null ? name : `'${value}'`
  })
  const query = sampleQuery(operation)
  const example = exampleOf(operation) ?? (Object.keys(query).length > 0 ? query : undefined)
  const given = sendsFile(operation)
    ? [`await openAsBlob('${FILE}')`]
    : example === undefined
      ? []
      : [unquoted(JSON.stringify(example, null, 2))]
  const call = `tax.${METHODS.get(operation.operationId)}(${[...places, ...given].join(', ')})`
  const opened = sendsFile(operation) ? "import { openAsBlob } from 'node:fs'\n" : ''
  return `${opened}import { createClient } from 'tax-compliance'

const { URL: baseUrl, KEY: apiKey${variables} } = process.env
const tax = createClient({ baseUrl, apiKey })

${isList(operation) ? `for await (const row of ${call}) console.log(row)` : `console.log(await ${call})`}`
}

/** With the standard library alone. */
function pythonOf({ method, path, operation }: Endpoint): string {
  const address = filledPath(operation, path, (name) => `{os.environ['${name.toUpperCase()}']}`)
  const example = exampleOf(operation)
  const headers = [
    ...(needsKey(operation) ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...(example === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const given = [
    `f"{os.environ['URL']}${address}${queryOf(operation)}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(sendsFile(operation) ? [`data=open('${FILE}', 'rb').read()`] : []),
    ...(example === undefined ? [] : [`data=json.dumps(${indented(pythonLiteral(example), 4)}).encode()`]),
  ]
  const modules = example === undefined ? 'os, urllib.request' : 'json, os, urllib.request'
  const shown = answersFile(operation)
    ? `open('${FILE}', 'wb').write(answer.read())`
    : 'print(answer.read().decode())'
  return `import ${modules}

request = urllib.request.Request(
${given.map((each) => `    ${each},\n`).join('')})
with urllib.request.urlopen(request) as answer:
    ${shown}`
}

/** The path with its values, and the variables of the reader. */
function filledPath(operation: Operation, path: string, variable: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sampleOfPath(operation, name) ?? variable(name))
}

function queryOf(operation: Operation): string {
  const query = new URLSearchParams({ ...sampleQuery(operation) }).toString()
  return query === '' ? '' : `?${query}`
}

/** Whether a call changes anything: other POSTs only calculate or ask, and take no Idempotency-Key. */
function writes(method: string, { parameters = [] }: Operation): boolean {
  return method === 'PUT' || method === 'DELETE' || parameters.some(({ name }) => name === 'Idempotency-Key')
}

function exampleOf({ requestBody }: Operation): unknown {
  return requestBody?.content['application/json']?.example
}

/** The file that samples send, and the one that they write. */
const FILE = 'certificate.pdf'

function sendsFile({ requestBody }: Operation): boolean {
  return requestBody?.content['application/pdf'] !== undefined
}

function answersFile({ responses }: Operation): boolean {
  const answer = responses['200']
  return answer !== undefined && 'content' in answer && answer.content?.['application/pdf'] !== undefined
}

function needsKey({ security }: Operation): boolean {
  return security?.length !== 0
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** JSON as a literal of JavaScript: names without quotes, texts in single quotes. */
function unquoted(json: string): string {
  return json
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll("'", "\\'")}'`)
}

/** JSON as a literal of Python. Texts of our examples contain no word that differs. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_, text: string | undefined, word: string) => text ?? PYTHON_WORDS[word] ?? word,
  )
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
