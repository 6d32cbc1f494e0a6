import type { Operation } from '../openapi/types.ts'
import { escapeHtml } from './escape.ts'
import { codeHtml } from './markdown.ts'

/** An operation of the document, with its method in capitals. */
export type Endpoint = { method: string; path: string; operation: Operation }

const LANGUAGES = [
  { id: 'curl', name: 'curl', syntax: 'sh', write: curlOf },
  { id: 'typescript', name: 'TypeScript', syntax: 'ts', write: typescriptOf },
  { id: 'python', name: 'Python', syntax: 'python', write: pythonOf },
] as const

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

/** The data from which a script makes the form "Try it" of an operation. */
export function trialHtml({ method, path, operation }: Endpoint): string {
  const required = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required)
  const query = required.map(({ name }) => `${name}=`).join('&')
  const address = query === '' ? path : `${path}?${query}`
  const example = exampleOf(operation)
  const body = example === undefined ? '' : escapeHtml(JSON.stringify(example, null, 2))
  const marks = [
    needsKey(operation) ? ' data-keyed' : '',
    operation.requestBody === undefined ? '' : ' data-bodied',
    writes(method, operation) ? ' data-writes' : '',
  ]
  const data = `data-method="${method}" data-address="${escapeHtml(address)}"${marks.join('')}`
  return `<div class="trial" ${data}><template>${body}</template></div>`
}

/** The command that calls an operation, with the variables of the guides. */
function curlOf({ method, path, operation }: Endpoint): string {
  const address = `"$URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const key = needsKey(operation) ? ` \\\n  -H "Authorization: Bearer $KEY"` : ''
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const text = JSON.stringify(exampleOf(operation), null, 2)?.replaceAll("'", `'\\''`)
  const body = text === undefined ? '' : ` -H 'Content-Type: application/json' -d '${text}'`
  return `curl -s${verb} ${address}${key}${body}`
}

/** The call through the typed client, which the page /docs/client explains. */
function typescriptOf({ method, path, operation }: Endpoint): string {
  const names = namesIn(path)
  const params = names.length === 0 ? [] : [`params: { path: { ${names.join(', ')} } }`]
  const example = exampleOf(operation)
  const body =
    example === undefined ? [] : [`body: ${indented(unquoted(JSON.stringify(example, null, 2)), 2)}`]
  const given = [...params, ...body]
  const options = given.length === 0 ? '' : `, {\n  ${given.join(',\n  ')},\n}`
  return `const { data, error } = await tax.http.${method}('${path}'${options})`
}

function pythonOf({ method, path, operation }: Endpoint): string {
  const address = namesIn(path).length === 0 ? `URL + "${path}"` : `URL + f"${path}"`
  const headers = needsKey(operation) ? ['headers={"Authorization": f"Bearer {KEY}"}'] : []
  const example = exampleOf(operation)
  const body = example === undefined ? [] : [`json=${indented(pythonLiteral(example), 4)}`]
  const given = [address, ...headers, ...body].map((each) => `    ${each},\n`).join('')
  return `answer = requests.${method.toLowerCase()}(\n${given})\nprint(answer.json())`
}

/** Whether a call changes anything: other POSTs only calculate or ask, and take no Idempotency-Key. */
function writes(method: string, { parameters = [] }: Operation): boolean {
  return method === 'PUT' || method === 'DELETE' || parameters.some(({ name }) => name === 'Idempotency-Key')
}

function exampleOf({ requestBody }: Operation): unknown {
  return requestBody?.content['application/json']?.example
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
